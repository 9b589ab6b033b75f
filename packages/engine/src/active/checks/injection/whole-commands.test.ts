import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, nonce } from '@sortie/testing/engine/judging.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import type { PointRequest } from '../../insertion-point.ts';
import type { Triage } from '../../triage-result.ts';
import check from './command-injection.ts';

const pointWith = (value: string) => {
  const parameter = { location: 'form' as const, name: 'tool', value };
  return {
    item: { method: 'POST' as const, url: 'http://shop.test/', parameters: [parameter], seenAs: null, contentType: '' },
    parameter,
  };
};
const read: Triage = {
  isReflected: false,
  isInHeader: false,
  isReactive: false,
  isRead: true,
  isStable: true,
  isBroken: false,
  outcome: 'page',
  meanings: new Set(),
};

/** A target that starts the program that the value names, without a shell. */
async function ask(request: PointRequest): Promise<Exchange> {
  const value = new URLSearchParams(request.body?.toString()).get('tool') ?? '';
  const [, a, b] = /^expr (\d+) \* (\d+)$/.exec(value) ?? [];
  return answered(request, { body: a === undefined ? 'Cannot run program' : String(Number(a) * Number(b)) });
}

describe('a value that is a command itself', () => {
  const probe = async (value: string) => (await check.probe?.(pointWith(value), nonce, { ask } as never)) ?? [];

  it('is replaced by another command, with and without a shell', async () => {
    const [variant, ...others] = await probe('ls -l');
    assert.ok(variant && others.length === 0);
    const plan = check.proof.plan(pointWith('ls -l'), variant, nonce, { accounts: [] });
    const sent = Object.values(plan ?? {}).map(({ request }) => request.body?.toString());
    const [a, b] = nonce.numbers;
    assert.ok(sent.includes(new URLSearchParams({ tool: `expr ${a} * ${b}` }).toString().replaceAll('+', '%20')));
  });

  it('is identified by its first word', async () => {
    assert.deepEqual(await probe('lsof'), []);
    assert.deepEqual(await probe('green'), []);
    const isTried = (value: string) => check.isWorthTrying?.(read, pointWith(value));
    assert.deepEqual(['whoami', 'date', 'dated', 'tea'].map(isTried), [true, true, false, false]);
  });
});
