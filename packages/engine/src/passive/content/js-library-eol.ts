import { definePassiveCheck } from '../../check.ts';
import { thoseThere } from '../../evidence/missing.ts';
import { inlineScripts } from '../../evidence/spoken.ts';

/** As their own first lines say it, which builds keep; file names say nothing. */
const libraries = [
  { name: 'AngularJS', pattern: /\/\*!?\s*(?:\*\s*)?(?:@license )?AngularJS v(1\.\d{1,2}\.\d{1,3})/ },
  { name: 'jQuery', pattern: /\/\*!\s*(?:\*\s*)?jQuery (?:JavaScript Library )?v([12]\.\d{1,2}(?:\.\d{1,3})?)\b/ },
  { name: 'jQuery', pattern: /\{jquery:\s?["']([12]\.\d{1,2}\.\d{1,3})["'],/ },
  { name: 'Bootstrap', pattern: /\/\*!\s*(?:\*\s*)?Bootstrap(?:\.js by @fat[^\n]{0,40})? v([23]\.\d{1,2}\.\d{1,3})/ },
  { name: 'Vue', pattern: /\/\*!\s*(?:\*\s*)?Vue\.js v([012]\.\d{1,2}\.\d{1,3})/ },
];

function* oldLibraries(text: string): Generator<string> {
  for (const { name, pattern } of libraries) {
    const version = pattern.exec(text)?.[1];
    if (version !== undefined) yield `${name} ${version}`;
  }
}

const own = (body: string) => ({ scripts: { '/app.js': body } });

export default definePassiveCheck({
  id: 'js-library-eol',
  group: 'content',
  severity: 'LOW',
  cwe: 1104,
  title: 'The page uses a library that gets no more fixes',
  why: 'Flaws that are found in it from now on stay open.',
  fix: 'Move to a version that is maintained: jQuery 3 or 4, Bootstrap 5, Vue 3; replace AngularJS.',
  references: ['https://endoflife.date/', 'https://cwe.mitre.org/data/definitions/1104.html'],
  needs: ['mainDocument', 'page', 'scripts'],

  *run({ mainDocument: { url }, page, scripts }) {
    const inline = inlineScripts(page).map((body) => ({ url: url.href, body }));
    const seen = new Set<string>();
    for (const { url: at, body } of [...thoseThere(scripts), ...inline]) {
      for (const library of oldLibraries(body)) {
        if (!seen.has(library)) yield { url: at, evidence: `${library} in ${at}` };
        seen.add(library);
      }
    }
  },

  examples: [
    { name: 'AngularJS', given: own('/*\n AngularJS v1.8.3\n (c) 2010-2020 Google LLC.'), fails: 1 },
    { name: 'jQuery 1', given: own('/*! jQuery v1.12.4 | (c) jQuery Foundation */'), fails: 1 },
    { name: 'jQuery 2, as it is written', given: own('/*!\n * jQuery JavaScript Library v2.2.4\n'), fails: 1 },
    { name: 'jQuery 1 in a bundle', given: own('m.fn=m.prototype={jquery:"1.11.3",constructor:m'), fails: 1 },
    { name: 'Bootstrap 3', given: own('/*!\n * Bootstrap v3.4.1 (https://getbootstrap.com/)'), fails: 1 },
    { name: 'Vue 2 in the page', given: { body: '<script>/*!\n * Vue.js v2.7.16\n */</script>' }, fails: 1 },
    {
      name: 'the same twice',
      given: { scripts: { '/a.js': '/*! jQuery v1.12.4 | (c)', '/b.js': '/*! jQuery v1.12.4 | (c)' } },
      fails: 1,
    },
    { name: 'jQuery 3', given: own('/*! jQuery v3.7.1 | (c) OpenJS Foundation */'), fails: 0 },
    { name: 'Vue 3', given: own('/*!\n* Vue.js v3.4.21\n'), fails: 0 },
    { name: 'jQuery UI 1', given: own('/*! jQuery UI - v1.13.2 - 2022-07-14'), fails: 0 },
    { name: 'jQuery Migrate 1', given: own('/*! jQuery Migrate v1.4.1 | (c)'), fails: 0 },
    { name: 'what a plugin needs', given: own('/*! A plugin. Requires jQuery v1.7 or later */'), fails: 0 },
    { name: 'only a file name', given: { scripts: { '/jquery-1.12.4.min.js': 'alert(1)' } }, fails: 0 },
    { name: 'no script', given: {}, fails: 0 },
  ],
});
