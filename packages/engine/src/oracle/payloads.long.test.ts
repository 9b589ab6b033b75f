import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, openBrowser } from '../browser/browser.ts';
import { oddValue, type Payload, payloadsFor, pressing, writePayload } from './payloads.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

const WORD = 's0123456789ab';

async function callsOf(page: string, { isPressed }: Payload): Promise<readonly string[]> {
  const aim = { awaited: WORD, ...(isPressed && { look: pressing(WORD) }) };
  const visited = await browser.visit(
    { method: 'GET', url: 'http://site.test/' },
    async (request) => ({
      request: { ...request, purpose: 'test' },
      response: { status: 200, headers: [['Content-Type', 'text/html']], body: Buffer.from(page), isCut: false },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    }),
    aim,
  );
  return visited?.calls ?? [];
}

type Change = (value: string) => string;
const without = (characters: RegExp) => (value: string) => value.replace(characters, '');
const entities: Change = (value) =>
  value.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

describe('what is tried where a page shows a value is run by the browser', () => {
  const cases: Record<string, [page: Change, encode?: Change]> = {
    'in its text': [(value) => `<p>For ${value}</p>`],
    'in a title': [(value) => `<title>${value}</title>`],
    'in a style': [(value) => `<style>a{color:${value}}</style>`],
    'in a comment': [(value) => `<!-- ${value} --><p>`],
    'in double quotes': [(value) => `<input value="${value}">`],
    'in double quotes, without markup': [(value) => `<div title="${value}">x</div>`, without(/[<>]/g)],
    'in single quotes': [(value) => `<input value='${value}'>`, without(/[<>"]/g)],
    'without quotes': [(value) => `<input value=${value}>`, without(/[<>"']/g)],
    'as an address of a link': [(value) => `<a href="${value}">x</a>`, entities],
    'as an address of a form': [(value) => `<form action="${value}"></form>`, entities],
    'as an address of a frame': [(value) => `<iframe src="${value}"></iframe>`, entities],
    'as the address of a script': [(value) => `<script src="${value}"></script>`, entities],
    'in a string of a script': [(value) => `<script>var a = f('${value}'); function f(){}</script>`, without(/</g)],
    'in a string with a backslash before quotes': [
      (value) => `<script>var b = "${value}";</script>`,
      (value) => value.replaceAll('<', '').replace(/["']/g, '\\$&'),
    ],
    'in a template of a script': [(value) => `<script>var b = \`${value}\`;</script>`, entities],
    'in the code of a script': [(value) => `<script>var b = ${value};</script>`, entities],
    'in a comment of a script': [(value) => `<script>// ${value}\nvar a;</script>`, entities],
    'in data for a script': [(value) => `<script type="application/json">{"a":"${value}"}</script>`],
    'in a handler': [(value) => `<a onclick="f('${value}')">x</a><script>function f(){}</script>`, entities],
    'in a page of a frame': [(value) => `<iframe srcdoc="<p>${value}</p>"></iframe>`, entities],
  };
  for (const [where, [page, encode = String]] of Object.entries(cases)) {
    it(where, async () => {
      const [payload] = payloadsFor(page(encode(oddValue(WORD))), WORD);
      assert.ok(payload);
      const calls = await callsOf(page(encode(writePayload(payload, WORD))), payload);
      assert.ok(calls.includes(WORD));
    });
  }
});
