import { defineExposureCheck } from '../../exposure-check.ts';

/** Only the name, never the value. */
const SETTING = /^(export )?(APP_|DB_|[A-Z_]{0,40}(SECRET|PASSWORD|TOKEN|KEY))[A-Z_]{0,40}=/m;
/** Build tools put these into the page anyway. */
const PUBLIC_ONLY = /^(export )?(NEXT_PUBLIC_|NUXT_PUBLIC_|PUBLIC_|VITE_|REACT_APP_|VUE_APP_|GATSBY_)/;

/** What a browser gets to see anyway is no leak. */
function severityOf(body: string) {
  const settings = body.split('\n').filter((line) => /^(export )?[A-Z_][A-Z0-9_]*=/.test(line));
  return settings.every((line) => PUBLIC_ONLY.test(line)) ? 'INFO' : undefined;
}

const env = (path: string) => ({ path, signature: SETTING, severity: severityOf });

export default defineExposureCheck({
  id: 'exposed-env',
  severity: 'CRITICAL',
  cwe: 538,
  title: 'The settings of the application, with its secrets, can be downloaded',
  why: 'A .env file holds the passwords of databases and mail servers and the keys that sign sessions: whoever reads it needs no other flaw.',
  fix: 'Move the file out of the folder that is served and refuse paths that begin with a dot. Then replace every secret in it: robots look for it all day.',
  recipe: { hide: String.raw`/\.env` },
  references: ['https://cwe.mitre.org/data/definitions/538.html', 'https://12factor.net/config'],
  files: [
    env('/.env'),
    env('/.env.local'),
    env('/.env.production'),
    env('/.env.bak'),
    { path: '/.env.example', signature: SETTING, severity: 'INFO' },
  ],
  examples: [
    { name: 'a password', given: { files: { '/.env': { body: 'APP_ENV=production\nDB_PASSWORD=x\n' } } }, fails: 1 },
    { name: 'in a shell', given: { files: { '/.env.bak': { body: 'export STRIPE_SECRET_KEY=x' } } }, fails: 1 },
    {
      name: 'on a site that has a page for everything else',
      given: {
        elsewhere: { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><div id=app>' },
        files: { '/.env.local': { body: 'API_TOKEN=x', headers: { 'content-type': 'application/octet-stream' } } },
      },
      fails: 1,
    },
    {
      name: 'a template without values',
      given: { files: { '/.env.example': { body: 'DB_PASSWORD=' } } },
      fails: 1,
      severity: 'INFO',
    },
    {
      name: 'only what the page shows anyway',
      given: { files: { '/.env': { body: '# web\nVITE_MAPS_KEY=x\nREACT_APP_TOKEN=y\n' } } },
      fails: 1,
      severity: 'INFO',
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a page that explains it',
      given: { files: { '/.env': { headers: { 'content-type': 'text/html' }, body: '<pre>\nDB_PASSWORD=x\n</pre>' } } },
      fails: 0,
    },
    {
      name: 'a page without a type',
      given: { files: { '/.env': { body: '<!DOCTYPE html><pre>\nDB_PASSWORD=x\n</pre>' } } },
      fails: 0,
    },
    { name: 'the same for everything', given: { elsewhere: { status: 200, body: 'APP_KEY=x' } }, fails: 0 },
    { name: 'a redirect', given: { files: { '/.env': { status: 302, body: 'APP_KEY=x' } } }, fails: 0 },
  ],
});
