import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-hg-bzr',
  severity: 'HIGH',
  cwe: 527,
  title: 'Mercurial or Bazaar repository exposed (.hg, .bzr)',
  why: 'The .hg or .bzr directory of the site can be downloaded. An attacker reconstructs the source code with its full history, including every secret that was ever committed. The evidence shows the path and the marker in the file.',
  fix: 'Block every path that starts with /.hg or /.bzr, deploy without these directories, and rotate the secrets in the history. Build artifacts in CI instead of checking out the repository on the server.',
  recipe: { hide: String.raw`/\.(hg|bzr)` },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/527.html',
  ],
  files: [
    { path: '/.hg/requires', signature: /^(dotencode|fncache|generaldelta|revlogv1|store|share-safe|sparserevlog)$/m },
    {
      path: '/.bzr/branch/branch.conf',
      signature: /^(parent_location|push_location|submit_branch|bound_location)\s*=/m,
    },
  ],
  examples: [
    {
      name: 'Mercurial',
      given: { files: { '/.hg/requires': { body: 'dotencode\nfncache\nrevlogv1\nstore\n' } } },
      fails: 1,
    },
    {
      name: 'Bazaar',
      given: { files: { '/.bzr/branch/branch.conf': { body: 'parent_location = lp:site\n' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'unrelated text',
      given: { files: { '/.hg/requires': { body: 'This page requires a store card.' } } },
      fails: 0,
    },
  ],
});
