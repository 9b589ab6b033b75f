import { defineExposureCheck } from '../../define-exposure-check.ts';

/** Matches the name of a setting, never its value. */
const SETTING = /^(export )?(APP_|DB_|[A-Z_]{0,40}(SECRET|PASSWORD|TOKEN|KEY))[A-Z_]{0,40}=/m;
/** Build tools inline settings with these prefixes into the page. */
const PUBLIC_ONLY = /^(export )?(NEXT_PUBLIC_|NUXT_PUBLIC_|PUBLIC_|VITE_|REACT_APP_|VUE_APP_|GATSBY_)/;

/** INFO if every setting is one that the browser receives in any case. */
function severityOf(body: string) {
  const settings = body.split('\n').filter((line) => /^(export )?[A-Z_][A-Z0-9_]*=/.test(line));
  return settings.every((line) => PUBLIC_ONLY.test(line)) ? 'INFO' : undefined;
}

const env = (path: string) => ({ path, signature: SETTING, severity: severityOf });

export default defineExposureCheck({
  id: 'exposed-env',
  severity: 'CRITICAL',
  cwe: 538,
  title: 'Environment file (.env) with secrets exposed',
  why: 'The .env file of the application can be downloaded. It contains database and mail passwords, API keys and the keys that sign sessions, so an attacker who reads it can take over the application and its data without any other vulnerability. The evidence shows the path and the name of a setting, never its value.',
  fix: 'Move the file out of the web root, block paths that start with a dot, and rotate every secret in it. Bots request this path continuously, so treat the secrets as stolen.',
  recipe: { hide: String.raw`/\.env` },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  files: [
    env('/.env'),
    env('/.env.local'),
    env('/.env.production'),
    env('/.env.bak'),
    { path: '/.env.example', signature: SETTING, severity: 'INFO' },
  ],
  examples: [
    { name: 'password', given: { files: { '/.env': { body: 'APP_ENV=production\nDB_PASSWORD=x\n' } } }, fails: 1 },
    { name: 'shell export', given: { files: { '/.env.bak': { body: 'export STRIPE_SECRET_KEY=x' } } }, fails: 1 },
    {
      name: 'single-page app that answers every other path',
      given: {
        elsewhere: { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><div id=app>' },
        files: { '/.env.local': { body: 'API_TOKEN=x', headers: { 'content-type': 'application/octet-stream' } } },
      },
      fails: 1,
    },
    {
      name: 'template without values',
      given: { files: { '/.env.example': { body: 'DB_PASSWORD=' } } },
      fails: 1,
      severity: 'INFO',
    },
    {
      name: 'client-side settings only',
      given: { files: { '/.env': { body: '# web\nVITE_MAPS_KEY=x\nREACT_APP_TOKEN=y\n' } } },
      fails: 1,
      severity: 'INFO',
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'HTML page',
      given: { files: { '/.env': { headers: { 'content-type': 'text/html' }, body: '<pre>\nDB_PASSWORD=x\n</pre>' } } },
      fails: 0,
    },
    {
      name: 'HTML page without Content-Type',
      given: { files: { '/.env': { body: '<!DOCTYPE html><pre>\nDB_PASSWORD=x\n</pre>' } } },
      fails: 0,
    },
    { name: 'same response for every path', given: { elsewhere: { status: 200, body: 'APP_KEY=x' } }, fails: 0 },
    { name: 'redirect', given: { files: { '/.env': { status: 302, body: 'APP_KEY=x' } } }, fails: 0 },
  ],
});
