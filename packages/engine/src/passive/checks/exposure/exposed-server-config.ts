import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-server-config',
  severity: 'HIGH',
  cwe: 538,
  title: 'Server configuration file exposed',
  why: 'A configuration file of the web server or the framework can be downloaded. An attacker reads how the site is built and often its connection strings and passwords. The evidence shows the path and the marker in the file.',
  fix: 'Block these files in the web server, or deploy only the public directory. Rotate the secrets that the file contains.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/03-Test_File_Extensions_Handling_for_Sensitive_Information',
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/538.html',
  ],
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
    { name: 'IIS', given: { files: { '/web.config': { body: '<configuration>\n<system.webServer>' } } }, fails: 1 },
    { name: 'Apache', given: { files: { '/.htaccess': { body: 'RewriteEngine On\n' } } }, fails: 1 },
    { name: 'ASP.NET', given: { files: { '/appsettings.json': { body: '{"ConnectionStrings": {}}' } } }, fails: 1 },
    {
      name: 'Rails',
      given: { files: { '/config/database.yml': { body: 'production:\n  adapter: postgresql\n' } } },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'unrelated file of that name',
      given: { files: { '/web.config': { body: '<configuration/>' } } },
      fails: 0,
    },
    { name: 'unrelated settings', given: { files: { '/appsettings.json': { body: '{"theme": "dark"}' } } }, fails: 0 },
  ],
});
