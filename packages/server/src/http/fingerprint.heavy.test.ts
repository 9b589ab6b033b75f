import assert from 'node:assert/strict';
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import fc from 'fast-check';
import { fingerprint } from './fingerprint.ts';
import { parseStrictJson } from './strict-json.ts';

const key = createSecretKey(randomBytes(32));
const of = (body: unknown) => fingerprint(key, 'POST', '/v1/pentests', body).toString('hex');
const ofText = (text: string) => of(parseStrictJson(Buffer.from(text)));
const same = (left: string, right: string) => assert.equal(ofText(left), ofText(right));
const different = (left: string, right: string) => assert.notEqual(ofText(left), ofText(right));

/** Returns the same value as another client might send it: members reversed, everything escaped, spaces everywhere. */
function spellDifferently(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(spellDifferently).join(' ,\n')} ]`;
  if (typeof value === 'string') {
    const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, '0'));
    return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).reverse();
    return `{\t${members.map(([name, member]) => `${spellDifferently(name)} : ${spellDifferently(member)}`).join(' , ')}\r\n}`;
  }
  return JSON.stringify(value);
}

/**
 * No backslashes: once V8 has seen a member name that begins with one, it misreads other names that are written with
 * escapes (https://github.com/nodejs/node/issues/63785).
 */
const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((unit) => !/[\\\0]/.test(unit));

/** All other bodies that pass the strict parser, as they arrive: for example without negative zero. */
const bodies = fc
  .jsonValue({ maxDepth: 5, stringUnit: fc.oneof(character, fc.constantFrom(...'"/ \nabc')) })
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

describe('the fingerprint of a request', () => {
  it('does not depend on the order of members, spaces or escapes', () => {
    same('{"targetUrl":"https://a.example/","depth":"LEAD"}', '{"depth":"LEAD","targetUrl":"https://a.example/"}');
    same('{"a":{"b":1,"c":[{"d":1,"e":2}]}}', '{"a":{"c":[{"e":2,"d":1}],"b":1}}');
    same('{"a":[1,2]}', ' {\n\t"a" : [ 1 , 2 ]\r\n} ');
    same('{"pass":"é/😀"}', '{"\\u0070ass":"\\u00e9\\/\\uD83D\\ude00"}');
  });

  it('depends on every value, and on the order of a list', () => {
    different('{"depth":"LEAD"}', '{"depth":"STANDARD"}');
    different('{"depth":"LEAD"}', '{"depth":"lead"}');
    different('{"a":[1,2]}', '{"a":[2,1]}');
    different('{"a":1}', '{"a":"1"}');
    different('{"a":null}', '{"a":false}');
    different('{"a":[]}', '{"a":{}}');
    different('{"a":" "}', '{"a":""}');
  });

  it('tells a value left out from its default, and from null', () => {
    different('{}', '{"depth":"LEAD"}');
    different('{}', '{"depth":null}');
    different('{}', '{"credentials":[]}');
  });

  it('compares numbers by value', () => {
    same('[1]', '[1.0]');
    same('[1]', '[1e0]');
    same('[100]', '[1E2]');
    same('[0]', '[-0]');
    same('[0.000001]', '[1e-6]');
    different('[1]', '[1.0000000000000002]');
  });

  it('compares text by its characters, not by its look', () => {
    different('["\\u00e9"]', '["e\\u0301"]');
  });

  it('is the HMAC-SHA-256 of method, path and the form of RFC 8785, whose members are sorted by UTF-16 code units', () => {
    const body = '{"\\ufb33":1.50,"\\ud83d\\ude02":[true, null],"1":3e0,"\\r":"\\u20ac\\u000f\\/"}';
    const canonical = '["POST","/v1/pentests",{"\\r":"€\\u000f/","1":3,"😂":[true,null],"\ufb33":1.5}]';
    assert.equal(ofText(body), createHmac('sha256', key).update(canonical).digest('hex'));
    same('{"\\ufb33":1,"\\ud83d\\ude02":2,"1":3,"\\r":4}', '{"\\r":4,"1":3,"\\ud83d\\ude02":2,"\\ufb33":1}');
  });

  it('depends on the method, the path and the key, and cannot be shifted between them', () => {
    const other = createSecretKey(randomBytes(32));
    const all = [
      fingerprint(key, 'POST', '/v1/pentests', {}),
      fingerprint(key, 'POST', '/v1/scans', {}),
      fingerprint(key, 'PUT', '/v1/pentests', {}),
      fingerprint(other, 'POST', '/v1/pentests', {}),
      fingerprint(key, 'POST/', 'v1/pentests', {}),
      fingerprint(key, 'POST', '/v1/pentests{}', ''),
      fingerprint(key, 'POST', '/v1/pentests","{}', ''),
      fingerprint(key, 'POST', '/v1/pentests', '{}'),
      fingerprint(key, 'POST', '/v1/pentests', [{}]),
      fingerprint(key, 'POST', '/v1/pentests', null),
      fingerprint(key, 'POST', '/v1/pentests', undefined),
    ];
    assert.equal(new Set(all.map((one) => one.toString('hex'))).size, all.length);
    for (const one of all) assert.equal(one.length, 32);
  });

  it('is the same however a body is spelled', () => {
    fc.assert(
      fc.property(bodies, (body) => same(JSON.stringify(body), spellDifferently(body))),
      { numRuns: isFull ? 1_000 : 200 },
    );
  });

  it('is the same for two bodies exactly when they are equal as JSON', () => {
    const isEqual = (left: unknown, right: unknown) => {
      try {
        assert.deepStrictEqual(left, right);
        return true;
      } catch {
        return false;
      }
    };
    const related = fc.oneof(
      fc.tuple(bodies, bodies),
      bodies.map((body) => [body, { body }] as const),
      bodies.map((body) => [body, [body]] as const),
      fc.tuple(fc.array(bodies), fc.array(bodies)).map(([left, right]) => [left, [...left, ...right]] as const),
    );
    fc.assert(
      fc.property(related, ([left, right]) => assert.equal(of(left) === of(right), isEqual(left, right))),
      { numRuns: isFull ? 1_000 : 200 },
    );
  });
});
