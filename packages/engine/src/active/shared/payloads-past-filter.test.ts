import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { payloadsPastFilter } from './payloads-past-filter.ts';

const WORD = 's0123456789ab';
const LIMITS = { probes: 18, payloads: 6 };
type Show = (value: string) => string | undefined;
const inText = (value: string) => `<p>For ${value} we have nothing</p>`;
const inField = (value: string) => `<input value="${value}">`;
const refusing =
  (odd: RegExp): Show =>
  (value) =>
    odd.test(value) ? undefined : value;
const decoded = (value: string) => value.replace(/%[0-9a-f]{2}/gi, (code) => decodeURIComponent(code));

async function past(show: Show, page: (value: string) => string = inText) {
  let looks = 0;
  const look = async (value: string) => {
    looks++;
    const shown = show(value);
    return shown === undefined ? '<p>Blocked</p>' : page(shown);
  };
  const payloads = await payloadsPastFilter(look, WORD, LIMITS);
  assert.ok(looks <= LIMITS.probes + LIMITS.payloads);
  return { payloads, looks, texts: payloads.map(({ text }) => text) };
}

describe('payloads past a filter', () => {
  const cases: Record<string, [show: Show, first: string | RegExp, page?: (value: string) => string]> = {
    'that removes a tag once': [(value) => value.replace(/<script>|on\w+=/gi, ''), '<<script>script>CALL</script>'],
    'that removes words once': [
      (value) => value.replace(/script|onerror|onload|<img|<svg/gi, ''),
      /^<sscriptcript>CALL|^<details\/open\/ontoggle=CALL>$/,
    ],
    'that refuses the usual case': [refusing(/script|onerror|onload|ontoggle|onfocus|javascript/), /^<sCrIpT>CALL/],
    'that refuses brackets': [refusing(/[()]/), '<script>CALL</script>'],
    'that refuses scripts and handlers of images': [refusing(/script|<img|onerror/i), '<svg/onload=CALL>'],
    'that removes what closes a tag': [(value) => value.replaceAll('>', ''), '<img/src/onerror=CALL//'],
    'that refuses slashes and scripts': [refusing(/script|\//i), '<img src onerror=CALL>'],
    'that is in front of another decoding': [(value) => (/[<>"']/.test(value) ? undefined : decoded(value)), /^%3c%73/],
    'that is in front of a normalisation': [
      (value) => (/[<>"']/.test(value) ? undefined : value.normalize('NFKC')),
      /^\uff1c\uff53/,
    ],
    'that removes brackets of tags in a field': [
      (value) => value.replace(/[<> ]/g, ''),
      'z"/autofocus/tabindex="0"/onfocus="CALL"/z="',
      inField,
    ],
  };
  for (const [name, [show, first, page]] of Object.entries(cases)) {
    it(`are found behind one ${name}`, async () => {
      const { texts } = await past(show, page);
      if (typeof first === 'string') assert.equal(texts[0], first);
      else assert.match(texts[0] ?? '', first);
    });
  }

  it('have no brackets where they are refused', async () => {
    const { payloads } = await past(refusing(/[()]/));
    assert.deepEqual(
      payloads.map(({ call }) => call),
      ['template', 'references'],
    );
  });

  it('are not sent where every sign of markup is escaped, after one look', async () => {
    const escaped = (value: string) => value.replace(/[<>"'&`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    assert.deepEqual(await past(escaped), { payloads: [], texts: [], looks: 1 });
  });

  it('are not sent where only words pass', async () => {
    const { payloads, looks } = await past(refusing(/[^\w ]/));
    assert.deepEqual(payloads, []);
    assert.ok(looks <= LIMITS.probes);
  });
});
