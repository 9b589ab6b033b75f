import { defineExposureCheck } from '../../define-exposure-check.ts';

/** Matches credentials in the URL of a remote; the evidence does not show the URL. */
const CREDENTIALS = /^[ \t]*url[ \t]*=[ \t]*https?:\/\/[^\s/@:]+:[^\s/@]+@/m;

export default defineExposureCheck({
  id: 'exposed-git',
  severity: 'HIGH',
  cwe: 527,
  title: 'Git repository exposed (.git)',
  why: 'The .git directory of the site can be downloaded. An attacker reconstructs the source code with its full history, including every secret that was ever committed. The evidence shows the path and the marker in the file.',
  fix: 'Block every path that starts with /.git, deploy without the directory, and rotate the secrets in the history. Build artifacts in CI instead of checking out the repository on the server.',
  recipe: { hide: String.raw`/\.git` },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://git-scm.com/docs/gitrepository-layout',
    'https://cwe.mitre.org/data/definitions/527.html',
  ],
  files: [
    { path: '/.git/HEAD', signature: /^(ref: refs\/[\w./-]{1,100}|[0-9a-f]{40})\s*$/ },
    {
      path: '/.git/config',
      signature: /^[ \t]*\[core\]/m,
      severity: (body) => (CREDENTIALS.test(body) ? 'CRITICAL' : undefined),
    },
  ],
  examples: [
    { name: 'HEAD with a branch', given: { files: { '/.git/HEAD': { body: 'ref: refs/heads/main\n' } } }, fails: 1 },
    { name: 'HEAD with a commit', given: { files: { '/.git/HEAD': { body: `${'0a'.repeat(20)}\n` } } }, fails: 1 },
    {
      name: 'remote with a password',
      given: {
        files: { '/.git/config': { body: '[core]\n[remote "origin"]\n\turl = https://me:pass@git.example/a.git\n' } },
      },
      fails: 1,
      severity: 'CRITICAL',
    },
    {
      name: 'remote without a password',
      given: { files: { '/.git/config': { body: '[core]\n[remote "origin"]\n\turl = git@git.example:a.git\n' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'CDN page for every path',
      given: {
        elsewhere: { headers: { 'content-type': 'text/html' }, body: '<html><body>ref: refs/heads/main</body></html>' },
      },
      fails: 0,
    },
    { name: 'same text for every path', given: { elsewhere: { body: 'ref: refs/heads/main' } }, fails: 0 },
    {
      name: '403',
      given: { files: { '/.git/HEAD': { status: 403, body: 'ref: refs/heads/main' } } },
      fails: 0,
    },
  ],
});
