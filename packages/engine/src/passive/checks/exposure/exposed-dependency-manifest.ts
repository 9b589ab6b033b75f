import type { ProbeAnswer } from '../../../evidence/probes/ask.ts';
import { defineExposureCheck, readJson } from '../../define-exposure-check.ts';

/** Recognizes a manifest by its top-level fields. A body that was truncated does not parse and is skipped. */
const manifest = (path: string, fields: readonly string[]) => ({
  path,
  signature: ({ body }: ProbeAnswer) => {
    const json = readJson(body);
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
    return fields.find((field) => field in json);
  },
});

export default defineExposureCheck({
  id: 'exposed-dependency-manifest',
  severity: 'LOW',
  cwe: 538,
  title: 'Dependency manifest exposed (package.json, composer.json)',
  why: 'A package manifest or lock file of the site can be downloaded. An attacker looks up its exact dependency versions in vulnerability databases and picks a matching exploit. The evidence shows the path and the field we recognized it by.',
  fix: 'Serve only the build output, without package.json, composer.json and lock files. If the source code is public, accept this finding.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  files: [
    manifest('/package.json', ['dependencies', 'devDependencies', 'scripts']),
    manifest('/composer.json', ['require', 'require-dev', 'autoload']),
    manifest('/composer.lock', ['packages', 'content-hash']),
  ],
  examples: [
    { name: 'npm', given: { files: { '/package.json': { body: '{"dependencies": {"a": "1.0.0"}}' } } }, fails: 1 },
    { name: 'Composer', given: { files: { '/composer.json': { body: '{"require": {"php": "8"}}' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated JSON', given: { files: { '/package.json': { body: '{"weight": 3}' } } }, fails: 0 },
    { name: 'not JSON', given: { files: { '/package.json': { body: 'dependencies' } } }, fails: 0 },
    { name: 'same response for every path', given: { elsewhere: { status: 200, body: '{"scripts": {}}' } }, fails: 0 },
  ],
});
