import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { readAnswer } from './read-answer.ts';

const URL_OF_PAGE = 'http://shop.test/api/articles/1';

function read(type: string, text: string) {
  const headers: [string, string][] = [['Content-Type', type]];
  const exchange: Exchange = {
    request: { method: 'GET', url: URL_OF_PAGE, purpose: 'test' },
    response: { status: 200, headers, body: Buffer.from(text), isCut: false },
    failure: null,
    remote: null,
    firstByteMs: 1,
    durationMs: 1,
  };
  return readAnswer(exchange, URL_OF_PAGE)?.links;
}

describe('links in texts that scripts render', () => {
  it('are read from Markdown and HTML in JSON, with their words', () => {
    const text = 'See [the teas](/teas?kind=green) and [more](../more "Title"), or <a href="/cakes">cakes</a>.';
    assert.deepEqual(read('application/json', JSON.stringify([{ id: 1, text }])), [
      { url: 'http://shop.test/teas?kind=green', words: 'the teas' },
      { url: 'http://shop.test/api/more', words: 'more' },
      { url: 'http://shop.test/cakes', words: 'cakes' },
    ]);
  });

  it('are not made up from other brackets', () => {
    assert.deepEqual(read('application/json', JSON.stringify({ text: 'list[1] (two) and javascript:[a](b:c)' })), []);
  });
});
