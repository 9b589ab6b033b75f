import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-server-status',
  severity: 'MEDIUM',
  cwe: 497,
  title: 'The status page of the web server is public',
  why: 'It shows who asks for what at this moment, with addresses of visitors and URLs that may hold secrets.',
  fix: 'Allow the status page from your own addresses only (Require local in Apache, allow and deny in nginx).',
  references: [
    'https://httpd.apache.org/docs/2.4/mod/mod_status.html',
    'https://nginx.org/en/docs/http/ngx_http_stub_status_module.html',
  ],
  files: [
    {
      path: '/server-status?auto',
      signature: /Apache Server Status|^Total Accesses: \d+|^ServerUptimeSeconds: \d+/m,
      isPage: true,
    },
    { path: '/nginx_status', signature: /^Active connections: \d+/m },
  ],
  examples: [
    {
      name: 'of Apache',
      given: { files: { '/server-status?auto': { body: 'site.example\nServerVersion: Apache\nTotal Accesses: 5\n' } } },
      fails: 1,
    },
    {
      name: 'of nginx',
      given: { files: { '/nginx_status': { body: 'Active connections: 1 \nserver accepts' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'another page',
      given: { files: { '/server-status?auto': { body: '<h1>All systems up</h1>' } } },
      fails: 0,
    },
  ],
});
