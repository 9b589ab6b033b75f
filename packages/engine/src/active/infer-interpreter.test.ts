import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '../http/exchange/exchange.ts';
import type { Point } from './define-active-check.ts';
import { meaningsOf } from './infer-interpreter.ts';
import type { PointRequest } from './insertion-point.ts';

const pointOf = (value: string): Point => {
  const parameter = { location: 'query' as const, name: 'q', value };
  return {
    item: { method: 'GET', url: 'http://shop.test/', parameters: [parameter], seenAs: null, contentType: '' },
    parameter,
  };
};

/** Runs the triage against a target that serves this page, and counts its requests. */
async function lookAt(value: string, page: (value: string | undefined) => string, isThorough: boolean) {
  let asked = 0;
  const ask = async (request: PointRequest): Promise<Exchange> => {
    asked++;
    const body = Buffer.from(page(new URL(request.url).searchParams.get('q') ?? undefined));
    return {
      request: { ...request, purpose: 'test' },
      response: { status: 200, headers: [], body, isCut: false },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
  };
  const base = await ask({ method: 'GET', url: `http://shop.test/?q=${encodeURIComponent(value)}` });
  const meanings = await meaningsOf(pointOf(value), { value, base, isReflected: false, isThorough, ask });
  return { meanings: [...meanings], asked: asked - 1 };
}

const meaningsAt = async (value: string, page: (value: string | undefined) => string) =>
  (await lookAt(value, page, true)).meanings;

const found = (isFound: boolean) => (isFound ? 'Sencha and Gyokuro' : 'nothing');

describe('what reads a value', () => {
  it('is nobody where a value is looked up as it is', async () => {
    const meanings = await meaningsAt('green', (value) => found(value === 'green'));
    assert.deepEqual(meanings, []);
  });

  it('is nobody where anything may stand beside the value', async () => {
    const meanings = await meaningsAt('7', (value) => found(Number.parseInt(value ?? '', 10) === 7));
    assert.deepEqual(meanings, []);
  });

  it('is told by what breaks it where anything may stand beside the value', async () => {
    const isWhole = (value = '') => (value.match(/'/g)?.length ?? 0) % 2 === 0 && !/\|\|$/.test(value);
    const meanings = await meaningsAt('green', (value) => (isWhole(value) ? 'nothing' : 'it went wrong'));
    assert.ok(meanings.includes('sqlText'));
    assert.ok(!meanings.includes('expression'));
  });

  it('is the file system where the path of a file is shown with its content', async () => {
    const { normalize } = process.getBuiltinModule('node:path').posix;
    const meanings = await meaningsAt('terms.txt', (value = '') =>
      normalize(value) === 'terms.txt' ? `The file /srv/${value} says: be kind.` : '',
    );
    assert.deepEqual(meanings, ['folder']);
  });

  it('joins texts as SQL does', async () => {
    const meanings = await meaningsAt('green', (value) => found(value?.replace("'||'", '') === 'green'));
    assert.deepEqual(meanings, ['sqlText']);
  });

  it('joins texts within a value that is an expression itself', async () => {
    const page = (value = '') => found(value.replace("'||'", '') === "kindOf('green')");
    assert.deepEqual(await meaningsAt("kindOf('green')", page), ['sqlText']);
  });

  it('computes', async () => {
    const meanings = await meaningsAt('2*3', (value) => found(value?.replace(/^\((.*)\)$/, '$1') === '2*3'));
    assert.deepEqual(meanings, ['expression']);
  });

  it('is a database where a statement in the place of the value means the same, and then nobody else', async () => {
    const page = (value = '') => found(value.replace(/^\((?:select )?(.*)\)$/, '$1') === '7');
    assert.deepEqual((await lookAt('7', page, false)).meanings, ['sqlExpression']);
    assert.deepEqual(await meaningsAt('7', page), ['expression', 'sqlExpression']);
  });

  it('is told by an equal spelling with another response where the value is compared as text as well', async () => {
    const isSevenInSql = (value: string) => /^(?:\((?:select )?7\)|\(\(7\)\)|7)$/.test(value);
    const page = (value = '') => (value === '7' ? 'Welcome' : found(isSevenInSql(value)));
    assert.deepEqual((await lookAt('7', page, false)).meanings, []);
    assert.deepEqual(await meaningsAt('7', page), ['expression', 'sqlExpression']);
  });

  it('may be a database that refuses the word where there are requests enough', async () => {
    const page = (value = '') => found(value.replaceAll(/^\(+|\)+$/g, '') === '7');
    assert.deepEqual((await lookAt('7', page, false)).meanings, ['expression']);
    assert.deepEqual(await meaningsAt('7', page), ['expression', 'sqlExpression']);
  });

  it('is nobody, in few requests, where whatever follows a value does not matter', async () => {
    const looked = await lookAt('green', (value = '') => found(value.startsWith('green')), false);
    assert.deepEqual(looked, { meanings: [], asked: 4 });
  });

  it('opens a file', async () => {
    const meanings = await meaningsAt('tea.txt', (value) => found(value?.replace(/^\.\//, '') === 'tea.txt'));
    assert.deepEqual(meanings, ['folder']);
  });

  it('writes a file of any name, but not into a folder that is missing', async () => {
    const page = (value = '') => (/^(?:\.\/)?[^/]*$/.test(value) ? 'written' : 'it went wrong');
    assert.deepEqual(await meaningsAt('tea', page), ['newFile']);
    assert.deepEqual((await lookAt('tea', page, false)).meanings, []);
    assert.deepEqual(await meaningsAt('tea', (value) => found(/^(?:\.\/)?tea$/.test(value ?? ''))), ['folder']);
  });

  it('unescapes a character as directories do', async () => {
    const meanings = await meaningsAt('green', (value) => found(value?.replace('\\67', 'g') === 'green'));
    assert.deepEqual(meanings, ['filter']);
  });

  it('takes another name for an operator', async () => {
    const meanings = await meaningsAt('green', (value) => found(value === undefined || value === 'green'));
    assert.deepEqual(meanings, ['operator']);
  });
});
