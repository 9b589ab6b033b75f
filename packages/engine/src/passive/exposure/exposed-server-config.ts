import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-server-config',
  severity: 'HIGH',
  cwe: 538,
  title: 'Settings of the server can be downloaded',
  why: 'Such files show how the site is built and where its data is, and often the passwords that lead there.',
  fix: 'Refuse these files in the web server, or deploy only the folder that is meant to be served.',
  references: ['https://cwe.mitre.org/data/definitions/538.html'],
  files: [
    {
      path: '/web.config',
      signature: /<configuration>(?=[\s\S]{0,2000}?<(system\.web|system\.webServer|connectionStrings|appSettings)\b)/,
    },
    { path: '/.htaccess', signature: /^[ \t]*(RewriteEngine|RewriteRule|AuthUserFile|Options|php_value|<IfModule)\b/m },
    { path: '/appsettings.json', signature: /"(ConnectionStrings|AllowedHosts)"\s*:/ },
    { path: '/config/database.yml', signature: /^[ \t]*adapter:[ \t]*\w{1,40}/m },
  ],
  examples: [
    { name: 'of IIS', given: { files: { '/web.config': { body: '<configuration>\n<system.webServer>' } } }, fails: 1 },
    { name: 'of Apache', given: { files: { '/.htaccess': { body: 'RewriteEngine On\n' } } }, fails: 1 },
    { name: 'of ASP.NET', given: { files: { '/appsettings.json': { body: '{"ConnectionStrings": {}}' } } }, fails: 1 },
    {
      name: 'of Rails',
      given: { files: { '/config/database.yml': { body: 'production:\n  adapter: postgresql\n' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'another file of that name', given: { files: { '/web.config': { body: '<configuration/>' } } }, fails: 0 },
    { name: 'other settings', given: { files: { '/appsettings.json': { body: '{"theme": "dark"}' } } }, fails: 0 },
  ],
});
