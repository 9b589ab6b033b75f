import type { Answer } from '../../evidence/ask.ts';
import { defineExposureCheck, readJson } from '../../exposure-check.ts';

/** By a field that every such file has. One that is too long to be read to its end cannot be told. */
const manifest = (path: string, fields: readonly string[]) => ({
  path,
  signature: ({ body }: Answer) => {
    const json = readJson(body);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    return fields.find((field) => field in json);
  },
});

export default defineExposureCheck({
  id: 'exposed-dependency-manifest',
  severity: 'LOW',
  cwe: 538,
  title: 'The list of packages that the site is made of can be downloaded',
  why: 'With exact versions nobody has to guess which known flaws may be worth a try.',
  fix: 'Serve only the folder with what is built, without package.json, composer.json and their kin. If the code is public anyway, ignore this.',
  references: ['https://cwe.mitre.org/data/definitions/538.html'],
  files: [
    manifest('/package.json', ['dependencies', 'devDependencies', 'scripts']),
    manifest('/composer.json', ['require', 'require-dev', 'autoload']),
    manifest('/composer.lock', ['packages', 'content-hash']),
  ],
  examples: [
    { name: 'of npm', given: { files: { '/package.json': { body: '{"dependencies": {"a": "1.0.0"}}' } } }, fails: 1 },
    { name: 'of Composer', given: { files: { '/composer.json': { body: '{"require": {"php": "8"}}' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another JSON', given: { files: { '/package.json': { body: '{"weight": 3}' } } }, fails: 0 },
    { name: 'not JSON', given: { files: { '/package.json': { body: 'dependencies' } } }, fails: 0 },
    { name: 'the same for everything', given: { elsewhere: { status: 200, body: '{"scripts": {}}' } }, fails: 0 },
  ],
});
