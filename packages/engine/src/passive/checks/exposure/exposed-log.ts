import { defineExposureCheck } from '../../define-exposure-check.ts';

const LINE =
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|^\[\w{3} \w{3} \d\d \d\d:\d\d:\d\d|^\[\d\d-\w{3}-\d{4} \d\d:\d\d:\d\d/m;

export default defineExposureCheck({
  id: 'exposed-log',
  severity: 'MEDIUM',
  cwe: 532,
  title: 'Log file exposed',
  why: "A log file of the application or the web server can be downloaded. Logs contain visitors' IP addresses, stack traces and often session identifiers or passwords, which an attacker uses to hijack accounts. The evidence shows the path and the timestamp of a line.",
  fix: 'Write logs outside of the web root, delete this file from it, and invalidate sessions and credentials that it contains. Do not log passwords, tokens or session identifiers.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Logging_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/532.html',
  ],
  files: [
    { path: '/storage/logs/laravel.log', signature: LINE, severity: 'HIGH' },
    { path: '/debug.log', signature: LINE },
    { path: '/error.log', signature: LINE },
    { path: '/wp-content/debug.log', signature: LINE },
  ],
  examples: [
    {
      name: 'Laravel',
      given: { files: { '/storage/logs/laravel.log': { body: '[2026-01-01 10:00:00] production.ERROR: x' } } },
      fails: 1,
      severity: 'HIGH',
    },
    {
      name: 'WordPress',
      given: { files: { '/wp-content/debug.log': { body: '[01-Jan-2026 10:00:00 UTC] PHP Notice' } } },
      fails: 1,
    },
    {
      name: 'Apache',
      given: { files: { '/error.log': { body: '[Thu Jan 01 10:00:00.1 2026] [core:error]' } } },
      fails: 1,
    },
    { name: 'nginx', given: { files: { '/error.log': { body: '2026/01/01 10:00:00 [error] 1#1' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated text', given: { files: { '/debug.log': { body: 'Captain, 1st of May 2026' } } }, fails: 0 },
  ],
});
