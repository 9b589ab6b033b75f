import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Method } from '../inventory/inventory.ts';
import { draftOf } from '../requests/draft.ts';
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

  it('has the values that were shown where it was only filled in', () => {
    const { body, parameters } = fill('POST', 'https://shop.test/api/Reviews', {
      stars: 'test',
      text: 'Mine',
      of: 'test',
    });
    assert.equal(body?.text, '{"stars":4,"text":"Mine","of":"test"}');
    assert.equal(parameters.find(({ name }) => name === '/stars')?.type, 'number');
  });

  it('is what is there now, where it is written again', () => {
    const shown = createShown();
    shown.learn('https://shop.test/api/Reviews', answerOf([{ id: 1, text: 'Bad', stars: 1 }]));
    shown.learn('https://shop.test/api/Reviews/7', answerOf({ data: { id: 7, text: 'Good', stars: 4 } }));
    const draft = draftOf({
      method: 'PATCH',
      url: 'https://shop.test/api/Reviews/{id}',
      values: { id: '7' },
      source: 'script',
      json: { stars: 2, by: 'me' },
    });
    assert.ok(draft);
    assert.equal(shown.fillBody(draft).body?.text, '{"stars":4,"by":"me"}');
  });

  it('is looked for where such things are shown, once', () => {
    const shown = createShown();
    const draft = draftOf({ method: 'POST', url: URL_OF_ALL, source: 'script' });
    assert.ok(draft);
    assert.equal(shown.placeFor(draft), 'https://shop.test/api/Reviews');
    shown.learn(URL_OF_ALL, answerOf([{ text: 'Good' }]));
    assert.equal(shown.placeFor(draft), undefined);
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
