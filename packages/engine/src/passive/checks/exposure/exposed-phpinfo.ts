import { defineExposureCheck } from '../../define-exposure-check.ts';

const page = (path: string) => ({ path, signature: /<title>(PHP [\d.]+ - )?phpinfo\(\)<\/title>/, isPage: true });

export default defineExposureCheck({
  id: 'exposed-phpinfo',
  severity: 'MEDIUM',
  cwe: 497,
  title: 'phpinfo() page exposed',
  why: 'A page with the output of phpinfo() is public. It tells an attacker exact versions, paths, modules and environment variables, sometimes with secrets in them. The evidence shows the path and the title of the page.',
  fix: 'Delete the file and run php -i on the command line instead. Rotate secrets that the page showed in environment variables.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/02-Test_Application_Platform_Configuration',
    'https://www.php.net/manual/en/function.phpinfo.php',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  files: [page('/phpinfo.php'), page('/info.php')],
  examples: [
    {
      name: 'phpinfo.php',
      given: {
        files: {
          '/phpinfo.php': {
            headers: { 'content-type': 'text/html' },
            body: '<html><title>PHP 8.3.1 - phpinfo()</title>',
          },
        },
      },
      fails: 1,
    },
    { name: 'info.php', given: { files: { '/info.php': { body: '<title>phpinfo()</title>' } } }, fails: 1 },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'page about phpinfo()',
      given: { files: { '/info.php': { body: '<title>How to use phpinfo()</title>' } } },
      fails: 0,
    },
    {
      name: 'same page for every path',
      given: { elsewhere: { status: 200, body: '<title>phpinfo()</title>' } },
      fails: 0,
    },
  ],
});
