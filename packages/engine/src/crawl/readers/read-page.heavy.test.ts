import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { readPage } from './read-page.ts';

const PAGE = 'http://shop.test/a/page?x=1';
const urlsOf = (html: string) => readPage(html, PAGE).links.map(({ url }) => url);
const wordsOf = (html: string) => readPage(html, PAGE).links.map(({ words }) => words);
const formOf = (html: string) => readPage(html, PAGE).forms[0];
const fieldsOf = (html: string) => formOf(`<form>${html}</form>`)?.fields.map(({ name, value }) => [name, value]);

describe('the links of a page', () => {
  it('are absolute, without fragments', () => {
    const html = '<a href="b#top">b</a><area href="/c"><iframe src="//other.test/d"></iframe><link href="?y=2">';
    assert.deepEqual(urlsOf(html), [
      'http://shop.test/a/b',
      'http://shop.test/c',
      'http://other.test/d',
      'http://shop.test/a/page?y=2',
    ]);
  });

  it('follow the first base that says where', () => {
    const html = '<base target="_blank"><base href="/base/"><base href="/other/"><a href="b">b</a>';
    assert.deepEqual(urlsOf(html), ['http://shop.test/base/b']);
  });

  it('ignore a base that is no web address', () => {
    assert.deepEqual(urlsOf('<base href="data:text/html,x"><a href="b">b</a>'), ['http://shop.test/a/b']);
  });

  it('are no javascript, mailto, data or tel references, however they are written', () => {
    const odd = [
      'javascript:alert(1)',
      ' JavaScript:x',
      'java\nscript:x',
      'mailto:a@b.test',
      'data:,x',
      'tel:1',
      'http://',
    ];
    assert.deepEqual(urlsOf(odd.map((each) => `<a href="${each}">x</a>`).join('')), []);
  });

  it('include those that scripts of the page follow', () => {
    const html = '<div hx-get="/h"></div><input type="button" data-source-url="../s?id=1"><b data-note="/no"></b>';
    assert.deepEqual(urlsOf(html), ['http://shop.test/h', 'http://shop.test/s?id=1']);
  });

  it('are followed by scripts on a click, which are read unless they speak of danger', () => {
    const html = `<button onclick="location='/a'">Open</button><button onclick="location='/b'">Delete</button>`;
    assert.deepEqual(readPage(html, PAGE).scripts, [{ text: "location='/a'" }]);
  });

  it('include those of buttons, forms and templates', () => {
    const html = '<form action="/f"><button formaction="/g"></button></form><template><a href="/t">t</a></template>';
    assert.deepEqual(urlsOf(html), ['http://shop.test/f', 'http://shop.test/g', 'http://shop.test/t']);
  });

  it('carry what is said of them in titles, labels, pictures and buttons', () => {
    assert.deepEqual(wordsOf('<a href="/1" title="Delete">x</a>'), ['x\nDelete']);
    assert.deepEqual(wordsOf('<a href="/1" aria-label="Log out"></a>'), ['Log out']);
    assert.deepEqual(wordsOf('<a href="/1"><img alt="Remove"></a>'), ['Remove']);
    assert.deepEqual(wordsOf('<input type="submit" formaction="/1" value="Erase">'), ['Erase']);
    assert.deepEqual(wordsOf('<form action="/1"><input type="submit" value="Pay"></form>'), ['Pay']);
  });
});

describe('a form of a page', () => {
  it('without an action, or with an empty one, is sent to the page, wherever the base points', () => {
    assert.equal(formOf('<base href="/base/"><form></form>')?.action, PAGE);
    assert.equal(formOf('<base href="/base/"><form action=""></form>')?.action, PAGE);
    assert.equal(formOf('<base href="/base/"><form action="f"></form>')?.action, 'http://shop.test/base/f');
  });

  it('is sent with GET unless it says POST', () => {
    assert.equal(formOf('<form method="post"></form>')?.method, 'POST');
    for (const method of ['', 'get', 'dialog', 'delete']) {
      assert.equal(formOf(`<form method="${method}"></form>`)?.method, 'GET');
    }
  });

  it('that leads to no web address is none', () => {
    assert.equal(formOf('<form action="javascript:x"></form>'), undefined);
  });

  it('has the values that its fields begin with', () => {
    assert.deepEqual(fieldsOf('<input name="a" value="1"><input name="b"><input value="nameless">'), [
      ['a', '1'],
      ['b', ''],
    ]);
    assert.deepEqual(fieldsOf('<textarea name="t">\n two\n lines</textarea>'), [['t', ' two\n lines']]);
    assert.deepEqual(fieldsOf('<select name="s"><option>  one </option><option value="2">two</option></select>'), [
      ['s', 'one'],
    ]);
    assert.deepEqual(fieldsOf('<select name="s"><option>one<option value="2" selected>two</select>'), [['s', '2']]);
    assert.deepEqual(fieldsOf('<select name="s"></select>'), [['s', '']]);
  });

  it('sends one radio button, no field that is disabled, and says which boxes are not ticked', () => {
    const html = `<input type="radio" name="r" value="1"><input type="radio" name="r" value="2" checked>
      <input name="off" disabled><input type="checkbox" name="c"><input type="checkbox" name="d" checked value="y">`;
    assert.deepEqual(formOf(`<form>${html}</form>`)?.fields, [
      { name: 'r', type: 'radio', value: '2' },
      { name: 'c', type: 'checkbox', value: 'on', isUnticked: true },
      { name: 'd', type: 'checkbox', value: 'y' },
    ]);
  });

  it('is sent by a script where none of its buttons submits it', () => {
    const isScripted = (buttons: string) => formOf(`<form><input name="q">${buttons}</form>`)?.isScripted;
    assert.equal(isScripted('<input type="button" value="Find">'), true);
    assert.equal(isScripted('<button type="button">Find</button>'), true);
    assert.equal(isScripted('<button type="button">Fill in</button><button>Find</button>'), undefined);
    assert.equal(isScripted('<input type="button" value="Fill in"><input type="image">'), undefined);
    assert.equal(isScripted(''), undefined);
  });

  it('has buttons with names, and takes unknown types for text', () => {
    const html =
      '<input type="username" name="u"><button name="go" value="1">Go</button><button type="button" name="b">';
    assert.deepEqual(
      formOf(`<form>${html}</form>`)?.fields.map(({ name, type }) => [name, type]),
      [
        ['u', 'text'],
        ['go', 'submit'],
        ['b', 'button'],
      ],
    );
  });

  it('owns its fields when a table has torn them out of it, or when they name it', () => {
    const torn = '<table><form action="/f" method="post"><tr><td><input name="user"></td></tr></form></table>';
    assert.deepEqual(
      formOf(torn)?.fields.map(({ name }) => name),
      ['user'],
    );
    const named = '<form id="f"></form><input form="f" name="far"><input form="none" name="nobody">';
    assert.deepEqual(
      formOf(named)?.fields.map(({ name }) => name),
      ['far'],
    );
  });

  it('says what its buttons say, whatever they are made of', () => {
    const html = '<form id="drop" class="red"><input type="submit" value="Delete it"><button>Now</button></form>';
    assert.equal(formOf(html)?.words, 'drop\nred\nDelete it\nNow');
  });
});

describe('the text of a page', () => {
  it('is what a reader sees', () => {
    const html =
      '<title>no</title><style>no</style><script>no</script><p>Tea &amp;\n\n cake</p><template>no</template>';
    assert.equal(readPage(html, PAGE).text, 'Tea & cake');
  });

  it('of nothing is nothing', () => {
    const { links, forms, text } = readPage('', PAGE);
    assert.deepEqual({ links, forms, text }, { links: [], forms: [], text: '' });
  });
});

describe('a hostile page', () => {
  const SIZE = isFull ? 2_000_000 : 200_000;
  const fill = (part: string) => part.repeat(Math.ceil(SIZE / part.length));
  const pages: Record<string, string> = {
    'of nested tags': fill('<div>'),
    'of nested formatting': fill('<b><i><font color=1>'),
    'of nested tables': fill('<table><tr><td>'),
    'of nested templates': fill('<template>'),
    'of nested links around a long text': `${'<a href=x><object>'.repeat(240)}${fill('word ')}`,
    'of one tag with countless attributes': `<a ${Array.from({ length: SIZE / 10 }, (_, n) => `a${n}`).join(' ')}>`,
    'of links': fill('<a href=1>x</a>'),
    'of forms': fill('<form><input name=a></form>'),
    'of one form with countless fields': `<form>${fill('<input name=a>')}`,
    'of angle brackets': fill('<'),
    'of comments that do not end': fill('<!--'),
  };
  for (const [name, html] of Object.entries(pages)) {
    it(`${name} is read soon, and what is read of it has bounds`, () => {
      const before = process.threadCpuUsage();
      const { links, forms } = readPage(`<a href="/first">1</a>${html}`, PAGE);
      const { user, system } = process.threadCpuUsage(before);
      // CPU time is independent of other load; quadratic time in the size would take minutes.
      assert.ok(user + system < SIZE * 5);
      assert.equal(links[0]?.url, 'http://shop.test/first');
      assert.ok(links.length <= 5_000);
      assert.ok(forms.length <= 200);
      assert.ok(forms.every(({ fields }) => fields.length <= 200));
      assert.ok(links.every(({ words }) => words.length <= 500));
    });
  }
});
