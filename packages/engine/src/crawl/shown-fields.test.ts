import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftOf } from './draft.ts';
import type { Method } from './inventory.ts';
import { createShown } from './shown-fields.ts';

const URL_OF_ALL = 'https://shop.test/api/Reviews/';
const answerOf = (json: unknown) => ({ status: 200, contentType: 'application/json', text: JSON.stringify(json) });

function fill(method: Method, url: string, json?: unknown) {
  const shown = createShown();
  shown.learn(
    URL_OF_ALL,
    answerOf({ status: 'ok', data: [{ id: 7, text: 'Good', stars: 4, createdAt: '2026', author: { id: 1 } }] }),
  );
  const draft = draftOf({ method, url, source: 'script', ...(json !== undefined && { json }) });
  assert.ok(draft);
  return shown.fillBody(draft);
}

describe('what is written, where nothing says it', () => {
  it('is what the list of such things shows of the first one, without what servers write themselves', () => {
    assert.equal(fill('POST', 'https://shop.test/api/Reviews').body?.text, '{"text":"Good","stars":4}');
    const { body, parameters } = fill('PUT', 'https://shop.test/api/Reviews/{id}');
    assert.equal(body?.text, '{"text":"Good","stars":4}');
    assert.deepEqual(
      parameters.map(({ location, name }) => `${location} ${name}`),
      ['path 2', 'json /text', 'json /stars'],
    );
  });

  it('stays as it was said, and is nothing for what was not shown', () => {
    assert.equal(fill('POST', 'https://shop.test/api/Reviews', { a: 1 }).body?.text, '{"a":1}');
    assert.equal(fill('POST', 'https://shop.test/api/Carts').body, undefined);
    assert.equal(fill('GET', 'https://shop.test/api/Reviews').body, undefined);
  });

  it('is learnt from nothing but answers in JSON that have something to show', () => {
    const shown = createShown();
    shown.learn(URL_OF_ALL, { ...answerOf({ text: 'x' }), status: 404 });
    shown.learn(URL_OF_ALL, { ...answerOf({ text: 'x' }), contentType: 'text/html' });
    shown.learn(URL_OF_ALL, { ...answerOf([]), text: '[' });
    shown.learn(URL_OF_ALL, answerOf({ data: [] }));
    const draft = draftOf({ method: 'POST', url: URL_OF_ALL, source: 'script' });
    assert.ok(draft);
    assert.equal(shown.fillBody(draft).body, undefined);
  });
});
