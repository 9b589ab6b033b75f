import { defineExposureCheck } from '../../exposure-check.ts';

const LINE =
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d|^\[\w{3} \w{3} \d\d \d\d:\d\d:\d\d|^\[\d\d-\w{3}-\d{4} \d\d:\d\d:\d\d/m;

export default defineExposureCheck({
  id: 'exposed-log',
  severity: 'MEDIUM',
  cwe: 532,
  title: 'A log of the application can be downloaded',
  why: 'Logs hold addresses of visitors, traces of errors and often session ids and passwords that failed.',
  fix: 'Write logs outside of the folder that is served, and delete this one from it.',
  references: ['https://cwe.mitre.org/data/definitions/532.html'],
  files: [
    { path: '/storage/logs/laravel.log', signature: LINE, severity: 'HIGH' },
    { path: '/debug.log', signature: LINE },
    { path: '/error.log', signature: LINE },
    { path: '/wp-content/debug.log', signature: LINE },
  ],
  examples: [
    {
      name: 'of Laravel, with its traces',
      given: { files: { '/storage/logs/laravel.log': { body: '[2026-01-01 10:00:00] production.ERROR: x' } } },
      fails: 1,
      severity: 'HIGH',
    },
    {
      name: 'of WordPress',
      given: { files: { '/wp-content/debug.log': { body: '[01-Jan-2026 10:00:00 UTC] PHP Notice' } } },
      fails: 1,
    },
    {
      name: 'of Apache',
      given: { files: { '/error.log': { body: '[Thu Jan 01 10:00:00.1 2026] [core:error]' } } },
      fails: 1,
    },
    { name: 'of nginx', given: { files: { '/error.log': { body: '2026/01/01 10:00:00 [error] 1#1' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'no line of a log', given: { files: { '/debug.log': { body: 'Captain, 1st of May 2026' } } }, fails: 0 },
  ],
});
