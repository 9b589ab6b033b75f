import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JsonRefusal, parseStrictJson } from './strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

function refusedField(bytes: string | Buffer): string {
  try {
    parseStrictJson(Buffer.from(bytes));
  } catch (error) {
    assert.ok(error instanceof JsonRefusal);
    return error.field;
  }
  return 'accepted';
}

describe('strict JSON', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('\\u0000') && !text.includes('__proto__'));
        assert.deepEqual(parse(text), JSON.parse(text));
      }),
    );
  });

  it('names the second of two equal members, however it is spelled', () => {
    assert.equal(refusedField('{"a":1,"a":1}'), 'a');
    assert.equal(refusedField('{"a":1,"\\u0061":1}'), 'a');
    assert.equal(refusedField('{"list":[{"x":1},{"x":1,"y":2,"x":3}]}'), 'list[1].x');
    assert.equal(refusedField('[[0,{"a":{"b":1,"b":1}}]]'), '[0][1].a.b');
  });

  it('lets equal names stand in different objects', () => {
    assert.deepEqual(parse('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'), { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }] });
  });

  it('is not confused by brackets, commas and quotes inside strings', () => {
    assert.deepEqual(parse('{"a":"}{][,\\"\\\\","b":"\\\\"}'), { a: '}{][,"\\', b: '\\' });
  });

  it('refuses half of a surrogate pair and NUL, in names and in values', () => {
    assert.equal(refusedField('{"a":"\\ud800"}'), 'a');
    assert.equal(refusedField('{"a":["x","\\u0000"]}'), 'a[1]');
    assert.equal(refusedField('{"\\udc00":1}'), 'body');
    assert.deepEqual(parse('"\\ud83d\\ude00"'), '😀');
  });

  it('takes any text for an id, and replaces what no id contains', () => {
    const parseId = (text: string) => parseStrictJson(Buffer.from(text), ['id']);
    assert.deepEqual(parseId('{"id":"a\\u0000b\\ud800"}'), { id: 'a\ufffdb\ufffd' });
    assert.deepEqual(parseId('{"id":"ver_1\\u007f"}'), { id: 'ver_1\u007f' });
    assert.throws(() => parseId('{"of":{"id":"\\u0000"}}'), JsonRefusal);
    assert.throws(() => parseId('{"id":"","name":"\\u0000"}'), JsonRefusal);
    assert.deepEqual(parseId('[7]'), [7]);
  });

  it('refuses __proto__ as the unknown member that it is', () => {
    assert.equal(refusedField('{"__proto__":{"depth":"DEEP"}}'), '__proto__');
  });

  it('refuses nesting deeper than 32', () => {
    assert.equal(refusedField(`${'['.repeat(32)}${']'.repeat(32)}`), 'accepted');
    assert.equal(refusedField(`${'['.repeat(33)}${']'.repeat(33)}`), 'body');
    assert.equal(refusedField('['.repeat(100_000) + ']'.repeat(100_000)), 'body');
  });

  it('refuses what is not UTF-8, a byte order mark and what is not JSON', () => {
    assert.equal(refusedField(Buffer.from([0x22, 0xff, 0x22])), 'body');
    assert.equal(refusedField(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), 'body');
    assert.equal(refusedField('\ufeff{}'), 'body');
    for (const text of ['', ' ', '{', '{a:1}', "{'a':1}", '[1,]', 'NaN', '01', '{"a":1}x', '"\t"']) {
      assert.equal(refusedField(text), 'body', JSON.stringify(text));
    }
  });

  it('reads a name written with escapes as itself, whatever names other bodies had', () => {
    for (const name of ['\\u006', '\\u0064', 'x\\u0064epth']) {
      assert.deepEqual(parse(JSON.stringify({ targetUrl: 'a', [name]: 1 })), { targetUrl: 'a', [name]: 1 });
      assert.deepEqual(parse('{"targetUrl":"a","\\u0064epth":1}'), { targetUrl: 'a', depth: 1 });
      assert.deepEqual(parse(`{"targetUrl":"a","\\u0064epth"${' '.repeat(200)}:1}`), { targetUrl: 'a', depth: 1 });
    }
  });

  it('names a repeated member whose name needs escapes', () => {
    assert.equal(refusedField('{"list":[{"a\\"b":1,"a\\u0022b":1}]}'), 'list[0].a"b');
  });

  it('takes time in proportion to the size of hostile text', () => {
    for (const unit of ['"\\"', '\\"', '"', '{"\\u0061":', '"\\u0061"   ']) {
      refusedField(unit.repeat(250_000 / unit.length));
    }
  });

  it('never quotes the body in its message', () => {
    assert.throws(
      () => parse('{"pass":"hunter2"'),
      (error: Error) => !error.message.includes('hunter2'),
    );
  });
});
