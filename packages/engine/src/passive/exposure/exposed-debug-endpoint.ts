import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-debug-endpoint',
  severity: 'HIGH',
  cwe: 489,
  title: 'A tool for developers is open to everybody',
  why: 'Debuggers and profilers show requests, memory and settings of the running application, with the secrets of other users in them.',
  fix: 'Switch the tool off outside of development, or let only signed-in developers reach it.',
  references: ['https://cwe.mitre.org/data/definitions/489.html'],
  files: [
    { path: '/debug/pprof/', signature: /<title>\/debug\/pprof\/|Types of profiles available:/, isPage: true },
    { path: '/debug/vars', signature: /"(memstats|cmdline)"\s*:/ },
    {
      path: '/_profiler/empty/search/results',
      signature: /<title>Symfony Profiler<\/title>|sf-profiler/,
      isPage: true,
    },
    { path: '/telescope/requests', signature: /<title>[^<]{0,60}Telescope[^<]{0,60}<\/title>/, isPage: true },
    { path: '/elmah.axd', signature: /Error [Ll]og for\b|Powered by <a[^>]{0,100}>ELMAH/, isPage: true },
  ],
  examples: [
    {
      name: 'of Go',
      given: { files: { '/debug/pprof/': { body: '<html><title>/debug/pprof/</title>Types of profiles available:' } } },
      fails: 1,
    },
    {
      name: 'the variables of Go',
      given: { files: { '/debug/vars': { body: '{"cmdline": [], "memstats": {}}' } } },
      fails: 1,
    },
    {
      name: 'of Symfony',
      given: { files: { '/_profiler/empty/search/results': { body: '<title>Symfony Profiler</title>' } } },
      fails: 1,
    },
    {
      name: 'of Laravel',
      given: { files: { '/telescope/requests': { body: '<title>Telescope - Shop</title>' } } },
      fails: 1,
    },
    { name: 'of ASP.NET', given: { files: { '/elmah.axd': { body: '<h1>Error Log for Shop</h1>' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a page for everything',
      given: { elsewhere: { status: 200, body: '<title>Telescope shop</title>' } },
      fails: 0,
    },
  ],
});
