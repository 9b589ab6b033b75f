import { librariesOf } from '../../../evidence/probes/libraries.ts';
import { flawOf } from '../../../evidence/probes/library-flaws.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const load = (src: string) => ({ body: `<script src="${src}"></script>` });
const own = (body: string) => ({ scripts: { '/app.js': body } });

export default definePassiveCheck({
  id: 'js-library-vulnerable',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 1395,
  title: 'JavaScript library with known vulnerabilities',
  why: 'The page loads a library version with a published vulnerability. Whether it can be exploited depends on how the page uses the library; exploits are public.',
  fix: 'Update the library to the version named in the evidence or a later one, and test the pages that use it.',
  references: ['https://cwe.mitre.org/data/definitions/1395.html', 'https://osv.dev/'],
  needs: ['mainDocument', 'page', 'scripts'],

  *run({ mainDocument: { url }, page, scripts }) {
    for (const library of librariesOf(page, url, scripts)) {
      const found = flawOf(library);
      const { name, version, url: at } = library;
      if (found) yield { url: at, evidence: `${name} ${version} in ${at}: ${found.flaw}, fixed in ${found.fixed}` };
    }
  },

  examples: [
    { name: 'jQuery by its maker', given: load('https://code.jquery.com/jquery-3.4.1.min.js'), fails: 1 },
    { name: 'jQuery UI', given: load('https://code.jquery.com/ui/1.12.1/jquery-ui.min.js'), fails: 1 },
    {
      name: 'Google',
      given: load('https://ajax.googleapis.com/ajax/libs/jquery/1.12.4/jquery.min.js'),
      fails: 1,
    },
    { name: 'cdnjs', given: load('https://cdnjs.cloudflare.com/ajax/libs/lodash.js/4.17.20/lodash.min.js'), fails: 1 },
    {
      name: 'jsDelivr',
      given: load('https://cdn.jsdelivr.net/npm/bootstrap@4.1.3/dist/js/bootstrap.min.js'),
      fails: 1,
    },
    { name: 'unpkg', given: load('//unpkg.com/dompurify@3.0.5/dist/purify.min.js'), fails: 1 },
    {
      name: 'Bootstrap',
      given: load('https://maxcdn.bootstrapcdn.com/bootstrap/3.3.7/js/bootstrap.min.js'),
      fails: 1,
    },
    { name: 'jQuery 2, as it is written', given: own('/*!\n * jQuery JavaScript Library v2.2.4\n'), fails: 1 },
    { name: 'jQuery 1 in a bundle', given: own('m.fn=m.prototype={jquery:"1.11.3",constructor:m'), fails: 1 },
    { name: 'by its first line', given: own('/*! jQuery v3.4.1 | (c) JS Foundation */'), fails: 1 },
    {
      name: 'two of them, one of them twice',
      given: {
        body: '<script src="https://code.jquery.com/jquery-1.12.4.js"></script><script src="//unpkg.com/lodash@4.17.4"></script>',
        scripts: { '/app.js': '/*! jQuery v1.12.4 | (c) jQuery Foundation */' },
      },
      fails: 2,
    },
    { name: 'a fixed version', given: load('https://code.jquery.com/jquery-3.7.1.min.js'), fails: 0 },
    {
      name: 'a fixed version of an older line',
      given: load('https://unpkg.com/bootstrap@3.4.1/dist/js/bootstrap.js'),
      fails: 0,
    },
    { name: 'a later patch with two digits', given: load('https://unpkg.com/lodash@4.17.100/lodash.js'), fails: 0 },
    { name: 'a range, which leads to the newest', given: load('https://unpkg.com/jquery@3/dist/jquery.js'), fails: 0 },
    { name: 'a file name on any host', given: load('https://cdn.example/jquery-1.12.4.min.js'), fails: 0 },
    { name: 'a package of another name', given: load('https://unpkg.com/constructor@1.0.0/a.js'), fails: 0 },
    {
      name: 'jQuery UI and what a plugin needs',
      given: own('/*! jQuery UI - v1.13.2 */ /*! Requires jQuery v1.7 */'),
      fails: 0,
    },
    {
      name: 'a style',
      given: { body: '<link rel=stylesheet href="https://unpkg.com/bootstrap@3.3.7/a.css">' },
      fails: 0,
    },
    { name: 'no script', given: {}, fails: 0 },
  ],
});
