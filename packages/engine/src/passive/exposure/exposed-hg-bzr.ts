import { defineExposureCheck } from '../../exposure-check.ts';

export default defineExposureCheck({
  id: 'exposed-hg-bzr',
  severity: 'HIGH',
  cwe: 527,
  title: 'The Mercurial or Bazaar repository of the site can be downloaded',
  why: 'From the repository anybody can rebuild the source code and its history, together with every password that was ever committed.',
  fix: 'Refuse every path that begins with /.hg or /.bzr in the web server, and deploy without these folders.',
  recipe: { hide: String.raw`/\.(hg|bzr)` },
  references: ['https://cwe.mitre.org/data/definitions/527.html'],
  files: [
    { path: '/.hg/requires', signature: /^(dotencode|fncache|generaldelta|revlogv1|store|share-safe|sparserevlog)$/m },
    {
      path: '/.bzr/branch/branch.conf',
      signature: /^(parent_location|push_location|submit_branch|bound_location)\s*=/m,
    },
  ],
  examples: [
    {
      name: 'Mercurial',
      given: { files: { '/.hg/requires': { body: 'dotencode\nfncache\nrevlogv1\nstore\n' } } },
      fails: 1,
    },
    {
      name: 'Bazaar',
      given: { files: { '/.bzr/branch/branch.conf': { body: 'parent_location = lp:site\n' } } },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'another text',
      given: { files: { '/.hg/requires': { body: 'This page requires a store card.' } } },
      fails: 0,
    },
  ],
});
