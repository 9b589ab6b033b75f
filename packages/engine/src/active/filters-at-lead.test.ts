import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, nonce } from '@sortie/testing/engine/judging.ts';
import path from './checks/injection/path-traversal.ts';
import xss from './checks/scripting/reflected-xss.ts';
import type { Asking, PointCheck } from './define-active-check.ts';
import type { Point, PointRequest } from './insertion-point.ts';
import { createRunMemory } from './run-memory.ts';
import type { Triage } from './triage-result.ts';

const parameter = { location: 'query' as const, name: 'file', value: 'terms.txt' };
const item = {
  method: 'GET' as const,
  url: 'http://shop.test/',
  parameters: [parameter],
  seenAs: null,
  contentType: '',
};
const point: Point = { item, parameter };
/** Odd signs are refused, and no interpreter was found. */
const look: Triage = {
  isStable: true,
  isReflected: true,
  isInHeader: false,
  isReactive: true,
  isRead: true,
  isBroken: false,
  outcome: 'page',
  meanings: new Set(),
};

/** Resolves to the number of requests of the probe at a page that refuses the usual payloads. */
async function requestsOf(check: PointCheck, depth: 'LEAD' | 'STANDARD'): Promise<number> {
  let requests = 0;
  const ask = async (request: PointRequest) => {
    requests++;
    const value = new URL(request.url).searchParams.get('file') ?? '';
    const isOdd = /\.\.|\/|onerror|ontoggle/.test(value);
    const headers = { 'content-type': 'text/html' };
    return answered(request, { headers, ...(isOdd ? { status: 403, body: 'Blocked' } : { body: `<p>${value}</p>` }) });
  };
  const known = { inventory: [], accounts: [], depth };
  assert.equal(check.isWorthTrying?.(look, point), true);
  await check.probe?.(point, nonce, { ask, known, look, memory: createRunMemory() } as unknown as Asking);
  return requests;
}

describe('filters are not looked at below STANDARD', () => {
  const usual: [check: PointCheck, requests: number][] = [
    [path as PointCheck, 0],
    [xss as PointCheck, 1],
  ];
  for (const [check, requests] of usual) {
    it(`by ${check.id}`, async () => {
      assert.equal(await requestsOf(check, 'LEAD'), requests);
      assert.ok((await requestsOf(check, 'STANDARD')) > requests);
    });
  }
});
