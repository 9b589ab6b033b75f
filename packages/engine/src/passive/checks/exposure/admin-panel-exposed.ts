import { defineExposureCheck } from '../../define-exposure-check.ts';

export default defineExposureCheck({
  id: 'admin-panel-exposed',
  severity: 'INFO',
  cwe: 200,
  title: 'Database admin panel exposed (phpMyAdmin or Adminer)',
  why: 'The login page of a database administration tool is reachable from the internet. An attacker can brute-force or reuse passwords there and exploit known vulnerabilities of the tool to read or change the whole database. The evidence shows the path and the title of the page.',
  fix: 'Restrict the path to a VPN or to your own IP addresses, or put a second authentication (SSO, mutual TLS) in front of it. Keep the tool up to date or remove it.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/05-Enumerate_Infrastructure_and_Application_Admin_Interfaces',
    'https://docs.phpmyadmin.net/en/latest/setup.html#securing-your-phpmyadmin-installation',
    'https://cwe.mitre.org/data/definitions/200.html',
  ],
  files: [
    { path: '/phpmyadmin/', signature: /<title>\s*phpMyAdmin\b/i, isPage: true },
    { path: '/adminer.php', signature: /<title>[^<]{0,60}\bAdminer\b/i, isPage: true },
  ],
  examples: [
    { name: 'phpMyAdmin', given: { files: { '/phpmyadmin/': { body: '<title>phpMyAdmin</title>' } } }, fails: 1 },
    { name: 'Adminer', given: { files: { '/adminer.php': { body: '<title>Login - Adminer</title>' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    { name: 'unrelated page', given: { files: { '/adminer.php': { body: '<title>Our shop</title>' } } }, fails: 0 },
  ],
});
