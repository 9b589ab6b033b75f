import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scanPage } from '../../html/scan-page.ts';
import { formsOf } from './forms.ts';
import { loadsOf } from './loads.ts';

const URL_OF_PAGE = new URL('https://site.example/a/b');
const namesIn = (html: string) => scanPage(html).elements.map(({ name }) => name);
const loadsIn = (html: string) => loadsOf(scanPage(html), URL_OF_PAGE).map(({ kind, url }) => `${kind} ${url.href}`);

describe('a page', () => {
  it('has its elements, comments and text apart', () => {
    const page = scanPage(
      '<!doctype html><title>A</title><p>b &amp; c<!-- d --><script>e<f</script><style>g{}</style>',
    );
    assert.deepEqual(
      page.elements.map(({ name, script }) => [name, script]),
      [
        ['title', ''],
        ['p', ''],
        ['script', 'e<f'],
        ['style', ''],
      ],
    );
    assert.deepEqual(page.comments, [' d ']);
    assert.equal(page.text.replace(/\s+/g, ' ').trim(), 'A b & c');
    assert.equal(page.errors, 0);
  });

  it('has no elements in comments, scripts, styles, titles, noscripts, frames and templates', () => {
    const around = [
      '<!-- * -->',
      '<script>*</script>',
      '<style>*</style>',
      '<title>*</title>',
      '<noscript>*</noscript>',
    ];
    for (const each of [...around, '<iframe>*</iframe>', '<textarea>*</textarea>', '<template>*</template>']) {
      assert.ok(!namesIn(`${each.replace('*', '<img src=x>')}<p>`).includes('img'), each);
      assert.ok(namesIn(`${each.replace('*', '<img src=x>')}<p>`).includes('p'), each);
    }
  });

  it('goes on after a drawing with a style and a title of its own', () => {
    assert.deepEqual(namesIn('<svg><style/><title>a</title><script/></svg><img>').at(-1), 'img');
  });

  it('keeps samples of code apart from its text', () => {
    assert.equal(scanPage('<pre>a <code>b</code> c</pre>d</pre>e').text.replace(/\s/g, ''), 'de');
  });

  it('has the fields of a form with it, and others not', () => {
    const page = scanPage('<input name=a><form action=x><div><input name=b></div></form><input name=c><form></form>');
    const forms = formsOf(page, URL_OF_PAGE);
    assert.deepEqual(
      forms.map(({ fields, actions }) => [fields.map(({ attributes }) => attributes.get('name')), actions.map(String)]),
      [
        [['b'], ['https://site.example/a/x']],
        [[], ['https://site.example/a/b']],
      ],
    );
  });

  it('is read to its end, however it is nested or broken', () => {
    for (const piece of ['<a><div>', '<table><tr>', '<svg>', '<!--', '<script>', '</', '<a b="', '&#', '\0']) {
      const page = scanPage(piece.repeat(100_000 / piece.length));
      assert.ok(page.elements.length <= 30_000, piece);
    }
  });
});

describe('what a page loads', () => {
  it('is relative to its base, and only what is fetched from http and https', () => {
    assert.deepEqual(loadsIn('<base href="//cdn.example/x/"><base href="/y/"><script src=" a.js "></script>'), [
      'script https://cdn.example/x/a.js',
    ]);
    assert.deepEqual(
      loadsIn('<img src="data:image/png,x"><script src="blob:x"></script><img src="http://["><img src>'),
      [],
    );
  });

  it('is told apart by what it can do', () => {
    const html = `<link rel="Preload" as=script href=/p><link rel="alternate stylesheet" href=/a><link rel=icon href=/i>
      <link rel=manifest href=/m><link rel=canonical href=/no><embed src=/e><video src=/v poster=/w><input type=image src=/x>`;
    assert.deepEqual(
      loadsIn(html).map((load) => load.replace('https://site.example', '')),
      ['script /p', 'style /a', 'image /i', 'other /m', 'object /e', 'media /v', 'image /w', 'image /x'],
    );
  });
});
