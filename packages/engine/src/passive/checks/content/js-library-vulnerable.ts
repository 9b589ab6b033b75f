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
  why: 'The page loads a JavaScript library version with a published vulnerability, named in the evidence. Exploits are public; whether one works here depends on how the page uses the library. We identify the version from CDN URLs and from the code of the library.',
  fix: 'Update the library to the version named in the evidence or a later one. Test the pages that use it, and monitor dependencies for new vulnerabilities.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/08-Fingerprint_Web_Application_Framework',
    'https://osv.dev/',
    'https://cwe.mitre.org/data/definitions/1395.html',
  ],
  needs: ['mainDocument', 'page', 'scripts'],

  *run({ mainDocument: { url }, page, scripts }) {
    for (const library of librariesOf(page, url, scripts)) {
      const found = flawOf(library);
      const { name, version, url: at } = library;
      if (found) yield { url: at, evidence: `${name} ${version} in ${at}: ${found.flaw}, fixed in ${found.fixed}` };
    }
  },

  examples: [
    { name: 'code.jquery.com', given: load('https://code.jquery.com/jquery-3.4.1.min.js'), fails: 1 },
    {
      name: 'jQuery UI at code.jquery.com',
      given: load('https://code.jquery.com/ui/1.12.1/jquery-ui.min.js'),
      fails: 1,
    },
    {
      name: 'Google CDN',
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
      name: 'Bootstrap CDN',
      given: load('https://maxcdn.bootstrapcdn.com/bootstrap/3.3.7/js/bootstrap.min.js'),
      fails: 1,
    },
    { name: 'header of jQuery 2', given: own('/*!\n * jQuery JavaScript Library v2.2.4\n'), fails: 1 },
    { name: 'jQuery 1 in a bundle', given: own('m.fn=m.prototype={jquery:"1.11.3",constructor:m'), fails: 1 },
    { name: 'header of jQuery 3', given: own('/*! jQuery v3.4.1 | (c) JS Foundation */'), fails: 1 },
    {
      name: 'two libraries, one of them twice',
      given: {
        body: '<script src="https://code.jquery.com/jquery-1.12.4.js"></script><script src="//unpkg.com/lodash@4.17.4"></script>',
        scripts: { '/app.js': '/*! jQuery v1.12.4 | (c) jQuery Foundation */' },
      },
      fails: 2,
    },
    { name: 'fixed version', given: load('https://code.jquery.com/jquery-3.7.1.min.js'), fails: 0 },
    {
      name: 'fixed version of an older branch',
      given: load('https://unpkg.com/bootstrap@3.4.1/dist/js/bootstrap.js'),
      fails: 0,
    },
    { name: 'later patch version', given: load('https://unpkg.com/lodash@4.17.100/lodash.js'), fails: 0 },
    { name: 'version range', given: load('https://unpkg.com/jquery@3/dist/jquery.js'), fails: 0 },
    { name: 'version in a file name only', given: load('https://cdn.example/jquery-1.12.4.min.js'), fails: 0 },
    {
      name: 'package named like an object property',
      given: load('https://unpkg.com/constructor@1.0.0/a.js'),
      fails: 0,
    },
    {
      name: 'jQuery UI and a plugin requirement',
      given: own('/*! jQuery UI - v1.13.2 */ /*! Requires jQuery v1.7 */'),
      fails: 0,
    },
    {
      name: 'style sheet of the library',
      given: { body: '<link rel=stylesheet href="https://unpkg.com/bootstrap@3.3.7/a.css">' },
      fails: 0,
    },
    { name: 'no script', given: {}, fails: 0 },
  ],
});
