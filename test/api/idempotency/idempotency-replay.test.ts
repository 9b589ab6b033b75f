import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { ErrorCode, Pentest } from '@sortie/contract';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { waitFor } from '@sortie/testing/idempotency/player.ts';
import {
  answeringOnly,
  assertFirst,
  assertReplay,
  assign,
  balanceOf,
  bodyFor,
  countScans,
  createStarter,
  get,
  type Path,
  paths,
  pentestsOf,
  post,
  type Starter,
  unassign,
} from '@sortie/testing/idempotency/starter.ts';
import { startTestServer } from '@sortie/testing/server/server.ts';
import { cancel, grantCredits, manyRequests, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;

before(async () => {
  world = await createWorld({ env: manyRequests, flags: answeringOnly });
});
after(() => world.end());

interface Rule {
  code: ErrorCode;
  path: Path;
  caps?: { credits?: number; budget?: string };
  /** Makes the rule refuse every further start. */
  break(starter: Starter): Promise<unknown>;
  /** Removes the cause. Answers who sends the next request, if not the same key. */
  mend(starter: Starter): Promise<Member | undefined>;
}

async function then<T>(work: Promise<T>): Promise<undefined> {
  await work;
}

const allow = ({ member }: Starter, allowance: string) =>
  world.admin.member.setAllowance({ account: member.accountId, user: member.userId, allowance });

const rules: readonly Rule[] = [
  {
    code: 'INSUFFICIENT_CREDITS',
    path: '/v1/pentests',
    caps: { credits: 400 },
    break: () => Promise.resolve(),
    mend: ({ owner }) => then(grantCredits(world.admin, owner, 400)),
  },
  {
    code: 'TARGET_API_RUNS_DISABLED',
    path: '/v1/pentests',
    break: ({ target }) => world.admin.target.apiRuns({ id: target.verificationId, state: 'off' }),
    mend: ({ target }) => then(world.admin.target.apiRuns({ id: target.verificationId, state: 'on' })),
  },
  {
    code: 'FORBIDDEN',
    path: '/v1/pentests',
    break: (starter) => unassign(starter),
    mend: (starter) => then(assign(starter)),
  },
  {
    code: 'PENTEST_CONCURRENCY_EXCEEDED',
    path: '/v1/pentests',
    break: async (starter) => {
      for (const started of [await post('/v1/pentests', starter), await post('/v1/pentests', starter)]) {
        assertFirst(started);
      }
    },
    mend: async (starter) => {
      const [newest] = await pentestsOf(starter);
      assert.equal((await cancel(world.server.baseUrl, starter.owner, newest?.id ?? '')).status, 200);
      return undefined;
    },
  },
  {
    code: 'API_KEY_CAP_EXCEEDED',
    path: '/v1/pentests',
    caps: { budget: '400' },
    break: () => Promise.resolve(),
    mend: ({ member }) => world.createKey(member),
  },
  {
    code: 'ORG_CREDIT_CAP_EXCEEDED',
    path: '/v1/pentests',
    break: (starter) => allow(starter, '400'),
    mend: (starter) => then(allow(starter, '800')),
  },
  {
    code: 'TARGET_NOT_ASSIGNED',
    path: '/v1/scans',
    break: (starter) => unassign(starter),
    mend: (starter) => then(assign(starter)),
  },
  {
    code: 'PLAN_LIMIT_EXCEEDED',
    path: '/v1/scans',
    break: async (starter) => {
      for (let scans = 1; scans < 100; scans++) assertFirst(await post('/v1/scans', starter));
    },
    mend: ({ owner }) => then(world.admin.account.setPlan({ id: owner.accountId, plan: 'team' })),
  },
];

describe('a start that has succeeded', () => {
  for (const { code, path, caps, ...rule } of rules) {
    it(`POST ${path} is answered byte for byte where a new one is ${code}, and that one is not remembered`, async () => {
      const starter = await createStarter(world, caps);
      const [key, newKey] = [randomUUID(), randomUUID()];
      const first = await post(path, starter, key);
      assertFirst(first);
      await rule.break(starter);
      for (let i = 0; i < 2; i++) assertRefused(await post(path, starter, newKey), code);
      assertReplay(await post(path, starter, key), first);
      const sender = { ...starter, member: (await rule.mend(starter)) ?? starter.member };
      const later = await post(path, sender, newKey);
      assertFirst(later);
      assertReplay(await post(path, sender, newKey), later);
      assertReplay(await post(path, sender, key), first);
      assert.notEqual(later.body?.id, first.body?.id);
    });
  }

  it('is answered with the status of then, QUEUED, after its run was cancelled', async () => {
    const starter = await createStarter(world);
    const key = randomUUID();
    const first = await post('/v1/pentests', starter, key);
    const { id, status } = first.body as { id: string; status: string };
    assert.equal(status, 'QUEUED');
    assert.equal((await cancel(world.server.baseUrl, starter.member, id)).body?.status, 'CANCELLED');
    assertReplay(await post('/v1/pentests', starter, key), first);
    const run = await get<Pentest>(starter, `/v1/pentests/${id}`);
    assert.deepEqual([run.status, run.credits.state], ['CANCELLED', 'RETURNED']);
    assert.deepEqual([(await pentestsOf(starter)).length, (await balanceOf(starter)).held], [1, 0]);
  });

  it('does not count against the scans of the plan when it is asked for again', async () => {
    const starter = await createStarter(world);
    const key = randomUUID();
    for (let i = 0; i < 110; i++) assert.equal((await post('/v1/scans', starter, key)).status, 201);
    assertFirst(await post('/v1/scans', starter));
    assert.equal(await countScans(starter), 2);
  });
});

describe('who asks for a start again', () => {
  for (const path of paths) {
    const permission = path === '/v1/scans' ? 'scans' : 'pentests';

    it(`POST ${path} needs a key with the permission: 403 FORBIDDEN`, async () => {
      const starter = await createStarter(world);
      const key = randomUUID();
      const first = await post(path, starter, key);
      const reader = await world.createKey(starter.member, { permissions: `${permission}:read` });
      assertRefused(await post(path, { ...starter, member: reader }, key), 'FORBIDDEN');
      const writer = await world.createKey(starter.member, { permissions: `${permission}:write` });
      assertReplay(await post(path, { ...starter, member: writer }, key), first);
    });

    it(`POST ${path} needs a role that allows it today, in an account that is not suspended, and a valid key`, async () => {
      const starter = await createStarter(world);
      const { accountId: account, userId: user } = starter.member;
      const key = randomUUID();
      const first = await post(path, starter, key);
      await world.admin.member.setRole({ account, user, role: 'VIEWER' });
      assertRefused(await post(path, starter, key), 'FORBIDDEN');
      await world.admin.member.setRole({ account, user, role: 'MEMBER' });
      await world.admin.account.suspend({ id: account });
      assertRefused(await post(path, starter, key), 'ACCOUNT_SUSPENDED');
      await world.admin.account.resume({ id: account });
      assertReplay(await post(path, starter, key), first);
      await world.admin.key.revoke({ id: starter.member.apiKeyId });
      await waitFor('the key is refused', async () => (await post(path, starter, key)).status === 401);
      assertReplay(await post(path, { ...starter, member: await world.createKey(starter.member) }, key), first);
    });

    it(`POST ${path} needs a valid body before anything is compared: 400, not 422`, async () => {
      const starter = await createStarter(world);
      const idempotencyKey = randomUUID();
      const first = await post(path, starter, idempotencyKey);
      const body = { ...bodyFor(path, starter.target), surprise: 1 };
      const answer = await start(world.server.baseUrl, path, starter.member, body, { idempotencyKey });
      assertRefused(answer, 'VALIDATION_ERROR', 'surprise');
      assertReplay(await post(path, starter, idempotencyKey), first);
    });
  }

  it('has ten starts a minute, and every answer counts: 201, 422 and 409 too', async () => {
    const limited = await startTestServer({ databaseUrl: world.testDatabase.url, flags: answeringOnly });
    try {
      const starter = await createStarter(world);
      const { member } = starter;
      const [key, failed] = [randomUUID(), randomUUID()];
      const ask = (idempotencyKey: string) => post('/v1/scans', starter, idempotencyKey, limited.baseUrl);
      const first = await ask(key);
      const other = { url: 'https://other.example.test/' };
      assertRefused(
        await start(limited.baseUrl, '/v1/scans', member, other, { idempotencyKey: key }),
        'IDEMPOTENCY_KEY_REUSED',
      );
      await world.admin.fault.handover({ failNext: '1' });
      assertRefused(await ask(failed), 'INTERNAL_ERROR');
      assertRefused(await ask(failed), 'IDEMPOTENCY_IN_PROGRESS');
      for (let i = 0; i < 6; i++) assertReplay(await ask(key), first);
      const refused = await ask(key);
      assertRefused(refused, 'RATE_LIMITED');
      assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/);
      assert.equal(refused.headers['idempotent-replayed'], undefined);
      const otherKey = await world.createKey(member);
      assertReplay(await post('/v1/scans', { ...starter, member: otherKey }, key, limited.baseUrl), first);
    } finally {
      await limited.stop();
    }
  });
});

describe('the Idempotency-Key', () => {
  it('may be 255 characters long, and the last of them counts', async () => {
    const starter = await createStarter(world);
    const long = 'k'.repeat(254);
    const first = await post('/v1/scans', starter, `${long}1`);
    assertFirst(first);
    assertReplay(await post('/v1/scans', starter, `${long}1`), first);
    assertFirst(await post('/v1/scans', starter, `${long}2`));
    assertRefused(await post('/v1/scans', starter, `${long}12`), 'VALIDATION_ERROR', 'Idempotency-Key');
  });

  it('may be any visible character, and each is a key of its own', async () => {
    const starter = await createStarter(world);
    const visible = Array.from({ length: 0x7e - 0x21 + 1 }, (_, i) => String.fromCharCode(0x21 + i));
    const ids = new Set<unknown>();
    for (const key of visible) {
      const first = await post('/v1/scans', starter, key);
      assertFirst(first);
      assertReplay(await post('/v1/scans', starter, key), first);
      ids.add(first.body?.id);
    }
    assert.equal(ids.size, 94);
  });

  it('differs from others by case, by quotes and by its length', async () => {
    const starter = await createStarter(world);
    const keys = ['order-1', 'Order-1', 'ORDER-1', '"order-1"', 'order-10', 'order-', "'order-1'"];
    const answers = [];
    for (const key of keys) answers.push(await post('/v1/scans', starter, key));
    answers.forEach(assertFirst);
    assert.equal(new Set(answers.map(({ body }) => body?.id)).size, keys.length);
  });
});
