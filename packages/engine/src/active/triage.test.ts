import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Depth } from '@sortie/contract';
import type { Exchange } from '../http/exchange/exchange.ts';
import { createNonce } from '../pentest/testing/verify.ts';
import type { Point } from './define-active-check.ts';
import { createRunMemory } from './run-memory.ts';
import { triage } from './triage.ts';

const parameter = { location: 'query' as const, name: 'q', value: 'tea' };
const point: Point = {
  item: { method: 'GET', url: 'http://shop.test/', parameters: [parameter], seenAs: null, contentType: '' },
  parameter,
};

let points = 0;
/** Returns the value of a request that no other triage has seen. */
const newPoint = (): Point => ({ ...point, item: { ...point.item, url: `http://shop.test/${points++}` } });

/** Runs the triage against a target that serves this page; null means no response. */
async function lookAt(
  page: (value: string, asked: number) => string | null,
  statusOf = (_value: string) => 200,
  memory = createRunMemory(),
  depth: Depth = 'LEAD',
) {
  let asked = 0;
  const ask = async (request: { method: string; url: string }): Promise<Exchange> => {
    const value = new URL(request.url).searchParams.get('q') ?? '';
    const text = page(value, asked++);
    const answer = text !== null && { status: statusOf(value), headers: [], body: Buffer.from(text), isCut: false };
    return {
      request: { ...request, purpose: 'test' },
      response: answer || null,
      failure: answer ? null : { code: 'TIMEOUT', message: 'No response arrived in time.' },
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    };
  };
  const known = { inventory: [], accounts: [], depth };
  return { ...(await triage(newPoint(), createNonce(), { ask, memory, known })), asked };
}

describe('the first look at a value', () => {
  it('takes three requests, and finds nothing where nobody reads the value', async () => {
    assert.deepEqual(await lookAt(() => 'always the same page'), {
      isStable: true,
      isReflected: false,
      isInHeader: false,
      isReactive: false,
      isRead: false,
      isBroken: false,
      outcome: 'page',
      meanings: new Set(),
      asked: 3,
    });
  });

  it('looks for no other interpreter where the error is that of a programming language', async () => {
    const failing = (message: string) => (value: string) =>
      /^\w+$/.test(value) ? 'The order was placed' : `<h1>Error: ${message}</h1>`;
    const statusOf = (value: string) => (/^\w+$/.test(value) ? 200 : 500);
    const program = await lookAt(failing('Line 1: Unexpected token ILLEGAL'), statusOf);
    assert.deepEqual([program.meanings, program.asked], [new Set(['expression', 'addedText']), 4]);
    for (const message of [
      'unexpected token: Z in statement [select * from teas]',
      'unexpected token: z near line 1, column 50',
      'Unexpected token z in JSON at position 0',
      "bash: -c: line 1: syntax error near unexpected token `('",
      'sh: 1: Syntax error: Unterminated quoted string',
      'Wrong value',
    ]) {
      const { meanings, asked } = await lookAt(failing(message), statusOf);
      assert.ok(asked > 4 && !meanings?.has('expression'), message);
    }
  });

  it('takes no number or time of each JSON response for a reaction, and sees what else depends on the value', async () => {
    const order = (value: string, asked: number, more = {}) =>
      JSON.stringify({ note: value, number: `order ${asked}`, due: { at: asked * 1_000 }, ...more });
    const idle = await lookAt((value, asked) => order(value, asked));
    assert.deepEqual([idle.isReactive, idle.isRead, idle.meanings, idle.asked], [false, false, new Set(), 4]);
    const read = await lookAt((value, asked) => order(value, asked, { price: value === 'tea' ? 4 : 5 }));
    assert.deepEqual([read.isRead, read.meanings], [true, undefined]);
    const reactive = await lookAt((value, asked) => order(value, asked, /\W/.test(value) ? { error: 'odd' } : {}));
    assert.deepEqual([reactive.isReactive, reactive.meanings], [true, undefined]);
  });

  it('does not take an echo for a reaction', async () => {
    const { isReflected, isReactive, isRead } = await lookAt((value) => `you asked for ${value} and got nothing`);
    assert.deepEqual({ isReflected, isReactive, isRead }, { isReflected: true, isReactive: false, isRead: false });
  });

  it('sees an echo whose end is cut or replaced', async () => {
    for (const end of ['', 'Z', '...']) {
      const page = (value: string) => `you asked for ${value.slice(0, -1)}${end} and got nothing`;
      const { isReflected, isReactive, isRead, asked } = await lookAt(page);
      assert.deepEqual([isReflected, isReactive, isRead, asked], [true, false, false, 3]);
    }
  });

  it('sees that a known value is looked up', async () => {
    const { isRead, isReactive } = await lookAt((value) => (value === 'tea' ? 'Sencha, Assam, Oolong' : 'not found'));
    assert.deepEqual({ isRead, isReactive }, { isRead: true, isReactive: false });
  });

  describe('where only the original value is answered at all', () => {
    const file = (value: string) => (/^(?:\.\/)?tea$/.test(value) ? 'Sencha' : null);

    it('sees that it is the name of a file', async () => {
      const { isRead, meanings, asked } = await lookAt(file);
      assert.deepEqual({ isRead, meanings, asked }, { isRead: true, meanings: new Set(['folder']), asked: 5 });
    });

    it('sees nothing if the target got slow', async () => {
      const { isRead, asked } = await lookAt((_value, count) => (count === 0 ? 'Sencha' : null));
      assert.deepEqual({ isRead, asked }, { isRead: false, asked: 4 });
    });

    it('looks at three such values of a run only', async () => {
      const memory = createRunMemory();
      const looks = [1, 2, 3, 4].map(() => () => lookAt(file, undefined, memory));
      const asked: number[] = [];
      for (const look of looks) asked.push((await look()).asked);
      assert.deepEqual(asked, [5, 5, 5, 3]);
    });
  });

  it('sees that a value is read where a word alone is not answered', async () => {
    const stuck = (value: string) => (/^s\w+$/.test(value) ? null : 'Sencha, Assam, Oolong');
    assert.equal((await lookAt(stuck)).isRead, true);
    assert.equal((await lookAt((value) => (value.startsWith('s') ? null : 'Sencha'))).isRead, true);
  });

  it('sees that a known value is found, also where the page shows only that', async () => {
    const { isRead } = await lookAt((value) => `Found: ${value === 'tea' ? 'tea' : 'nothing'}`);
    assert.equal(isRead, true);
  });

  it('sees that odd characters break something', async () => {
    const { isReactive } = await lookAt((value) => (value.includes("'") ? 'something went wrong' : 'nothing found'));
    assert.equal(isReactive, true);
  });

  it('also sees that a bracket or a missing folder breaks something, from STANDARD on', async () => {
    for (const odd of ['(', ')', '/']) {
      const page = (value: string) => (value.includes(odd) ? 'something went wrong' : 'nothing found');
      assert.equal((await lookAt(page)).isReactive, false);
      assert.equal((await lookAt(page, undefined, undefined, 'STANDARD')).isReactive, true);
    }
  });

  it('says that odd characters make it fail only where a plain word does not', async () => {
    const page = (value: string) => (value === 'tea' ? 'Sencha' : 'nothing');
    const isBrokenBy = async (fails: RegExp) =>
      (await lookAt(page, (value) => (fails.test(value) ? 500 : 200))).isBroken;
    assert.equal(await isBrokenBy(/'/), true);
    assert.equal(await isBrokenBy(/^(?!tea$)/), false);
    assert.equal(await isBrokenBy(/./), false);
  });

  it('sees that a page is another one each time', async () => {
    const { isStable } = await lookAt((_value, asked) => ['one', 'two', 'three', 'four'][asked] ?? '');
    assert.equal(isStable, false);
  });
});
