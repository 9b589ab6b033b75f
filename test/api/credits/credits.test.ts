import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type CreditsBalance, type CreditsUsage, endpoints, type UsageRecord } from '@sortie/contract';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { type Answer, call } from '@sortie/testing/http/call.ts';
import { holdCredits, inTransaction, returnAll, serviceNow, settlePart } from '@sortie/testing/inside/server.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
let runs = 0;

before(async () => {
  // Walking through pages takes more reads than a key has in a minute.
  world = await createWorld({ env: { SORTIE_LIMIT_READS_PER_KEY: '5000', SORTIE_LIMIT_READS_PER_ACCOUNT: '5000' } });
});
after(() => world.end());

const get = (path: string, { apiKey }: Member) => call(world.server.baseUrl + path, { key: apiKey });

interface Answering<T> {
  answer: { status: number; schema: { parse(value: unknown): T } };
}

/** The answer as the contract describes it, and nothing besides. */
function parseAnswer<T>({ answer: { status, schema } }: Answering<T>, sent: Answer): T {
  assert.equal(sent.status, status, sent.text);
  const parsed = schema.parse(sent.body);
  assert.deepEqual(sent.body, parsed);
  return parsed;
}

const balanceOf = async (member: Member) =>
  parseAnswer(endpoints.getCreditsBalance, await get('/v1/credits/balance', member));

const usageOf = async (member: Member, query: Record<string, string> = {}) =>
  parseAnswer(endpoints.getCreditsUsage, await get(`/v1/credits/usage?${new URLSearchParams(query)}`, member));

const grant = ({ accountId }: Member, source: 'plan' | 'purchased', amount: number, expires?: string) =>
  world.admin.credits.grant({
    account: accountId,
    source,
    amount: String(amount),
    ...(expires === undefined ? {} : { expires }),
  });

const now = () => serviceNow(world.testDatabase.database.queries);
const advance = (duration: string) => world.admin.clock.advance({ duration });

/** Holds credits as the start of a run does. */
async function startRun(member: Member, { testing = 400, review = 0 } = {}): Promise<string> {
  const { accountId, apiKeyId, userId } = member;
  const runId = `pen_${++runs}`;
  const run = { runId, accountId, apiKeyId, userId, testing, review, description: 'Light pentest of shop.example' };
  const held = await inTransaction(world.testDatabase.database, (tx) => holdCredits(tx, run));
  assert.ok(!('refused' in held), JSON.stringify(held));
  return runId;
}

const settle = (runId: string, part: 'testing' | 'review', charge: number) =>
  inTransaction(world.testDatabase.database, (tx) => settlePart(tx, runId, part, charge));
const giveBack = (runId: string) => inTransaction(world.testDatabase.database, (tx) => returnAll(tx, runId, true));

/** So that a test has most of a calendar month before it, whatever the day on which it runs. */
async function goToBeginningOfMonth(): Promise<void> {
  const today = await now();
  const beginning = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 2);
  await advance(`${Math.ceil((beginning - today.getTime()) / 1000)}s`);
}

describe('GET /v1/credits/balance', () => {
  let member: Member;

  beforeEach(async () => {
    member = await world.createMember();
  });

  it('of an account that never had credits is nothing', async () => {
    assert.deepEqual(await balanceOf(member), {
      available: 0,
      held: 0,
      plan: 0,
      purchased: 0,
      nextExpiry: null,
      keyBudget: null,
      memberAllowance: null,
    });
  });

  it('available is plan + purchased, and what is granted is there at once', async () => {
    await grant(member, 'plan', 300);
    await grant(member, 'purchased', 1_000);
    await grant(member, 'purchased', 50);
    const { available, plan, purchased, held } = await balanceOf(member);
    assert.deepEqual({ available, plan, purchased, held }, { available: 1_350, plan: 300, purchased: 1_050, held: 0 });
  });

  it("is the account's: the same for all its members and keys, and no other account's", async () => {
    const stranger = await world.createMember();
    await grant(member, 'purchased', 700);
    await grant(stranger, 'purchased', 11);
    const viewer = await world.createMember({ accountId: member.accountId, role: 'VIEWER' });
    for (const one of [member, viewer, await world.createKey(member)]) {
      assert.equal((await balanceOf(one)).available, 700);
    }
    assert.equal((await balanceOf(stranger)).available, 11);
  });

  it('nextExpiry is the earliest expiry with all that expires then, and null when nothing expires', async () => {
    await grant(member, 'purchased', 1);
    assert.equal((await balanceOf(member)).nextExpiry, null);
    const [soon, later] = [2, 9].map((days) => days * 24 * 3_600_000);
    const start = (await now()).getTime();
    const soonAt = new Date(start + (soon ?? 0)).toISOString();
    const laterAt = new Date(start + (later ?? 0)).toISOString();
    await grant(member, 'purchased', 100, laterAt);
    await grant(member, 'purchased', 20, soonAt);
    await grant(member, 'plan', 3, soonAt);
    assert.deepEqual((await balanceOf(member)).nextExpiry, { credits: 23, at: soonAt });
    await advance('3d');
    assert.deepEqual((await balanceOf(member)).nextExpiry, { credits: 100, at: laterAt });
    await advance('7d');
    assert.equal((await balanceOf(member)).nextExpiry, null);
  });

  it('credits that have expired are gone from it as soon as the clock says so', async () => {
    await grant(member, 'plan', 10, '1h');
    await grant(member, 'purchased', 5, '2h');
    await advance('59m');
    assert.equal((await balanceOf(member)).available, 15);
    await advance('60s');
    const { available, plan, purchased } = await balanceOf(member);
    assert.deepEqual({ available, plan, purchased }, { available: 5, plan: 0, purchased: 5 });
    await advance('1h');
    assert.equal((await balanceOf(member)).available, 0);
  });

  it('held credits are not available, and do not expire', async () => {
    await grant(member, 'purchased', 500, '1h');
    const runId = await startRun(member, { testing: 400 });
    const heldBalance = { available: 100, held: 400, purchased: 100 };
    const pick = ({ available, held, purchased }: CreditsBalance) => ({ available, held, purchased });
    assert.deepEqual(pick(await balanceOf(member)), heldBalance);
    await advance('2h');
    assert.deepEqual(pick(await balanceOf(member)), { available: 0, held: 400, purchased: 0 });
    await settle(runId, 'testing', 150);
    const { nextExpiry, ...after } = await balanceOf(member);
    assert.deepEqual([after.available, after.held, after.purchased], [250, 0, 250]);
    // What comes back to a grant that has expired can be spent for seven more days.
    assert.equal(nextExpiry?.credits, 250);
    const days = (Date.parse(nextExpiry?.at ?? '') - (await now()).getTime()) / (24 * 3_600_000);
    assert.ok(days > 6.9 && days <= 7, String(days));
  });

  it('spends what expires first, and of equals the plan before what was purchased', async () => {
    await grant(member, 'purchased', 100);
    await grant(member, 'plan', 100);
    await grant(member, 'purchased', 100, '5d');
    await startRun(member, { testing: 150 });
    const { plan, purchased, nextExpiry } = await balanceOf(member);
    assert.deepEqual({ plan, purchased, nextExpiry }, { plan: 50, purchased: 100, nextExpiry: null });
  });

  it('a plan with monthly credits has granted them, until the end of the month', async () => {
    const { id: account } = await world.admin.account.create({ name: 'Team', kind: 'organization', plan: 'team' });
    const teamMember = await world.createMember({ accountId: account });
    const { plan, nextExpiry } = await balanceOf(teamMember);
    const today = await now();
    const endOfMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1)).toISOString();
    assert.deepEqual({ plan, nextExpiry }, { plan: 5_000, nextExpiry: { credits: 5_000, at: endOfMonth } });
  });
});

describe('keyBudget and memberAllowance in the balance', () => {
  beforeEach(goToBeginningOfMonth);

  const nextMonth = async () => {
    const today = await now();
    return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1)).toISOString();
  };

  it('count reserved minus returned of the runs started in the calendar month, and reset with it', async () => {
    const member = await world.createMember({ budget: '3000', allowance: '2500' });
    await grant(member, 'purchased', 10_000);
    const resetsAt = await nextMonth();
    const capsAre = async (budgetUsed: number, allowanceUsed: number, at: string) => {
      const { keyBudget, memberAllowance } = await balanceOf(member);
      assert.deepEqual(keyBudget, { limit: 3_000, used: budgetUsed, remaining: 3_000 - budgetUsed, resetsAt: at });
      assert.deepEqual(memberAllowance, {
        limit: 2_500,
        used: allowanceUsed,
        remaining: 2_500 - allowanceUsed,
        resetsAt: at,
      });
    };
    await capsAre(0, 0, resetsAt);
    const first = await startRun(member, { testing: 400 });
    await capsAre(400, 400, resetsAt);
    const second = await startRun(member, { testing: 1_000, review: 500 });
    await capsAre(1_900, 1_900, resetsAt);
    await settle(second, 'testing', 250);
    await capsAre(1_150, 1_150, resetsAt);
    await giveBack(first);
    await capsAre(750, 750, resetsAt);
    // Another key of the same person counts for the person, not for this key.
    await startRun(await world.createKey(member), { testing: 100 });
    await capsAre(750, 850, resetsAt);

    await advance(`${Math.ceil((Date.parse(resetsAt) - (await now()).getTime()) / 1000)}s`);
    const later = await nextMonth();
    assert.notEqual(later, resetsAt);
    await capsAre(0, 0, later);
    // The run was started last month: what comes back now belongs there.
    await settle(second, 'review', 0);
    await capsAre(0, 0, later);
  });

  it("are the caller's own", async () => {
    const capped = await world.createMember({ budget: '0', allowance: '7' });
    const colleague = await world.createMember({ accountId: capped.accountId, role: 'MEMBER' });
    await grant(capped, 'purchased', 1_000);
    await startRun(colleague, { testing: 400 });
    const own = await balanceOf(capped);
    assert.deepEqual([own.keyBudget?.limit, own.keyBudget?.used, own.keyBudget?.remaining], [0, 0, 0]);
    assert.deepEqual([own.memberAllowance?.limit, own.memberAllowance?.used], [7, 0]);
    const other = await balanceOf(colleague);
    assert.deepEqual([other.keyBudget, other.memberAllowance], [null, null]);
  });

  it('never leave less than nothing, also when an allowance is lowered below what was used', async () => {
    const member = await world.createMember({ allowance: '1000' });
    await grant(member, 'purchased', 1_000);
    await startRun(member, { testing: 400 });
    const membership = { account: member.accountId, user: member.userId };
    await world.admin.member.setAllowance({ ...membership, allowance: '300' });
    const { memberAllowance } = await balanceOf(member);
    assert.deepEqual([memberAllowance?.limit, memberAllowance?.used, memberAllowance?.remaining], [300, 400, 0]);
    await world.admin.member.setAllowance({ ...membership, allowance: 'none' });
    assert.equal((await balanceOf(member)).memberAllowance, null);
  });
});

describe('GET /v1/credits/usage', () => {
  let owner: Member;
  let member: Member;
  let ownersRun: string;
  let membersRun: string;
  let everything: UsageRecord[];

  before(async () => {
    await goToBeginningOfMonth();
    owner = await world.createMember();
    member = await world.createMember({ accountId: owner.accountId, role: 'MEMBER' });
    await grant(owner, 'purchased', 5_000);
    await grant(owner, 'plan', 60, '1h');
    await advance('2h');
    ownersRun = await startRun(owner, { testing: 1_500, review: 500 });
    await advance('1h');
    membersRun = await startRun(member, { testing: 400 });
    await advance('1h');
    await settle(ownersRun, 'testing', 1_000);
    await giveBack(membersRun);
    await world.admin.credits.adjust({ account: owner.accountId, amount: '-100', reason: 'booked twice' });
    everything = (await usageOf(owner, { limit: '100' })).usage;
  });

  it('has one record per operation and part, newest first, with its sign and the balance after it', () => {
    const told = everything.map(({ type, credits, part, pentestId, apiKeyId, balanceAfter }) => {
      const run = pentestId === null ? null : pentestId === ownersRun ? 'owner' : 'member';
      const key = apiKeyId === null ? null : apiKeyId === owner.apiKeyId ? 'owner' : 'member';
      assert.equal(run, key, 'a run was started with a key');
      return [type, credits, part, run, balanceAfter.available, balanceAfter.held];
    });
    assert.deepEqual(told, [
      ['ADJUST', -100, null, null, 3_400, 500],
      ['RETURN', 400, 'testing', 'member', 3_500, 500],
      ['RETURN', 500, 'testing', 'owner', 3_100, 900],
      ['CHARGE', -1_000, 'testing', 'owner', 2_600, 1_400],
      ['HOLD', -400, 'testing', 'member', 2_600, 2_400],
      ['HOLD', -500, 'review', 'owner', 3_000, 2_000],
      ['HOLD', -1_500, 'testing', 'owner', 3_500, 1_500],
      ['EXPIRE', -60, null, null, 5_000, 0],
      ['GRANT', 60, null, null, 5_060, 0],
      ['GRANT', 5_000, null, null, 5_000, 0],
    ]);
    assert.equal(new Set(everything.map(({ id }) => id)).size, everything.length);
    const times = everything.map(({ createdAt }) => createdAt);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.equal(everything[0]?.description, 'booked twice');
  });

  it('apiKeyId limits it to the runs started with one key', async () => {
    const { usage, nextOffset } = await usageOf(owner, { apiKeyId: member.apiKeyId });
    assert.deepEqual(
      usage,
      everything.filter(({ pentestId }) => pentestId === membersRun),
    );
    assert.equal(nextOffset, null);
  });

  it('pentestId limits it to one run, and filters can be combined', async () => {
    const { usage } = await usageOf(owner, { pentestId: ownersRun });
    assert.deepEqual(
      usage,
      everything.filter(({ pentestId }) => pentestId === ownersRun),
    );
    const combined = await usageOf(owner, { pentestId: ownersRun, apiKeyId: member.apiKeyId });
    assert.deepEqual(combined, { usage: [], nextOffset: null });
  });

  it('an unknown key or run gives an empty list', async () => {
    for (const query of [
      { apiKeyId: 'unknown' },
      { apiKeyId: '' },
      { pentestId: 'unknown' },
      { pentestId: "' or 1=1" },
    ]) {
      assert.deepEqual(await usageOf(owner, query as Record<string, string>), { usage: [], nextOffset: null });
    }
  });

  it('from is included, to is not', async () => {
    const hold = everything.find(({ type, pentestId }) => type === 'HOLD' && pentestId === membersRun);
    const at = hold?.createdAt ?? '';
    const newer = everything.filter(({ createdAt }) => createdAt >= at);
    const older = everything.filter(({ createdAt }) => createdAt < at);
    assert.ok(newer.length > 1 && older.length > 1);
    assert.deepEqual((await usageOf(owner, { from: at })).usage, newer);
    assert.deepEqual((await usageOf(owner, { to: at })).usage, older);
    assert.deepEqual((await usageOf(owner, { from: at, to: at })).usage, []);
    const justAfter = new Date(Date.parse(at) + 1).toISOString();
    assert.deepEqual((await usageOf(owner, { from: at, to: justAfter })).usage, [hold]);
  });

  it('from and to may be dates, which begin at midnight UTC, or have a time zone', async () => {
    const today = (await now()).toISOString().slice(0, 10);
    const tomorrow = new Date(Date.parse(today) + 24 * 3_600_000).toISOString().slice(0, 10);
    const dayOf = (date: string) => everything.filter(({ createdAt }) => createdAt.startsWith(date));
    assert.deepEqual((await usageOf(owner, { from: today, to: tomorrow })).usage, dayOf(today));
    assert.deepEqual((await usageOf(owner, { from: tomorrow })).usage, []);
    const [newest] = everything;
    const inNewYork = new Date(Date.parse(newest?.createdAt ?? '') - 5 * 3_600_000)
      .toISOString()
      .replace('Z', '-05:00');
    const { usage } = await usageOf(owner, { from: inNewYork });
    assert.deepEqual(
      usage,
      everything.filter(({ createdAt }) => createdAt >= (newest?.createdAt ?? '')),
    );
  });

  it("members see their own runs' records only; owners, admins and viewers see all", async () => {
    const { usage } = await usageOf(member, { limit: '100' });
    assert.deepEqual(
      usage,
      everything.filter(({ pentestId }) => pentestId === membersRun),
    );
    assert.deepEqual((await usageOf(member, { apiKeyId: owner.apiKeyId })).usage, []);
    assert.deepEqual((await usageOf(member, { pentestId: ownersRun })).usage, []);
    for (const role of ['OWNER', 'ADMIN', 'VIEWER'] as const) {
      const other = await world.createMember({ accountId: owner.accountId, role });
      assert.deepEqual((await usageOf(other, { limit: '100' })).usage, everything, role);
    }
  });

  it("another account's records are never visible", async () => {
    const stranger = await world.createMember();
    for (const query of [
      {},
      { apiKeyId: owner.apiKeyId },
      { pentestId: ownersRun },
      { limit: '100', from: '2000-01-01' },
    ]) {
      assert.deepEqual(await usageOf(stranger, query as Record<string, string>), { usage: [], nextOffset: null });
    }
  });
});

describe('pages of GET /v1/credits/usage', () => {
  const RECORDS = 10_120;
  let owner: Member;

  before(async () => {
    owner = await world.createMember();
    await world.testDatabase.database.pool.query(
      `insert into credit_operation (id, account_id, operation_key, type, credits, description, available_after, held_after, created_at)
       select 'page_' || n, $1, 'page:' || n, 'GRANT', 1, 'number ' || n, n, 0, service_now() - ($2 - n) * interval '1 second'
         from generate_series(1, $2) as n order by n`,
      [owner.accountId, RECORDS],
    );
  });

  const ids = ({ usage }: CreditsUsage) => usage.map(({ id }) => id);
  const numbered = (first: number, count: number) => Array.from({ length: count }, (_, i) => `page_${first - i}`);

  it('have 20 records unless limit says otherwise, and nextOffset is where the next one begins', async () => {
    const first = await usageOf(owner);
    assert.deepEqual([ids(first), first.nextOffset], [numbered(RECORDS, 20), 20]);
    const second = await usageOf(owner, { offset: '20', limit: '7' });
    assert.deepEqual([ids(second), second.nextOffset], [numbered(RECORDS - 20, 7), 27]);
  });

  it('together have every record once; nextOffset is null on the last one, also when it is full', async () => {
    const walk = async (limit: number, query: Record<string, string>) => {
      const seen: string[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const page: CreditsUsage = await usageOf(owner, { ...query, limit: String(limit), offset: String(offset) });
        assert.ok(page.usage.length > 0 && page.usage.length <= limit);
        seen.push(...ids(page));
        offset = page.nextOffset;
      }
      return seen;
    };
    const { createdAt } = (await usageOf(owner, { offset: '59', limit: '1' })).usage[0] as UsageRecord;
    const latest = { from: createdAt };
    const all = ids(await usageOf(owner, { ...latest, limit: '100' }));
    assert.equal(all.length, 60);
    for (const limit of [1, 7, 20, all.length]) assert.deepEqual(await walk(limit, latest), all, String(limit));
  });

  it('go on after 10,000 records, until the last one', async () => {
    const last = await usageOf(owner, { offset: '9950', limit: '50' });
    assert.deepEqual([ids(last), last.nextOffset], [numbered(RECORDS - 9_950, 50), 10_000]);
    const beyond = await usageOf(owner, { offset: '10000', limit: '50' });
    assert.deepEqual([ids(beyond), beyond.nextOffset], [numbered(RECORDS - 10_000, 50), 10_050]);
    const end = await usageOf(owner, { offset: String(RECORDS - 50), limit: '100' });
    assert.equal(end.nextOffset, null);
  });

  it('are empty after the last record', async () => {
    const stranger = await world.createMember();
    assert.deepEqual(await usageOf(stranger, { offset: '10000' }), { usage: [], nextOffset: null });
  });

  it('take limit 1 to 100 and any offset from 0, and nothing else', async () => {
    for (const query of [{ limit: '1' }, { limit: '100' }, { offset: '0' }, { offset: '10000' }]) {
      await usageOf(owner, query as Record<string, string>);
    }
    for (const [name, values] of Object.entries({
      limit: ['0', '101', '-1', '', 'all', '1.0', '1e2', '0x10', '９'],
      offset: ['-1', '9007199254740992', '', '1,000', 'null', '99999999999999999999'],
    })) {
      for (const value of values) {
        const answer = await get(`/v1/credits/usage?${new URLSearchParams({ [name]: value })}`, owner);
        assertRefused(answer, 'VALIDATION_ERROR', name);
      }
    }
  });
});

describe('GET /v1/levels', () => {
  it('answers what each depth costs and allows', async () => {
    const { levels } = parseAnswer(endpoints.listLevels, await get('/v1/levels', await world.createMember()));
    assert.deepEqual(
      levels.map((level) => Object.values(level)),
      [
        ['LEAD', 'Light', 400, 0, false, true, 30],
        ['STANDARD', 'Standard', 2_000, 500, true, true, 180],
        ['DEEP', 'Deep', 6_000, 1_500, true, true, 480],
        ['EXTENDED', 'Extended', 12_000, 3_000, true, false, 960],
        ['MAXIMUM', 'Maximum', 25_000, 6_000, true, false, 2_160],
      ],
    );
  });
});
