import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-svn',
  severity: 'HIGH',
  cwe: 527,
  title: 'Subversion working copy exposed (.svn)',
  why: 'The .svn directory of the site can be downloaded. It lists every file of the project and contains copies of them, so an attacker reads source code and configuration that the server would not show. The evidence shows the path and the marker in the file.',
  fix: 'Block every path that starts with /.svn, and deploy with svn export instead of a working copy. Rotate the secrets in the files.',
  recipe: { hide: String.raw`/\.svn` },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://svnbook.red-bean.com/en/1.8/svn.ref.svn.c.export.html',
    'https://cwe.mitre.org/data/definitions/527.html',
  ],
  files: [
    { path: '/.svn/wc.db', signature: /^SQLite format 3/ },
    { path: '/.svn/entries', signature: /^\d{1,2}\n/ },
  ],
  examples: [
    { name: 'wc.db', given: { files: { '/.svn/wc.db': { body: 'SQLite format 3\0...' } } }, fails: 1 },
    { name: 'entries file', given: { files: { '/.svn/entries': { body: '12\n' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    { name: 'same text for every path', given: { elsewhere: { status: 200, body: '12\nmonkeys' } }, fails: 0 },
  ],
});
