import { defineExposureCheck } from '../../exposure-check.ts';

const page = (path: string) => ({ path, signature: /<title>(PHP [\d.]+ - )?phpinfo\(\)<\/title>/, isPage: true });

export default defineExposureCheck({
  id: 'exposed-phpinfo',
  severity: 'MEDIUM',
  cwe: 497,
  title: 'A page shows how PHP is set up',
  why: 'The output of phpinfo() names versions, folders, modules and environment variables, sometimes with secrets in them.',
  fix: 'Delete the file, and use phpinfo() on the command line.',
  references: ['https://cwe.mitre.org/data/definitions/497.html', 'https://www.php.net/manual/en/function.phpinfo.php'],
  files: [page('/phpinfo.php'), page('/info.php')],
  examples: [
    {
      name: 'the page',
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
    { name: 'under another name', given: { files: { '/info.php': { body: '<title>phpinfo()</title>' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'a page about it',
      given: { files: { '/info.php': { body: '<title>How to use phpinfo()</title>' } } },
      fails: 0,
    },
    { name: 'for everything', given: { elsewhere: { status: 200, body: '<title>phpinfo()</title>' } }, fails: 0 },
  ],
});
