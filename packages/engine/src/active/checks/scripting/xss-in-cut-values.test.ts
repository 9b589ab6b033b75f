import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, nonce } from '@sortie/testing/engine/judging.ts';
import type { Point } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { createRunMemory } from '../../run-memory.ts';
import check from './reflected-xss.ts';

const parameter = { location: 'query', name: 'q', value: 'tea' } as const;
const point: Point = {
  item: { method: 'GET', url: 'http://shop.test/', parameters: [parameter], seenAs: null, contentType: 'text/html' },
  parameter,
};

/** Resolves to the payloads for a page that shows the value. */
async function payloadsOn(show: (value: string) => string) {
  const ask = async (request: PointRequest) => {
    const value = new URL(request.url).searchParams.get('q') ?? '';
    return answered(request, {
      headers: { 'content-type': 'text/html' },
      body: `<p>For ${show(value)} we have nothing</p>`,
    });
  };
  const payloads = (await check.probe?.(point, nonce, { ask, memory: createRunMemory() } as never)) ?? [];
  return payloads.map(({ text }) => text);
}

describe('reflected XSS in a value whose end is cut', () => {
  it('keeps its markup whole by a filler', async () => {
    for (const end of ['', 'Z']) {
      const [first = ''] = await payloadsOn((value) => `${value.slice(0, -1)}${end}`);
      assert.match(`${first.slice(0, -1)}${end}`, /^<img[^>]*>/);
    }
  });

  it('has no filler where the whole value is shown', async () => {
    assert.deepEqual(await payloadsOn((value) => value), ['<img/src/onerror=CALL>', '<details/open/ontoggle=CALL>']);
  });

  it('is not tried where the end is cut and the rest is escaped', async () => {
    assert.deepEqual(await payloadsOn((value) => value.slice(0, -1).replaceAll('<', '&lt;')), []);
  });
});
