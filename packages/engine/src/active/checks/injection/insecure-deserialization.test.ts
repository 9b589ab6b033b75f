import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { PointCheck } from '../../define-active-check.ts';
import type { LabAnswer, PointLab } from '../../lab.ts';
import { unserializePhp } from '../../labs/php.ts';
import { readSerialized } from '../../shared/serialized.ts';
import check from './insecure-deserialization.ts';

type Read = (value: string) => LabAnswer;
const html = (body: string): LabAnswer => ({ headers: { 'content-type': 'text/html' }, body: `<p>${body}</p>` });
const fromBase64 = (value: string) => Buffer.from(value, 'base64').toString('latin1');
const toBase64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

/** As node-serialize restores a text with its mark. */
const restored = (text: string) =>
  text.replace(/^_\$\$ND_FUNC\$\$_function\(\)\{return (\d+)\*(\d+)\}\(\)$/, (_, a, b) => String(a * b));
const nameIn = (text: string, read = (name: string) => name) => {
  try {
    return html(read(String(JSON.parse(text).name)));
  } catch {
    return html('Nobody');
  }
};
/** As the machine of pickle runs a call. */
const unpickled = (text: string) => {
  const [, a, b] = /^coperator\nmul\n\(I(\d+)\nI(\d+)\ntR\.$/.exec(text) ?? [];
  const [, plain] = /^S'(.*)'\n\.$/.exec(text) ?? [];
  return html(a ? String(Number(a) * Number(b)) : (plain ?? 'Something else'));
};
const loaded = (text: string) =>
  html(text.replace(/!!python\/object\/apply:operator\.mul \[(\d+), (\d+)\]/, (_, a, b) => String(a * b)));

const pickled = '\x80\x04\x95\x07\x00\x00\x00\x00\x00\x00\x00\x8c\x03tea\x94.';
const array = 'a:1:{i:0;s:3:"tea";}';
const phpPage: Read = (value) => {
  const read = unserializePhp(value);
  return Array.isArray(read) ? html(read.map(String).join()) : html('Nothing');
};

const cases: Record<string, { value: string; read: Read; expected?: 'CONFIRMED' | 'FIRM' }> = {
  'node-serialize, in Base64': {
    value: toBase64('{"name":"Ali"}'),
    read: (value) => nameIn(fromBase64(value), restored),
    expected: 'CONFIRMED',
  },
  'pickle, in Base64': {
    value: toBase64(pickled),
    read: (value) => unpickled(fromBase64(value)),
    expected: 'CONFIRMED',
  },
  'pickle, in hexadecimal digits': {
    value: Buffer.from(pickled, 'latin1').toString('hex'),
    read: (value) => unpickled(Buffer.from(value, 'hex').toString('latin1')),
    expected: 'CONFIRMED',
  },
  'YAML with Python objects': { value: 'name: tea\nprice: 7', read: loaded, expected: 'CONFIRMED' },
  'PHP, in Base64': { value: toBase64(array), read: (value) => phpPage(fromBase64(value)), expected: 'CONFIRMED' },
  'PHP without classes, or without a place that shows them': {
    value: array,
    read: (value) => html(phpPage(value).body === '<p>Nothing</p>' ? 'Nothing' : 'Your card'),
    expected: 'FIRM',
  },
  'JSON in Base64': { value: toBase64('{"name":"Ali"}'), read: (value) => nameIn(fromBase64(value)) },
  'YAML without objects': { value: 'name: tea\nprice: 7', read: html },
  'a value that is compared as it is': { value: array, read: (value) => html(value === array ? 'tea' : 'Nothing') },
  'a value that the page shows': { value: array, read: (value) => html(value.replaceAll('<', '&lt;')) },
};

describe('insecure deserialization', () => {
  const named = Object.entries(cases).map(([name, { value, read, expected }], index) => {
    const lab = (): PointLab => ({ parameter: 'card', value, vulnerable: read, safe: read });
    return { name, expected, check: { ...(check as PointCheck), id: `case-${index}`, lab } };
  });
  let labs: Awaited<ReturnType<typeof openLabs>>;
  before(async () => {
    labs = await openLabs(named.map((each) => each.check));
  });
  after(() => labs.close());

  for (const { name, expected, check: one } of named) {
    it(`is ${expected ?? 'not found'}: ${name}`, async () => {
      const { verified } = await labs.test(one, 'vulnerable');
      assert.equal(verified?.confidence, expected);
    });
  }

  it('is not sought in plain values', () => {
    for (const value of [
      'tea',
      '{"a":1}',
      'a:b',
      'Monday',
      '1234567890123456',
      'https://shop.test/a',
      'green: yes?'.repeat(3),
    ])
      assert.notEqual(readSerialized(value)?.format, 'php', value);
    for (const value of ['tea', '{"a":1}', 'dGVhLCBncmVlbg==', 'c0ffee00c0ffee00'])
      assert.equal(readSerialized(value), undefined);
  });
});
