import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'robots-sensitive-paths',
  severity: 'INFO',
  cwe: 200,
  title: 'robots.txt names places that are not meant to be found',
  why: 'The file keeps honest robots out and shows everybody else where to look.',
  fix: 'Protect these places by a sign-in; keep them out of search engines with X-Robots-Tag: noindex instead.',
  references: ['https://www.rfc-editor.org/rfc/rfc9309#section-3'],
  files: [
    {
      path: '/robots.txt',
      signature: /^[ \t]*disallow:[ \t]*\/\S{0,60}(admin|backup|private|secret|intern|config)\S{0,60}/im,
    },
  ],
  examples: [
    {
      name: 'a backup',
      given: { files: { '/robots.txt': { body: 'User-agent: *\nDisallow: /old-backup/\n' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    { name: 'a search', given: { files: { '/robots.txt': { body: 'User-agent: *\nDisallow: /search\n' } } }, fails: 0 },
    { name: 'everything', given: { files: { '/robots.txt': { body: 'User-agent: *\nDisallow: /\n' } } }, fails: 0 },
  ],
});
