import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-metrics',
  severity: 'LOW',
  cwe: 497,
  title: 'Prometheus metrics endpoint exposed',
  why: 'The metrics endpoint of the application is public. Metrics tell an attacker its routes, versions, load and error rates, which helps to choose and time an attack. The evidence shows the path and the name of a metric.',
  fix: 'Serve /metrics on an internal port that only the monitoring system reaches, or require authentication. Do not put user data into label values.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    'https://prometheus.io/docs/operating/security/',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  files: [{ path: '/metrics', signature: /^# (HELP|TYPE) [\w:]+/m }],
  examples: [
    {
      name: 'Prometheus',
      given: { files: { '/metrics': { body: '# HELP up Whether it is up.\n# TYPE up gauge\nup 1\n' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated page of that name', given: { files: { '/metrics': { body: '# Our metrics\n' } } }, fails: 0 },
  ],
});
