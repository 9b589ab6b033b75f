import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListPentestsResponse } from '@sortie/contract';
import { type Answer, call } from '../http/call.ts';
import { createTarget, grantCredits, start, type Target } from '../world/starts.ts';
import type { Member, World } from '../world/world.ts';
import { type Case, cases, expectedOf, firstBody, GIVEN_UP_SECONDS, type Kind, type State } from './cases.ts';

export const CREDITS = 1_000_000;

interface Tenant {
  member: Member;
  otherKey: Member;
  target: Target;
}

export interface Timed {
  answer: Answer;
  sentAt: number;
  answeredAt: number;
}

interface Sent {
  first: Timed | undefined;
  second: Timed;
  /** The response to a repetition of the second request. */
  again: Answer;
}

interface SeenRun {
  id: string;
  url: string;
  shown: string;
}

/** The results of a case. */
export interface Played extends Sent {
  runs: SeenRun[];
}

interface Group {
  world: World;
  state: State;
  own: Tenant;
  other: Tenant;
  keys: Map<Case, string>;
}

export interface PlayedState extends Group {
  played: Map<Case, Played>;
}

/** Plays all cases of a state together: prepares every key, lets time pass, and sends all requests. */
export async function playState(world: World, state: State): Promise<PlayedState> {
  const members = cases.filter((one) => one.state === state);
  const own = await createTenant(world, { isAssigned: state.first !== 'refused' });
  const other = await createTenant(world, { isAssigned: true });
  const keys = new Map(members.map((one) => [one, randomUUID()]));
  const group = { world, state, own, other, keys };
  const sent =
    state.first === 'running'
      ? await inBatches(members, (batch) => playRunning(group, batch))
      : await playInOrder(group, members);
  if (members.some((one) => expectedOf(one).runs.some(({ isGivenUp }) => isGivenUp))) await waitForSweep(group);
  const runs = [...(await readRuns(world, own, 'own')), ...(await readRuns(world, other, 'other'))];
  const runsOf = ({ number }: Case) => runs.filter(({ url }) => url.includes(`/case-${number}/`));
  const played = members.map((one, i): [Case, Played] => [one, { ...(sent[i] as Sent), runs: runsOf(one) }]);
  return { ...group, played: new Map(played) };
}

/** Creates a member without owner rights, who cannot use a target until it is assigned. */
async function createTenant(world: World, { isAssigned }: { isAssigned: boolean }): Promise<Tenant> {
  const { accountId } = await world.createMember();
  const member = await world.createMember({ accountId, role: 'MEMBER' });
  const tenant = { member, otherKey: await world.createKey(member), target: await createTarget(world.admin, member) };
  if (isAssigned) await assign(world, tenant);
  await grantCredits(world.admin, member, CREDITS);
  return tenant;
}

const assign = ({ admin }: World, { member, target }: Tenant) =>
  admin.target.assign({ id: target.verificationId, user: member.userId });

async function playInOrder(group: Group, members: readonly Case[]): Promise<Sent[]> {
  const sendSeconds = () => inBatches(members, (batch) => Promise.all(batch.map((one) => sendSecond(group, one))));
  const firsts = await prepare(group, members);
  await letTimePass(group);
  return combine(firsts, await sendSeconds(), await sendSeconds());
}

/** Sends the second requests while the first ones wait for the account lock, so that exactly their keys are in use. */
async function playRunning(group: Group, batch: readonly Case[]): Promise<Sent[]> {
  const sendSeconds = () => Promise.all(batch.map((one) => sendSecond(group, one)));
  const waiting = await whileLocked(group.world, group.own.member.accountId, async () => {
    const firsts = batch.map((one) => sendFirst(group, one));
    await waitUntilLocked(group.world, batch.length);
    return { firsts, seconds: await sendSeconds(), again: await sendSeconds() };
  });
  return combine(await Promise.all(waiting.firsts), waiting.seconds, waiting.again);
}

function combine(firsts: (Timed | undefined)[], seconds: Timed[], again: Timed[]): Sent[] {
  return seconds.map((second, i) => ({ first: firsts[i], second, again: (again[i] as Timed).answer }));
}

/** Brings every key into the state, except for the passing of time. */
async function prepare(group: Group, members: readonly Case[]): Promise<(Timed | undefined)[]> {
  const { world, own, state } = group;
  const sendFirsts = () => inBatches(members, (batch) => Promise.all(batch.map((one) => sendFirst(group, one))));
  if (state.first === 'none') return members.map(() => undefined);
  if (state.first === 'failed with nothing created') return whileNothingCanBeCreated(group, sendFirsts);
  if (state.first === 'failed with the run created') {
    await world.admin.fault.handover({ failNext: String(members.length) });
  }
  const firsts = await sendFirsts();
  if (state.first === 'refused') await assign(world, own);
  return firsts;
}

async function letTimePass(group: Group): Promise<void> {
  const { ageSeconds, first } = group.state;
  let rest = ageSeconds;
  // A start that is given up is remembered from that moment, so it must be given up before the clock moves on.
  if (first === 'failed with the run created' && ageSeconds > 2 * GIVEN_UP_SECONDS) {
    await advance(group, GIVEN_UP_SECONDS + 1);
    await waitForSweep(group);
    rest -= GIVEN_UP_SECONDS + 1;
  }
  if (rest > 0) await advance(group, rest);
}

const advance = ({ world }: Group, seconds: number) => world.admin.clock.advance({ duration: `${seconds}s` });

const paths = { pentest: '/v1/pentests', scan: '/v1/scans' } as const;

async function send({ world }: Group, kind: Kind, member: Member, body: string, key = ''): Promise<Timed> {
  const sentAt = performance.now();
  const answer = await start(world.server.baseUrl, paths[kind], member, body, { idempotencyKey: key });
  return { answer, sentAt, answeredAt: performance.now() };
}

const subjectOf = ({ number }: Case, { target }: Tenant) => ({
  url: `${target.targetUrl}case-${number}/`,
  verificationId: target.verificationId,
});

function sendFirst(group: Group, one: Case): Promise<Timed> {
  const { own, keys } = group;
  return send(group, one.kind, own.member, firstBody(one.kind, subjectOf(one, own)), keys.get(one));
}

function sendSecond(group: Group, one: Case): Promise<Timed> {
  const { own, other, keys } = group;
  const { sender, sentTo, body } = one;
  const tenant = sender === 'another account' ? other : own;
  const member = sender === 'another API key of the account' ? own.otherKey : tenant.member;
  return send(group, sentTo, member, body.write(subjectOf(one, tenant)), keys.get(one));
}

/** Few enough that the starts waiting for one account never use up the server's connection pool. */
const AT_ONCE = 5;

async function inBatches<T, R>(all: readonly T[], work: (batch: readonly T[]) => Promise<R[]>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < all.length; i += AT_ONCE) results.push(...(await work(all.slice(i, i + AT_ONCE))));
  return results;
}

export async function waitFor(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `timed out waiting for: ${what}`);
    await sleep(20);
  }
}

const query = async ({ world }: Pick<Group, 'world'>, text: string, values: unknown[] = []) =>
  (await world.testDatabase.database.pool.query(text, values)).rows;

/** Makes every start of the account fail in the middle of its transaction. */
async function whileNothingCanBeCreated<T>(group: Group, work: () => Promise<T>): Promise<T> {
  await query(
    group,
    `create function fail_start() returns trigger language plpgsql as
     $$ begin raise exception 'this start fails because the test wants it'; end $$`,
  );
  for (const table of ['pentest', 'scan']) {
    await query(
      group,
      `create trigger fail_start before insert on ${table} for each row
       when (new.account_id = '${group.own.member.accountId}') execute function fail_start()`,
    );
  }
  try {
    return await work();
  } finally {
    await query(group, 'drop function fail_start cascade');
  }
}

/** Blocks the starts of an account in the middle of their transactions. */
export async function whileLocked<T>(world: World, accountId: string, work: () => Promise<T>): Promise<T> {
  const client = await world.testDatabase.database.pool.connect();
  try {
    await client.query('begin');
    await client.query('select from account where id = $1 for no key update', [accountId]);
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Waits until this many starts wait for the account lock. */
export function waitUntilLocked(world: World, starts: number): Promise<void> {
  const text = `select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%for no key update%'`;
  return waitFor(`${starts} starts wait`, async () => {
    const [row] = await query({ world }, text);
    return row.waiting === starts;
  });
}

/** Waits until the background sweep has given up the failed starts. */
function waitForSweep(group: Group): Promise<void> {
  const overdue = (table: string) =>
    `exists (select from ${table} where account_id = $1 and completed_at is null and handed_over_at is null)`;
  return waitFor('the failed starts are given up', async () => {
    const text = `select ${overdue('pentest')} or ${overdue('scan')} as "isWaiting"`;
    const [row] = await query(group, text, [group.own.member.accountId]);
    return !row.isWaiting;
  });
}

/** Reads pentests through the API and scans from the database, because scans have no list. */
async function readRuns(world: World, { member }: Tenant, account: string): Promise<SeenRun[]> {
  const list = await call(`${world.server.baseUrl}/v1/pentests?limit=100`, { key: member.apiKey });
  const { pentests, nextOffset } = list.body as unknown as ListPentestsResponse;
  assert.equal(nextOffset, null);
  const text = 'select id, url, status, failure_code as failure from scan where account_id = $1';
  const scans = await query({ world }, text, [member.accountId]);
  return [
    ...pentests.map(({ id, targetUrl, status, credits: { state, reserved, charged, returned } }) => ({
      id,
      url: targetUrl,
      shown: `${account} pentest ${status} ${state} ${reserved} ${charged} ${returned}`,
    })),
    ...scans.map(({ id, url, status, failure }) => ({
      id,
      url,
      shown: `${account} scan ${status} ${failure === null ? 'without' : 'with'} failure`,
    })),
  ];
}
