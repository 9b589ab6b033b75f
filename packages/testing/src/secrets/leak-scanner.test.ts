import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { createCanary, findLeaks } from './leak-scanner.ts';

const formsFound = (searched: string | Uint8Array, secret: string) =>
  findLeaks(searched, { secret }).map(({ form }) => form);

describe('the leak scanner', () => {
  const secret = createCanary();
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');

  const leaks: Record<string, string | Uint8Array> = {
    plain: `password is ${secret}!`,
    'plain in bytes': Buffer.concat([randomBytes(100), bytes, randomBytes(100)]),
    hex,
    'upper-case hex': hex.toUpperCase(),
    bytea: `\\x00${hex}ff`,
    'inspected buffer': inspect(bytes),
    'printed buffer': JSON.stringify(bytes),
    URL: `https://example.com/?pass=${encodeURIComponent(secret)}`,
    form: new URLSearchParams({ pass: secret }).toString(),
    'lower-case URL': encodeURIComponent(secret).toLowerCase(),
    'every character percent-encoded': hex.replace(/../g, '%$&'),
    HTML: `<b>${secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}</b>`,
    'HTML entities': [...secret].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
    JSON: JSON.stringify({ pass: secret }),
    'JSON in JSON': JSON.stringify({ body: JSON.stringify({ pass: secret }) }),
    'UTF-16': Buffer.from(`pass ${secret}`, 'utf16le'),
  };
  for (const [name, text] of Object.entries(leaks)) {
    it(`finds a secret written as ${name}`, () => assert.notDeepEqual(formsFound(text, secret), []));
  }

  it('finds a secret anywhere in text that was encoded as a whole', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
        const whole = Buffer.concat([before, bytes, after]);
        for (const encoding of ['base64', 'base64url', 'hex'] as const) {
          assert.notDeepEqual(formsFound(whole.toString(encoding), secret), [], encoding);
        }
      }),
    );
  });

  it('finds it in each of the three places it can have in base64', () => {
    const found = ['', 'x', 'xy'].map((before) => formsFound(Buffer.from(before + secret).toString('base64'), secret));
    for (const [offset, forms] of found.entries()) assert.ok(forms.includes(`base64+${offset}`), `${offset}: ${forms}`);
  });

  it('finds no secret where there is none', () => {
    assert.deepEqual(formsFound(randomBytes(2_000_000), secret), []);
    for (const text of Object.values(leaks)) assert.deepEqual(formsFound(text, createCanary()), []);
  });

  it('says which secret leaked, how, and where', () => {
    const canaries = { user: createCanary('url'), pass: createCanary('url') };
    assert.deepEqual(
      findLeaks(`12345${canaries.pass}`, canaries).filter(({ form }) => form === 'plain'),
      [{ canary: 'pass', form: 'plain', at: 5 }],
    );
  });

  it('refuses a secret too short to be told from noise', () => {
    assert.throws(() => findLeaks('', { short: 'hunter2' }), RangeError);
  });
});
