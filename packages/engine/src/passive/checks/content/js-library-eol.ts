import { isBefore, type Library, librariesOf } from '../../../evidence/probes/libraries.ts';
import { flawOf } from '../../../evidence/probes/library-flaws.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** The oldest supported version, or null if no version is supported. */
const maintained: Readonly<Record<string, { title: string; from: string | null }>> = {
  angularjs: { title: 'AngularJS', from: null },
  bootstrap: { title: 'Bootstrap', from: '5.0.0' },
  vue: { title: 'Vue', from: '3.0.0' },
};

const titleOfOld = ({ name, version }: Library) => {
  const known = Object.hasOwn(maintained, name) ? maintained[name] : undefined;
  return known && (known.from === null || isBefore(version, known.from)) ? known.title : undefined;
};

const own = (body: string) => ({ scripts: { '/app.js': body } });

export default definePassiveCheck({
  id: 'js-library-eol',
  group: 'content',
  severity: 'LOW',
  cwe: 1104,
  title: 'JavaScript library is end-of-life',
  why: 'The page loads a JavaScript library version that its maintainers no longer support. Vulnerabilities found in it, such as XSS, stay unpatched. The evidence names the library, its version and the file.',
  fix: 'Migrate to a supported version, such as Bootstrap 5 or Vue 3. Replace AngularJS, which has no supported version.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
    'https://endoflife.date/',
    'https://cwe.mitre.org/data/definitions/1104.html',
  ],
  needs: ['mainDocument', 'page', 'scripts'],

  *run({ mainDocument: { url }, page, scripts }) {
    for (const library of librariesOf(page, url, scripts)) {
      const title = titleOfOld(library);
      // js-library-vulnerable reports libraries with a known vulnerability.
      if (title !== undefined && !flawOf(library))
        yield { url: library.url, evidence: `${title} ${library.version} in ${library.url}` };
    }
  },

  examples: [
    { name: 'AngularJS', given: own('/*\n AngularJS v1.8.3\n (c) 2010-2020 Google LLC.'), fails: 1 },
    {
      name: 'version in a CDN URL',
      given: { body: '<script src="https://cdn.jsdelivr.net/npm/vue@2.7.16/dist/vue.min.js"></script>' },
      fails: 1,
    },
    { name: 'Bootstrap 4', given: own('/*!\n  * Bootstrap v4.6.2 (https://getbootstrap.com/)'), fails: 1 },
    { name: 'Bootstrap 3', given: own('/*!\n * Bootstrap v3.4.1 (https://getbootstrap.com/)'), fails: 1 },
    { name: 'Vue 2 in an inline script', given: { body: '<script>/*!\n * Vue.js v2.7.16\n */</script>' }, fails: 1 },
    {
      name: 'same library in two files',
      given: { scripts: { '/a.js': '/*!\n * Vue.js v2.7.16\n', '/b.js': '/*!\n * Vue.js v2.7.16\n' } },
      fails: 1,
    },
    {
      name: 'known vulnerability, judged by another check',
      given: own('/*!\n * Bootstrap v3.3.7 (http://getbootstrap.com)'),
      fails: 0,
    },
    { name: 'Bootstrap 5', given: own('/*!\n  * Bootstrap v5.3.3 (https://getbootstrap.com/)'), fails: 0 },
    { name: 'jQuery 3', given: own('/*! jQuery v3.7.1 | (c) OpenJS Foundation */'), fails: 0 },
    { name: 'Vue 3', given: own('/*!\n* Vue.js v3.4.21\n'), fails: 0 },
    { name: 'jQuery UI 1', given: own('/*! jQuery UI - v1.13.2 - 2022-07-14'), fails: 0 },
    { name: 'jQuery Migrate 1', given: own('/*! jQuery Migrate v1.4.1 | (c)'), fails: 0 },
    { name: 'version required by a plugin', given: own('/*! A plugin. Requires jQuery v1.7 or later */'), fails: 0 },
    { name: 'version in a file name only', given: { scripts: { '/vue-2.7.16.min.js': 'alert(1)' } }, fails: 0 },
    { name: 'no script', given: {}, fails: 0 },
  ],
});
