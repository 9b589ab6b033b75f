import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-svn',
  severity: 'HIGH',
  cwe: 527,
  title: 'The Subversion data of the site can be downloaded',
  why: 'The folder .svn names every file of the project and holds copies of them, also of those that the server would not show.',
  fix: 'Refuse every path that begins with /.svn in the web server, and deploy an export instead of a working copy.',
  recipe: { hide: String.raw`/\.svn` },
  references: [
    'https://cwe.mitre.org/data/definitions/527.html',
    'https://svnbook.red-bean.com/en/1.8/svn.ref.svn.c.export.html',
  ],
  files: [
    { path: '/.svn/wc.db', signature: /^SQLite format 3/ },
    { path: '/.svn/entries', signature: /^\d{1,2}\n/ },
  ],
  examples: [
    { name: 'the database', given: { files: { '/.svn/wc.db': { body: 'SQLite format 3\0...' } } }, fails: 1 },
    { name: 'the old list', given: { files: { '/.svn/entries': { body: '12\n' } } }, fails: 1 },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'a text for everything', given: { elsewhere: { status: 200, body: '12\nmonkeys' } }, fails: 0 },
  ],
});
