import { defineFilesCheck } from '../files-check.ts';

const page = { headers: { 'content-type': 'text/html' }, body: '<!doctype html><div id="app"></div>' };

export default await defineFilesCheck({
  id: 'exposed-files',
  title: 'A file with secrets can be downloaded',
  cwe: 538,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: 'Settings, backups, keys and the history of the source hold what nobody else may know, and robots ask for them all day.',
  fix: 'Keep such files out of the folder that is served, and replace every secret that was in them.',
  grades: ['CRITICAL', 'HIGH'],
  lab: () => ({
    item: { method: 'GET', url: '/', parameters: [], seenAs: null, contentType: 'text/html' },
    vulnerable: ({ path }) => (path === '/.env' ? { body: 'APP_ENV=production\nDB_PASSWORD=tea\n' } : page),
    // Answers everything alike, also what looks like a setting.
    safe: () => ({ body: 'APP_KEY=everything is answered so\n' }),
  }),
});
