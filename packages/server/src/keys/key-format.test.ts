import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { environments } from '../config/variables.ts';
import { createKeyText, hashSecret, parseKeyText } from './key-format.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The checksum was computed with Python's zlib. */
const EXAMPLE = 'srt_live_0123456789AB_0123456789ABCDEFGHIJKLMNOPQRSTUV3qNuK1';

const keys = fc.constantFrom(...environments).map((environment) => createKeyText(environment));

describe('an API key as text', () => {
  it('is srt, environment, id, secret and checksum', () => {
    for (const environment of environments) {
      const { id, secret, text } = createKeyText(environment);
      assert.match(text, new RegExp(`^srt_${environment}_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$`));
      assert.equal(text.slice(0, -6), `srt_${environment}_${id}_${secret}`);
    }
  });

  it('reads back as what it was made of', () => {
    fc.assert(
      fc.property(keys, ({ text, ...parts }) => {
        assert.deepEqual(parseKeyText(text), parts);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps its checksum for good: keys in use must stay valid', () => {
    assert.deepEqual(parseKeyText(EXAMPLE), {
      environment: 'live',
      id: '0123456789AB',
      secret: '0123456789ABCDEFGHIJKLMNOPQRSTUV',
    });
  });

  it('is refused after any change of a single character', () => {
    const { text } = createKeyText('test');
    let changes = 0;
    for (let position = 0; position < text.length; position++) {
      for (const character of `${BASE62}_- \n`) {
        if (character === text[position]) continue;
        const changed = text.slice(0, position) + character + text.slice(position + 1);
        assert.equal(parseKeyText(changed), undefined, changed);
        changes++;
      }
    }
    assert.ok(changes > 3_500);
  });

  it('is refused with two neighbours swapped, a character lost or one added', () => {
    fc.assert(
      fc.property(keys, fc.nat(59), fc.constantFrom(...BASE62), ({ text }, at, extra) => {
        assert.equal(parseKeyText(text.slice(0, at) + text.slice(at + 1)), undefined);
        assert.equal(parseKeyText(text.slice(0, at) + extra + text.slice(at)), undefined);
        const swapped = text.slice(0, at) + (text[at + 1] ?? '') + text[at] + text.slice(at + 2);
        if (swapped !== text) assert.equal(parseKeyText(swapped), undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused when it is junk', () => {
    const { text } = createKeyText('test');
    const junk = ['', 'srt_test_', ` ${text}`, `${text} `, `${text}\n`, `${text}\0`, text.toUpperCase(), text + text];
    for (const one of [...junk, 'a'.repeat(1_000_000)]) assert.equal(parseKeyText(one), undefined);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii', maxLength: 100 }),
        (anything) => parseKeyText(anything) === undefined,
      ),
    );
  });

  it('never repeats, and its secret uses all 62 characters', () => {
    const made = Array.from({ length: 2_000 }, () => createKeyText('test'));
    assert.equal(new Set(made.map(({ id }) => id)).size, made.length);
    assert.equal(new Set(made.flatMap(({ secret }) => [...secret])).size, 62);
  });
});

describe('the hash of a secret', () => {
  it('is its SHA-256', () => {
    assert.equal(hashSecret('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
