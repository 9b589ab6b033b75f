import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, nonce } from '@sortie/testing/engine/judging.ts';
import csti from '../checks/scripting/csti.ts';
import markup from '../checks/scripting/html-injection.ts';
import xss from '../checks/scripting/reflected-xss.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { createRunMemory } from '../run-memory.ts';

const parameter = { location: 'query', name: 'q', value: 'tea' } as const;
const item = { method: 'GET', url: 'http://shop.test/', seenAs: null, contentType: 'text/html' } as const;
const point: Point = { item: { ...item, parameters: [parameter] }, parameter };
const escaped = (value: string) => value.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

/** Resolves to the number of requests that these checks send one after the other to a page that shows the value. */
async function requestsOf(
  checks: readonly (typeof xss | typeof csti | typeof markup)[],
  show: (value: string) => string,
) {
  let asked = 0;
  const asking = {
    memory: createRunMemory(),
    ask: async (request: { method: string; url: string }) => {
      asked++;
      const value = new URL(request.url).searchParams.get('q') ?? '';
      return answered(request, { headers: { 'content-type': 'text/html' }, body: show(value) });
    },
    open: async () => undefined,
  } as unknown as Asking;
  for (const check of checks) await check.probe?.(point, nonce, asking);
  return asked;
}

describe('the echo of special characters', () => {
  it('is requested once for all checks of a page that encodes them', async () => {
    const page = (value: string) => `<p>For ${escaped(value)} we have nothing</p>`;
    assert.equal(await requestsOf([xss, csti, markup], page), 1);
  });

  it('leads to expressions in a page of a framework, or where it is not shown', async () => {
    const page = (value: string) => `<div ng-app>For ${escaped(value)} we have nothing</div>`;
    assert.equal(await requestsOf([csti], page), 2);
    assert.equal(await requestsOf([csti], (value) => (value.includes('<') ? '' : page(value))), 2);
  });
});
