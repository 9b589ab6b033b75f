import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Browser, openBrowser } from '../../browser/browser.ts';
import { type Payload, pressing, writePayload } from '../../oracle/payloads.ts';
import { payloadsPastFilter } from './payloads-past-filter.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
});
after(() => browser.close());

const WORD = 's0123456789ab';
type Change = (value: string) => string;
const BLOCKED = '';
const refusing =
  (odd: RegExp): Change =>
  (value) =>
    odd.test(value) ? BLOCKED : value;
const without =
  (odd: RegExp): Change =>
  (value) =>
    value.replace(odd, '');
const decoded = (value: string) => value.replace(/%[0-9a-f]{2}/gi, (code) => decodeURIComponent(code));

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

const inText: Change = (value) => `<p>For ${value} we have <b>nothing</b></p>`;
const inField: Change = (value) => `<p>Found</p><input value="${value}">`;
const inProgram: Change = (value) => `<script>var a = '${value}';</script>`;
const inLink: Change = (value) => `<a href="${value.replaceAll('"', '&quot;')}">x</a>`;

describe('a payload that passes a filter runs in the browser', () => {
  const cases: Record<string, [filter: Change, page: Change]> = {
    'within itself': [without(/<script>|on\w+=/gi), inText],
    'in mixed case': [refusing(/script|onerror|onload|ontoggle|onfocus/), inText],
    'without brackets': [refusing(/[()]/), inText],
    'without brackets and scripts': [refusing(/[()]|script/i), inText],
    'without the end of the tag': [without(/>/g), inText],
    'without slashes': [refusing(/\/|script/i), inText],
    'as a vector image': [refusing(/script|<img|details|onerror/i), inText],
    'as details': [refusing(/script|<img|<svg|onerror/i), inText],
    'as an unknown element': [refusing(/script|<img|<svg|<details/i), inText],
    'as a frame': [refusing(/<script|<img|<svg|<details|<zz|on\w+=/i), inText],
    'as a link': [refusing(/<script|<img|<svg|<details|<zz|<iframe|on\w+=/i), inText],
    'decoded later': [(value) => decoded(refusing(/[<>"']/)(value)), inText],
    'normalised later': [(value) => refusing(/[<>"']/)(value).normalize('NFKC'), inText],
    'in a field without spaces and tags': [without(/[<> ]/g), inField],
    'in a field without handlers of focus': [refusing(/[<>]|onfocus/i), inField],
    'in a program without brackets': [refusing(/[()<>]/), inProgram],
    'as an address with a tab': [refusing(/javascript/i), inLink],
  };
  for (const [how, [filter, page]] of Object.entries(cases)) {
    it(how, async () => {
      const look = async (value: string) => page(filter(value));
      const payloads = await payloadsPastFilter(look, WORD, { probes: 18, payloads: 6 });
      assert.ok(payloads.length > 0);
      for (const payload of payloads) {
        const calls = await callsOf(page(filter(writePayload(payload, WORD))), payload);
        assert.ok(calls.includes(WORD), `${payload.text} ${payload.call ?? ''}`);
      }
    });
  }
});
