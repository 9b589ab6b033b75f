import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-metrics',
  severity: 'LOW',
  cwe: 497,
  title: 'The metrics of the application are public',
  why: 'Metrics tell strangers how busy the site is, which routes it has and what it is made of.',
  fix: 'Serve /metrics on a port that only the monitoring reaches, or ask for a password there.',
  references: ['https://prometheus.io/docs/operating/security/'],
  files: [{ path: '/metrics', signature: /^# (HELP|TYPE) [\w:]+/m }],
  examples: [
    {
      name: 'of Prometheus',
      given: { files: { '/metrics': { body: '# HELP up Whether it is up.\n# TYPE up gauge\nup 1\n' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'a page of that name', given: { files: { '/metrics': { body: '# Our metrics\n' } } }, fails: 0 },
  ],
});
