import { defineFilesCheck } from '../files-check.ts';

export default await defineFilesCheck({
  id: 'exposed-details',
  title: 'A file tells how the site is built',
  cwe: 538,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  why: 'What a program is made of, and how it is set up, shows where to try.',
  fix: 'Do not serve the file, or let only your own addresses reach it.',
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
