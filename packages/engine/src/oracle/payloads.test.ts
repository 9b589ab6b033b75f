import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { oddValue, payloadsFor, withPathPayloads } from './payloads.ts';

const WORD = 's0123456789ab';
const texts = (page: (value: string) => string, encode = (value: string) => value) =>
  payloadsFor(page(encode(oddValue(WORD))), WORD).map(({ text }) => text);
const MARKUP = '<img/src/onerror=CALL>';
const both = (end = '') => [end + MARKUP, `${end}<details/open/ontoggle=CALL>`];
const entities = (value: string) =>
  value.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

describe('what is tried where a page shows a value', () => {
  const cases: Record<
    string,
    [page: (value: string) => string, expected: string[], encode?: (value: string) => string]
  > = {
    'in its text': [(value) => `<p>For ${value}</p>`, both()],
    'in its text, escaped': [(value) => `<p>For ${value}</p>`, [], entities],
    'in a title': [(value) => `<title>${value}</title>`, both('</title>')],
    'in a style': [(value) => `<style>a{color:${value}}</style>`, both('</style>')],
    'in a comment': [(value) => `<!-- ${value} --><p>`, both('-->')],
    'in double quotes': [
      (value) => `<input value="${value}">`,
      [`">${MARKUP}`, 'z" autofocus tabindex=0 onfocus=CALL z="'],
    ],
    'in double quotes, without markup': [
      (value) => `<input value="${value}">`,
      ['z" autofocus tabindex=0 onfocus=CALL z="'],
      (value) => value.replace(/[<>]/g, ''),
    ],
    'in double quotes that are escaped': [
      (value) => `<input value="${value}">`,
      [],
      (value) => value.replaceAll('"', '&quot;'),
    ],
    'in single quotes': [
      (value) => `<input value='${value}'>`,
      ["z' autofocus tabindex=0 onfocus=CALL z='"],
      (value) => value.replace(/[<>"]/g, ''),
    ],
    'without quotes': [
      (value) => `<input value=${value}>`,
      ['z autofocus tabindex=0 onfocus=CALL z='],
      (value) => value.replace(/[<>"']/g, ''),
    ],
    'as an address': [(value) => `<a href="${value}">x</a>`, ['javascript:CALL//'], entities],
    'as the end of an address': [(value) => `<a href="/to?${value}">x</a>`, [], entities],
    'as the address of a script': [
      (value) => `<script src="${value}"></script>`,
      ['data:text/javascript,CALL//'],
      entities,
    ],
    'in a string of a script': [
      (value) => `<script>var a = 1, b = '${value}';</script>`,
      ["'-CALL-'"],
      (value) => value.replaceAll('<', ''),
    ],
    'in a string with a backslash before quotes': [
      (value) => `<script>var b = "${value}";</script>`,
      ['\\"-CALL//'],
      (value) => value.replaceAll('<', '').replace(/["']/g, '\\$&'),
    ],
    'in a template of a script': [(value) => `<script>var b = \`${value}\`;</script>`, [`\${CALL}`], entities],
    'in the code of a script': [(value) => `<script>var b = ${value};</script>`, ['CALL'], entities],
    'in a comment of a script': [(value) => `<script>// ${value}\nf()</script>`, ['\nCALL//'], entities],
    'in data for a script': [(value) => `<script type="application/json">{"a":"${value}"}</script>`, both('</script>')],
    'in a handler, where escaping for HTML does not help': [
      (value) => `<a onclick="f('${value}')">x</a>`,
      ["'-CALL-'"],
      entities,
    ],
    'in a page of a frame': [(value) => `<iframe srcdoc="<p>${value}</p>"></iframe>`, [MARKUP], entities],
    twice: [(value) => `<p>${value}</p><p>${value}</p><title>${entities(value)}</title>`, both()],
    nowhere: [() => '<p>Nothing</p>', []],
  };
  for (const [where, [page, expected, encode]] of Object.entries(cases)) {
    it(where, () => {
      assert.deepEqual(texts(page, encode), expected);
    });
  }
});

describe('payloads for a path', () => {
  it('follow those that contain markup, with fewer slashes', () => {
    const given = [{ text: `</title>${MARKUP}` }, { text: "'-CALL-'" }, { text: MARKUP, isPressed: true }];
    assert.deepEqual(withPathPayloads(given), [
      { text: `</title>${MARKUP}` },
      { text: '</title><svg/onload=CALL>', isPath: true },
      { text: "'-CALL-'" },
      { text: MARKUP, isPressed: true },
      { text: '<svg/onload=CALL>', isPressed: true, isPath: true },
    ]);
  });
});
