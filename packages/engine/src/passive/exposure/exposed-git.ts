import { defineExposureCheck } from '../../exposure-check.ts';

/** Of the account that a remote's URL carries; the URL itself is not shown. */
const CREDENTIALS = /^[ \t]*url[ \t]*=[ \t]*https?:\/\/[^\s/@:]+:[^\s/@]+@/m;

export default defineExposureCheck({
  id: 'exposed-git',
  severity: 'HIGH',
  cwe: 527,
  title: 'The Git repository of the site can be downloaded',
  why: 'With the folder .git anybody can rebuild the source code and its history, together with every password that was ever committed.',
  fix: 'Refuse every path that begins with /.git in the web server, deploy without the folder, and replace the secrets that the history holds.',
  recipe: { hide: String.raw`/\.git` },
  references: ['https://cwe.mitre.org/data/definitions/527.html', 'https://git-scm.com/docs/gitrepository-layout'],
  files: [
    { path: '/.git/HEAD', signature: /^(ref: refs\/[\w./-]{1,100}|[0-9a-f]{40})\s*$/ },
    {
      path: '/.git/config',
      signature: /^[ \t]*\[core\]/m,
      severity: (body) => (CREDENTIALS.test(body) ? 'CRITICAL' : undefined),
    },
  ],
  examples: [
    { name: 'a branch', given: { files: { '/.git/HEAD': { body: 'ref: refs/heads/main\n' } } }, fails: 1 },
    { name: 'a commit', given: { files: { '/.git/HEAD': { body: `${'0a'.repeat(20)}\n` } } }, fails: 1 },
    {
      name: 'a password of the remote',
      given: {
        files: { '/.git/config': { body: '[core]\n[remote "origin"]\n\turl = https://me:pass@git.example/a.git\n' } },
      },
      fails: 1,
      severity: 'CRITICAL',
    },
    {
      name: 'a remote without a password',
      given: { files: { '/.git/config': { body: '[core]\n[remote "origin"]\n\turl = git@git.example:a.git\n' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a page of the content network for everything',
      given: {
        elsewhere: { headers: { 'content-type': 'text/html' }, body: '<html><body>ref: refs/heads/main</body></html>' },
      },
      fails: 0,
    },
    { name: 'the same text for everything', given: { elsewhere: { body: 'ref: refs/heads/main' } }, fails: 0 },
    {
      name: 'not allowed',
      given: { files: { '/.git/HEAD': { status: 403, body: 'ref: refs/heads/main' } } },
      fails: 0,
    },
  ],
});
