import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Network, OwnershipOrder, OwnershipResult } from '@sortie/engine';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';
import { listEgress } from '../egress/egress.ts';
import { createLog } from '../platform/log.ts';
import { listChecks, recordRunCheck, type TakenCheck, takeOwnershipCheck } from '../targets/targets.ts';
import { CheckDied, confirmOwnership, OWNERSHIP_SLOTS, workOnOwnershipCheck } from './ownership.ts';
import { fillSlots } from './run-slots.ts';

const network: Network = { allowAddresses: [], resolvers: [], userAgent: 'sortie' };
const url = 'https://shop.example.com';

let scene: ReviewScene;
let accountId: string;
let pentestId: string;
before(async () => {
  scene = await createReviewScene();
  ({ accountId } = scene.owner);
  pentestId = await scene.startRun('LEAD');
});
after(() => scene.end());

let added = 0;
const addTarget = (method: 'dns' | 'file' | 'meta') =>
  scene.admin.target.add({ account: accountId, url: `${url}:${1_000 + added++}`, method });
const checksOf = (verificationId: string) => listChecks(scene.test.database.queries, verificationId);
const expiryOf = async (verificationId: string) =>
  (await scene.admin.target.list({ account: accountId })).targets.find(
    (target) => target.verificationId === verificationId,
  )?.expiresAt;

type Answer = OwnershipResult['outcome'] | 'CRASHED';

const went = {
  host: 'shop.example.com',
  port: 443,
  address: '192.0.2.7',
  outcome: 'CONTACTED' as const,
  reason: null,
  connections: 1,
  requests: 1,
};

const result = (outcome: OwnershipResult['outcome']): OwnershipResult => ({
  outcome,
  message: `It is ${outcome}.`,
  lookUps: [],
  egress: [went],
});

/** Returns an engine that gives these results in order, and repeats the last one. */
function createEngine(...answers: Answer[]) {
  const orders: Omit<OwnershipOrder, 'type'>[] = [];
  async function checkOwnership(order: Omit<OwnershipOrder, 'type'>): Promise<OwnershipResult | undefined> {
    const answer = answers[Math.min(orders.push(order), answers.length) - 1] ?? 'CRASHED';
    return answer === 'CRASHED' ? undefined : result(answer);
  }
  return { orders, checkOwnership };
}

describe('a run asks whether its target is still its owner’s', () => {
  let verificationId: string;
  let token: string | null;
  beforeEach(async () => {
    ({ verificationId, token } = await addTarget('file'));
  });

  function confirm(answers: Answer[], isEnded = () => false, id = verificationId) {
    const { orders, checkOwnership } = createEngine(...answers);
    const context = { database: scene.test.database, network, checkOwnership, isEnded, pausesMs: [1, 1] };
    const confirmation = confirmOwnership(context, {
      accountId,
      pentestId,
      verificationId: id,
      targetUrl: `${url}/shop`,
    });
    return { confirmation, orders };
  }
  const outcomes = async () => (await checksOf(verificationId)).map(({ outcome }) => outcome);

  it('and goes on when the token is found, which renews the verification', async () => {
    const { confirmation, orders } = confirm(['FOUND']);
    assert.deepEqual(await confirmation, { owned: true });
    const [check, ...more] = await checksOf(verificationId);
    assert.deepEqual([check?.outcome, check?.pentestId, check?.askedBy, more], ['FOUND', pentestId, null, []]);
    const { coveredOrigin, servers, ...order }: Partial<(typeof orders)[number]> = orders[0] ?? {};
    assert.deepEqual(order, { checkId: check?.id, method: 'file', token, coveredName: null, network });
    // Any token of the account proves that it owns a server; the token of this verification comes first.
    assert.deepEqual([servers?.origin, servers?.tokens[0]], [url, token]);
    assert.match(coveredOrigin ?? '', /^https:\/\/shop\.example\.com:\d+$/);
    assert.ok(((await expiryOf(verificationId))?.getTime() ?? 0) > Date.now() + 89 * 86_400_000);
    const { entries } = await scene.admin.audit.list({ account: accountId, limit: '100' });
    assert.ok(entries.every(({ action }) => action !== 'target.verified'));
  });

  it('and is recorded once, with where it went, however often that is said', async () => {
    const { database } = scene.test;
    const runId = await scene.startRun('LEAD');
    const check = { checkId: 'chk_repeated', accountId, pentestId: runId, verificationId };
    for (let time = 0; time < 2; time++) await recordRunCheck(database, check, result('UNKNOWN'));
    assert.deepEqual(await outcomes(), ['UNKNOWN']);
    const [place, ...more] = await listEgress(database.queries, runId);
    assert.deepEqual([place?.host, place?.requests, more], ['shop.example.com', 1, []]);
  });

  it('and is told why not when the token is gone, at once', async () => {
    const { confirmation } = confirm(['NOT_FOUND', 'FOUND']);
    const { owned, reason } = (await confirmation) as { owned: false; reason: string };
    assert.equal(owned, false);
    assert.match(
      reason,
      /^The ownership of https:\/\/shop\.example\.com:\d+ could not be confirmed\. It is NOT_FOUND\.$/,
    );
    assert.deepEqual(await outcomes(), ['NOT_FOUND']);
  });

  it('three times when it cannot be found out', async () => {
    assert.deepEqual(await confirm(['UNKNOWN', 'UNKNOWN', 'FOUND']).confirmation, { owned: true });
    assert.deepEqual(await outcomes(), ['FOUND', 'UNKNOWN', 'UNKNOWN']);
    const { confirmation, orders } = confirm(['UNKNOWN']);
    assert.match(((await confirmation) as { reason: string }).reason, /It is UNKNOWN\.$/);
    assert.equal(orders.length, 3);
  });

  it('again when an engine ended, and gives up the attempt, not the run, when all did', async () => {
    assert.deepEqual(await confirm(['CRASHED', 'FOUND']).confirmation, { owned: true });
    await assert.rejects(confirm(['CRASHED']).confirmation, CheckDied);
    assert.deepEqual(await outcomes(), ['FOUND']);
  });

  it('no more once it is ended, and then decides nothing', async () => {
    const ended = confirm(['UNKNOWN'], () => true);
    await assert.rejects(ended.confirmation, /aborted/);
    assert.equal(ended.orders.length, 0);
    const ending = confirm(['UNKNOWN'], () => ending.orders.length > 0);
    await assert.rejects(ending.confirmation, /aborted/);
    assert.equal(ending.orders.length, 1);
  });

  it('without looking anything up when an operator has vouched for it, until that expires', async () => {
    const attested = await scene.admin.target.attest({ account: accountId, url: `${url}:${1_000 + added++}` });
    const ask = () => confirm(['CRASHED'], undefined, attested.verificationId);
    const before = ask();
    assert.deepEqual([await before.confirmation, before.orders], [{ owned: true }, []]);
    await scene.test.database.pool.query(
      "update verification set verified_at = service_now() - interval '91 d', expires_at = service_now() where id = $1",
      [attested.verificationId],
    );
    const { confirmation, orders } = ask();
    const { owned, reason } = (await confirmation) as { owned: false; reason: string };
    assert.deepEqual([owned, orders], [false, []]);
    assert.match(reason, /^The attestation for .* has expired\. Ask the operator to renew it\.$/);
    assert.deepEqual(await checksOf(attested.verificationId), []);
  });

  it('never about the verification of another account', async () => {
    const { id: otherAccount } = await scene.admin.account.create({ name: 'Other', kind: 'organization' });
    const other = await scene.admin.target.add({ account: otherAccount, url, method: 'file' });
    await assert.rejects(confirm(['FOUND'], undefined, other.verificationId).confirmation, /no verification/);
  });
});

describe('a worker makes the checks that were asked for', () => {
  function startSlots(engine: Pick<ReturnType<typeof createEngine>, 'checkOwnership'>, onCrash = () => undefined) {
    const { database } = scene.test;
    return fillSlots<TakenCheck>({
      queries: database.queries,
      table: 'ownership_check',
      count: OWNERSHIP_SLOTS,
      leaseMs: 30_000,
      log: createLog('error'),
      take: () => takeOwnershipCheck(database.queries, { owner: 'worker-1', leaseMs: 30_000 }),
      async work(check, work) {
        if (!(await workOnOwnershipCheck({ database, network, ...engine }, check, work))) onCrash();
      },
    });
  }

  it('while whoever asked waits, and tells them what was seen', async () => {
    const { verificationId, proof, token } = await addTarget('dns');
    const { orders, checkOwnership } = createEngine('NOT_FOUND', 'FOUND');
    const slots = startSlots({ checkOwnership });
    const lost = await scene.admin.target.verify({ id: verificationId });
    const found = await scene.admin.target.verify({ id: verificationId });
    await slots.stop();
    assert.deepEqual([lost.outcome, lost.message, lost.expiresAt], ['NOT_FOUND', 'It is NOT_FOUND.', null]);
    assert.deepEqual([found.outcome, found.message, found.proof], ['FOUND', 'It is FOUND.', proof]);
    assert.ok(found.checkedAt && found.expiresAt);
    const order = { method: 'dns', token, coveredName: 'shop.example.com', coveredOrigin: null, network };
    assert.deepEqual(orders, [
      { checkId: lost.checkId, ...order },
      { checkId: found.checkId, ...order },
    ]);
  });

  it('two at once', async () => {
    const ids = await Promise.all(
      (['dns', 'file', 'meta'] as const).map(async (method) => (await addTarget(method)).verificationId),
    );
    const waiting: (() => void)[] = [];
    const slots = startSlots({
      checkOwnership: () => new Promise((resolve) => waiting.push(() => resolve(result('UNKNOWN')))),
    });
    const asked = Promise.all(ids.map((id) => scene.admin.target.verify({ id, wait: '0' })));
    await waitFor(() => waiting.length === 2, { what: 'two checks' });
    await asked;
    waiting[0]?.();
    await waitFor(() => waiting.length === 3, { what: 'the third check' });
    for (const end of waiting) end();
    await slots.stop();
    for (const id of ids) assert.equal((await checksOf(id))[0]?.outcome, 'UNKNOWN');
  });

  it('and leaves one whose engine ended to another attempt, five times', async () => {
    const { verificationId: id } = await addTarget('file');
    let crashes = 0;
    const slots = startSlots(createEngine('CRASHED'), () => void crashes++);
    // Repeats this, since a heartbeat in progress may extend the lease once more.
    const free = setInterval(async () => {
      await scene.test.database.pool.query('update ownership_check set lease_until = null where completed_at is null');
    }, 100);
    const { outcome, message } = await scene.admin.target.verify({ id }).finally(() => clearInterval(free));
    await slots.stop();
    assert.deepEqual([outcome, crashes], ['UNKNOWN', 5]);
    assert.match(message, /^Internal error after several attempts/);
  });
});

describe('whoever asks for a check where nobody works', () => {
  it('is told so in the end, and the check stays in the queue', async () => {
    const { verificationId: id } = await addTarget('file');
    const { outcome, message, lookUps, checkId } = await scene.admin.target.verify({ id, wait: '0' });
    assert.deepEqual([outcome, lookUps], ['WAITING', []]);
    assert.match(message, /^No worker took the check within 0 s\. .*--role worker/);
    const taken = await takeOwnershipCheck(scene.test.database.queries, { owner: 'worker-1', leaseMs: 30_000 });
    assert.equal(taken?.id, checkId);
    assert.match(
      (await scene.admin.target.verify({ id, wait: '0' })).message,
      /^A worker took the check, but did not finish/,
    );
  });
});
