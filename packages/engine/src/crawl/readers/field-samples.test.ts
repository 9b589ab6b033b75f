import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeTargetOf } from '../effect/write-target.ts';
import { itemOfForm } from './form-item.ts';
import { readPage } from './read-page.ts';
import { sampleAmong, sampleIn } from './sample-values.ts';

const ORDER = '<order><tea>Assam</tea></order>';
const ESCAPED = ORDER.replaceAll('<', '&lt;');

describe('an example for a field', () => {
  for (const text of [
    ORDER,
    `<?xml version="1.0"?>\n${ORDER}`,
    '<order id="7"/>',
    '{"tea": "Assam"}',
    '2+3*4',
    '10 / 2',
    '(1 + 2) * 3',
    "price > 10 && name == 'tea'",
    "name='tea'",
    "//user[@name='ann']/mail",
    '/teas/tea/@kind',
    '(&(uid=ann)(mail=*))',
    'ls -l',
    'ping 127.0.0.1',
  ])
    it(`may be ${text}`, () => assert.equal(sampleIn(text), text));

  it('is taken without what introduces it', () => {
    assert.equal(sampleIn('e.g. 2 + 3'), '2 + 3');
    assert.equal(sampleIn(` Example: ${ORDER}`), ORDER);
  });

  it('names no document type, which could make the target request a URL', () => {
    assert.equal(sampleIn(`<!DOCTYPE order SYSTEM "http://else.test/a.dtd">${ORDER}`), ORDER);
    assert.equal(sampleIn('<!DOCTYPE a [<!ENTITY b SYSTEM "http://else.test/">]><a>&b;</a>'), undefined);
  });

  for (const text of [
    '',
    'Search',
    'date of birth',
    'id',
    'hostname',
    '2026-01-31',
    '01/31/2026',
    '+49 30 1234567',
    '555-0100',
    'page=1',
    'cat food',
    '<b>bold</b>',
    '<your name>',
    '/etc/hosts',
    '{name}',
    'ping 127.0.0.1; reboot',
    'rm -rf /',
  ])
    it(`is not ${text || 'empty'}`, () => assert.equal(sampleIn(text), undefined));
});

describe('a form whose page shows an example', () => {
  const valuesOf = (html: string) => {
    const [form] = readPage(html, 'https://shop.test/import').forms;
    return itemOfForm(form ?? assert.fail(), null).parameters.map(({ value }) => value);
  };
  const button = '<button>Run</button>';

  it('is sent with the placeholder of the field', () => {
    assert.deepEqual(
      valuesOf(`<form><textarea name="doc" placeholder="${ESCAPED}"></textarea><input name="tea"></form>`),
      [ORDER, 'test'],
    );
    assert.deepEqual(valuesOf('<form><input name="formula" placeholder="e.g. 3*4"></form>'), ['3*4']);
  });

  it('is sent with its own value if it has one', () => {
    assert.deepEqual(valuesOf('<form><input name="formula" value="1" placeholder="3*4"></form>'), ['1']);
    assert.deepEqual(valuesOf('<form><input name="born" type="date" placeholder="3*4"></form>'), ['2026-01-01']);
  });

  it('is sent with the code block in it or beside it', () => {
    const field = `<textarea name="doc"></textarea>${button}`;
    for (const html of [
      `<form>${field}<pre>${ESCAPED}</pre></form>`,
      `<p>Such as <code>${ESCAPED}</code></p><form>${field}</form>`,
      `<div><form>${field}</form></div><pre><span>&lt;order></span><span>&lt;tea>Assam&lt;/tea>&lt;/order></span></pre>`,
    ])
      assert.deepEqual(valuesOf(html), [ORDER], html);
  });

  it('is not sent with the examples of another form or of a documentation', () => {
    const field = '<input name="q" type="search">';
    const block = `<pre>${ESCAPED}</pre>`;
    for (const html of [
      `<form>${field}</form>${block}`,
      `<form><input name="a"><input name="b"></form>${block}`,
      `<form><textarea name="a"></textarea></form><form></form>${block}`,
      `<form><textarea name="a"></textarea></form><div>${block.repeat(5)}</div>`,
    ])
      assert.ok(!valuesOf(html).includes(ORDER), html);
  });

  describe('that names a thing', () => {
    const things = [
      '{"id": 1, "role": "user"}',
      '[{"orderId": 7}]',
      '{"colour": "red", "to": "ann@shop.test"}',
      '{"name": "a", "place": "/etc/hosts"}',
      '{"tea": {"password": "x"}}',
      '<user><id>1</id></user>',
      '<tea uuid="4"/>',
      '<s:user xmlns:s="urn:s"><s:name>Ann</s:name></s:user>',
      "userId == 1 && name == 'tea'",
      '(&(uid=ann)(mail=*))',
    ];
    const formOf = (how: string, field: string, words: string) =>
      valuesOf(`<form ${how}>${field}<button>${words}</button></form>`);
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

    for (const text of things)
      it(`is not sent with ${text} if it may write`, () => {
        const area = `<textarea name="doc" placeholder="${escaped(text)}"></textarea>`;
        assert.deepEqual(formOf('method="post"', area, 'Save'), ['test']);
        assert.deepEqual(
          formOf('method="post"', `<textarea name="doc"></textarea><pre>${escaped(text)}</pre>`, 'Save'),
          ['test'],
        );
        assert.deepEqual(formOf('action="/update"', area, 'Save'), ['test']);
        assert.equal(sampleAmong(['', text]), undefined);
      });

    it('is sent with it if it only reads or computes', () => {
      const [text = ''] = things;
      const input = `<input name="expression" placeholder="${escaped(text)}">`;
      assert.deepEqual(formOf('action="/teas"', input, 'Search'), [text]);
      assert.deepEqual(formOf('method="post" action="/calculator"', input, 'Calculate'), [text]);
    });

    it('may be submitted with it if it computes', () => {
      const field = `<input name="expression" placeholder="${escaped(things[0] ?? '')}">`;
      const html = `<form method="post" action="/calculator">${field}<button>Calculate</button></form>`;
      const [form] = readPage(html, 'https://shop.test/calculator').forms;
      assert.equal(writeTargetOf(itemOfForm(form ?? assert.fail(), null)), 'new');
    });
  });
});
