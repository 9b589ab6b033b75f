import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-debug-endpoint',
  severity: 'HIGH',
  cwe: 489,
  title: 'Debug endpoint or profiler exposed',
  why: 'A debugger, profiler or error log for developers is reachable without authentication. An attacker reads requests, memory and configuration of the running application, including session tokens of other users. The evidence shows the path and the marker of the tool.',
  fix: 'Disable the tool in production, or require authentication for it. Invalidate sessions and rotate secrets that it disclosed.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Error_Handling_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
    'https://cwe.mitre.org/data/definitions/489.html',
  ],
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
      name: 'Go pprof',
      given: { files: { '/debug/pprof/': { body: '<html><title>/debug/pprof/</title>Types of profiles available:' } } },
      fails: 1,
    },
    {
      name: 'Go expvar',
      given: { files: { '/debug/vars': { body: '{"cmdline": [], "memstats": {}}' } } },
      fails: 1,
    },
    {
      name: 'Symfony Profiler',
      given: { files: { '/_profiler/empty/search/results': { body: '<title>Symfony Profiler</title>' } } },
      fails: 1,
    },
    {
      name: 'Laravel Telescope',
      given: { files: { '/telescope/requests': { body: '<title>Telescope - Shop</title>' } } },
      fails: 1,
    },
    { name: 'ASP.NET ELMAH', given: { files: { '/elmah.axd': { body: '<h1>Error Log for Shop</h1>' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'same page for every path',
      given: { elsewhere: { status: 200, body: '<title>Telescope shop</title>' } },
      fails: 0,
    },
  ],
});
