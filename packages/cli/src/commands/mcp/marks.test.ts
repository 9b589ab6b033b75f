import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMarks } from './marks.ts';

const asIs = (text: string) => text;

/** Fragments of a prompt injection that tries to break out of the marks. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '⟦',
        '⟧',
        '⟦/untrusted',
        '⟦/untrusted 00000000⟧',
        '\u202e',
        '\u{e0041}',
        '\u001b[2J',
        '\ud800',
        '\ufe0f',
      ),
    ),
  )
  .map((parts) => parts.join(''));

describe('the marks around what a target wrote', () => {
  it('cannot be written by the text between them, whatever it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const marked = createMarks(asIs).untrusted(text);
        const [, number, inside] = /^⟦untrusted ([0-9a-f]{8})⟧([^⟦⟧]*)⟦\/untrusted \1⟧$/.exec(marked) ?? [];
        assert.ok(number !== undefined && inside !== undefined, JSON.stringify(marked));
        assert.doesNotMatch(inside, /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });

  it('are others in each answer', () => {
    assert.notEqual(createMarks(asIs).untrusted('text'), createMarks(asIs).untrusted('text'));
  });

  it('stay where a text was marked, and appear nowhere else', () => {
    const { untrusted, seal } = createMarks(asIs);
    const marked = untrusted('evidence');
    const sealed = seal({
      list: [{ marked, title: 'A ⟦/untrusted⟧ title\nof two\u001b[1m lines' }],
      none: null,
      count: 3,
    });
    const title = 'A [/untrusted] title of two\ufffd[1m lines';
    assert.deepEqual(sealed, { list: [{ marked, title }], none: null, count: 3 });
  });

  it('leave ordinary text as it is, and say how much of a long one is missing', () => {
    const inside = (text: string, limit?: number) => createMarks(asIs).untrusted(text, limit).split(/[⟦⟧]/)[2];
    const request = 'GET /?q=<b>ä 漢字</b>\r\n\tCookie: a=1';
    assert.equal(inside(request), request.replace('\r\n', '\n'));
    assert.equal(inside('x'.repeat(30), 10), `${'x'.repeat(10)} … (20 more characters)`);
    assert.equal(createMarks(asIs).untrusted(null), null);
  });

  it('hide what must not be seen, marked or not', () => {
    const { untrusted, seal, plain } = createMarks((text) => text.replaceAll('srt_key', '[hidden]'));
    assert.doesNotMatch(untrusted('a srt_key b') + seal('srt_key') + plain('srt_key'), /srt_key/);
  });
});
