import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-server-status',
  severity: 'MEDIUM',
  cwe: 497,
  title: 'Web server status page exposed',
  why: "The status page of Apache or nginx is public. Apache lists current requests with visitors' IP addresses and URLs, which can contain session tokens that an attacker replays. The evidence shows the path and the first counter.",
  fix: 'Allow the status page from your own addresses only (Require local in Apache, allow and deny in nginx). Disable mod_status or stub_status if you do not use it.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
    'https://httpd.apache.org/docs/2.4/mod/mod_status.html',
    'https://nginx.org/en/docs/http/ngx_http_stub_status_module.html',
    'https://cwe.mitre.org/data/definitions/497.html',
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
      name: 'Apache',
      given: { files: { '/server-status?auto': { body: 'site.example\nServerVersion: Apache\nTotal Accesses: 5\n' } } },
      fails: 1,
    },
    {
      name: 'nginx',
      given: { files: { '/nginx_status': { body: 'Active connections: 1 \nserver accepts' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'unrelated page',
      given: { files: { '/server-status?auto': { body: '<h1>All systems up</h1>' } } },
      fails: 0,
    },
  ],
});
