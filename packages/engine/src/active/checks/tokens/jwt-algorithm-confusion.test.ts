import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { ActiveCheck } from '../../define-active-check.ts';
import type { LabRequest, RequestLab } from '../../lab.ts';
import confusion from './jwt-algorithm-confusion.ts';

const KEY = '/downloads/signing.pub';
const KEY_SET = '/.well-known/jwks.json';

/** The lab of the check, but its key is a file that a page links. */
async function withLinkedKey(effect: 'reads' | 'changes'): Promise<RequestLab> {
  const lab = confusion.lab();
  const asked: LabRequest = { method: 'GET', path: KEY_SET, headers: {}, body: '', account: null };
  const { keys } = JSON.parse((await lab.vulnerable(asked)).body ?? '');
  const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
  const answer = (kind: 'vulnerable' | 'safe') => (request: LabRequest) => {
    if (request.path === KEY) return { body: pem };
    return request.path === KEY_SET ? { status: 404 } : lab[kind](request);
  };
  const file: RequestLab['item'] = {
    method: 'GET',
    url: KEY,
    parameters: [],
    seenAs: null,
    contentType: 'application/octet-stream',
    effect,
  };
  return { ...lab, others: [file], vulnerable: answer('vulnerable'), safe: answer('safe') };
}

const labOf = (id: string, lab: RequestLab) => ({ ...confusion, id, lab: () => lab }) as unknown as ActiveCheck;
const check = labOf('linked-key', await withLinkedKey('reads'));
const changing = labOf('changing-link', await withLinkedKey('changes'));
let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs([check, changing]);
});
after(() => labs.close());

describe('a public key that is accepted as a secret', () => {
  it('is found in a file that the site links', async () => {
    const { verified } = await labs.test(check as never, 'vulnerable');
    assert.equal(verified?.confidence, 'CONFIRMED');
  });

  it('is not requested where the link changes something', async () => {
    assert.equal((await labs.test(changing as never, 'vulnerable')).verified, undefined);
  });

  it('is not found where the algorithm is fixed', async () => {
    const { verified } = await labs.test(check as never, 'safe');
    assert.equal(verified, undefined);
  });
});
