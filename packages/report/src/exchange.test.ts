import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleExchange } from '@sortie/testing/reports/sample-reports.ts';
import { excerpt, type Marked, safeExchange, tellingOf } from './exchange.ts';
import { readRequest, readResponse } from './http-message.ts';

const marksOf = ({ text, spans }: Marked) => spans.map(({ start, end }) => text.slice(start, end));

/** Highlights these parts of the request. */
function requestWith(request: string, ...parts: readonly string[]) {
  const spans = parts.map((part) => ({ start: request.indexOf(part), end: request.indexOf(part) + part.length }));
  const safe = safeExchange(sampleExchange({ request, highlights: { request: spans, response: [] } }));
  return { text: safe.request, spans: safe.highlights.request };
}

describe('what to look at in a masked text', () => {
  it('stays marked behind a secret that is masked and a character that is escaped', () => {
    const request = 'POST https://shop.example.com/login?id=payload\nCookie: sid=Abc123Abc123\n\n\u0007name=second';
    const safe = requestWith(request, 'payload', 'second');
    assert.doesNotMatch(safe.text, /Abc123/);
    assert.deepEqual(marksOf(safe), ['payload', 'second']);
  });

  it('is found without masking the beginning of the text for each of many spans', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `\u0007 payload${index}; ${'token=Abc123 '.repeat(20_000)}`);
    const request = `POST /\n\n${lines.join('\n')}`;
    const started = performance.now();
    const first = safeExchange(sampleExchange({ request, highlights: { request: [], response: [] } }));
    const once = performance.now() - started;
    const safe = requestWith(request, ...lines.map((_, index) => `payload${index};`));
    assert.equal(safe.text, first.request);
    assert.deepEqual(
      marksOf(safe),
      lines.map((_, index) => `payload${index};`),
    );
    // A second pass over the pieces, and not one over the beginning for each span.
    assert.ok(performance.now() - started - once < 5 * once);
  });

  it('is not marked where it is masked', () => {
    const safe = requestWith('GET /\nCookie: sid=Abc123Abc123\n\nbody', 'Abc123', 'body');
    assert.deepEqual(marksOf(safe), ['body']);
  });

  it('drops offsets that are outside of the text, reversed or overlapping', () => {
    const spans = [
      { start: 0, end: 3 },
      { start: 2, end: 5 },
      { start: 9, end: 8 },
      { start: -4, end: 2 },
      { start: 5, end: 5000 },
    ];
    const safe = safeExchange(sampleExchange({ request: 'GET /path', highlights: { request: spans, response: [] } }));
    assert.deepEqual(safe.highlights.request, [{ start: 0, end: 3 }]);
  });
});

describe('an excerpt', () => {
  it('is the whole text if it is short', () => {
    const marked = { text: 'GET /', spans: [{ start: 0, end: 3 }] };
    assert.deepEqual(excerpt(marked, 100), marked);
  });

  it('keeps the beginning and what to look at, and tells how much is left out', () => {
    const text = `200\n${'a'.repeat(5000)}PROOF${'b'.repeat(5000)}`;
    const cut = excerpt({ text, spans: [{ start: 5004, end: 5009 }] }, 1200);
    assert.deepEqual(marksOf(cut), ['PROOF']);
    assert.match(cut.text, /^200\na+\n\[… \d+ characters …\]\na+PROOFb+\n\[… 4750 characters …\]$/);
    assert.ok(cut.text.length < 1300);
  });

  it('leaves out the head of a page, which tells nothing', () => {
    const text = `200\nServer: x\n\n<html><head><style>${'p { } '.repeat(400)}</style></head><body><h1>Order</h1>${'b'.repeat(900)}`;
    assert.match(
      excerpt({ text, spans: [] }, 300).text,
      /^200\nServer: x\n\n\[… \d+ characters …\]\n<body><h1>Order<\/h1>b+\n\[…/,
    );
    const start = text.indexOf('Order');
    const cut = excerpt({ text, spans: [{ start, end: start + 5 }] }, 1200);
    assert.deepEqual(marksOf(cut), ['Order']);
    assert.match(cut.text, /^200\nServer: x\n\n\[… \d+ characters …\]\n/);
  });

  it('keeps to its length, however much there is to look at', () => {
    const spans = Array.from({ length: 20 }, (_, index) => ({ start: index * 1000, end: index * 1000 + 10 }));
    const cut = excerpt({ text: 'x'.repeat(20_000), spans }, 1200);
    assert.ok(cut.text.length < 1400 && cut.spans.length > 0);
    assert.ok(marksOf(cut).every((mark) => mark === 'x'.repeat(10)));
  });
});

it('prefers exchanges with something to look at, in the order sent', () => {
  const control = sampleExchange({ highlights: { request: [], response: [] } });
  const numbers = tellingOf([control, sampleExchange(), control, sampleExchange()], 3).map(({ number }) => number);
  assert.deepEqual(numbers, [1, 2, 4]);
});

it('prefers the decisive exchange, and any other to a control', () => {
  const control = sampleExchange({ isControl: true });
  const unmarked = sampleExchange({ highlights: { request: [], response: [] } });
  const numbersOf = (most: number) =>
    tellingOf([control, sampleExchange(), { ...unmarked, isDecisive: true }, unmarked], most).map(
      ({ number }) => number,
    );
  assert.deepEqual([numbersOf(1), numbersOf(2), numbersOf(3)], [[3], [2, 3], [2, 3, 4]]);
});

describe('the parts of a message', () => {
  it('are method, URL, headers and body, or status, headers and body', () => {
    const exchange = sampleExchange({ request: 'POST https://a.example/\nA: 1\nA: 2\n\na=1\n\nb' });
    assert.deepEqual(readRequest(exchange), {
      method: 'POST',
      url: 'https://a.example/',
      headers: [
        ['A', '1'],
        ['A', '2'],
      ],
      body: 'a=1\n\nb',
    });
    assert.equal(readResponse(exchange)?.status, 500);
  });

  it('are unknown for a request without a response, and for other texts', () => {
    const exchange = sampleExchange({ request: 'something', response: 'No response: it timed out' });
    assert.deepEqual([readRequest(exchange), readResponse(exchange)], [undefined, undefined]);
  });
});
