import { defineFilesCheck } from '../../shared/files-check.ts';

export default await defineFilesCheck({
  id: 'exposed-internal-files',
  title: 'Sensitive file exposed: internal technical details',
  cwe: 538,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker learns components, versions and settings of the server, and selects exploits that fit them.',
  why: 'The file reveals internals of the application, such as its components, configuration or metrics. An attacker uses them to select exploits and targets. A file next to it that does not exist was answered differently.',
  fix: 'Remove the file from the web root. If it is needed, restrict it to internal addresses.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/04-Review_Old_Backup_and_Unreferenced_Files_for_Sensitive_Information',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
  grades: ['MEDIUM', 'LOW'],
  lab: () => ({
    item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: ({ path }) =>
      path === '/metrics'
        ? { body: '# HELP process_cpu_seconds_total CPU\n# TYPE process_cpu_seconds_total counter\n' }
        : { status: 404 },
    safe: ({ path }) => (path === '/metrics' ? { status: 403, body: '# HELP is not for you' } : { status: 404 }),
  }),
});
