import { defineFilesCheck } from '../../shared/files-check.ts';

const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><div id="app"></div>' };

export default await defineFilesCheck({
  id: 'exposed-sensitive-files',
  family: { name: 'exposed-file', by: 'place' },
  title: 'Sensitive file exposed: secrets can be downloaded',
  cwe: 538,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker downloads the file and uses the credentials, keys or data in it.',
  why: 'Anyone can download a file with configuration, keys, a backup or source history. Automated scanners request such files all the time and reuse the credentials in them. A file next to it that does not exist was answered differently.',
  fix: 'Move the file out of the web root and deny access to such paths. Replace every secret that it contained.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  grades: ['CRITICAL', 'HIGH'],
  lab: () => ({
    item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: ({ path }) => (path === '/.env' ? { body: 'APP_ENV=production\nDB_PASSWORD=tea\n' } : page),
    // Responds to every path alike, with text that looks like a setting.
    safe: () => ({ body: 'APP_KEY=everything is answered so\n' }),
  }),
});
