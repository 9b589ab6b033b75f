import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { CreditsBalance, Pentest } from '@sortie/contract';
import { type Answer, call } from '../http/call.ts';
import { createTarget, grantCredits, start, type Target } from '../world/starts.ts';
import type { Member, World } from '../world/world.ts';

/** API-only nodes: no worker takes runs from the queue. */
export const answeringOnly = ['--no-demo', '--role', 'api'];

export type Path = '/v1/pentests' | '/v1/scans';
export const paths: readonly Path[] = ['/v1/pentests', '/v1/scans'];

export interface Starter {
  world: World;
  /** Creates targets and sees all runs. */
  owner: Member;
  /** The member whose starts are tested, with the target assigned. */
  member: Member;
  target: Target;
}

interface Means {
  credits?: number;
  budget?: string;
}

export async function createStarter(world: World, { credits = 10_000, ...caps }: Means = {}): Promise<Starter> {
  const owner = await world.createMember();
  const member = await world.createMember({ accountId: owner.accountId, role: 'MEMBER', ...caps });
  const starter = { world, owner, member, target: await createTarget(world.admin, owner) };
  await assign(starter);
  await grantCredits(world.admin, owner, credits);
  return starter;
}

const assignment = ({ member, target }: Starter) => ({ id: target.verificationId, user: member.userId });
export const assign = (starter: Starter) => starter.world.admin.target.assign(assignment(starter));
export const unassign = (starter: Starter) => starter.world.admin.target.unassign(assignment(starter));

/** Returns the same member with another target, hence another body. */
export async function withOtherTarget(starter: Starter): Promise<Starter> {
  const other = { ...starter, target: await createTarget(starter.world.admin, starter.owner) };
  await assign(other);
  return other;
}

export const bodyFor = (path: Path, target: Target): object =>
  path === '/v1/scans' ? { url: target.targetUrl } : { ...target };

/** Uses a new idempotency key by default. */
export function post(
  path: Path,
  { world, member, target }: Starter,
  idempotencyKey: string = randomUUID(),
  baseUrl = world.server.baseUrl,
): Promise<Answer> {
  return start(baseUrl, path, member, bodyFor(path, target), { idempotencyKey });
}

export async function get<T>({ world, owner }: Starter, path: string): Promise<T> {
  const { status, text, body } = await call(world.server.baseUrl + path, { key: owner.apiKey });
  assert.equal(status, 200, text);
  return body as T;
}

export const balanceOf = (starter: Starter) => get<CreditsBalance>(starter, '/v1/credits/balance');

export const pentestsOf = async (starter: Starter) =>
  (await get<{ pentests: Pentest[] }>(starter, '/v1/pentests?limit=100')).pentests;

/** Reads the database, because scans have no list. */
export async function countScans({ world, owner }: Starter): Promise<number> {
  const { pool } = world.testDatabase.database;
  const { rows } = await pool.query('select count(*) as scans from scan where account_id = $1', [owner.accountId]);
  return rows[0].scans;
}

/** Asserts that there is one run, with the credits of the cheapest level. */
export async function assertOneRun(path: Path, starter: Starter): Promise<void> {
  const [pentests, scans] = [await pentestsOf(starter), await countScans(starter)];
  const { held } = await balanceOf(starter);
  assert.deepEqual([pentests.length, scans, held], path === '/v1/scans' ? [0, 1, 0] : [1, 0, 400]);
}

export const isReplay = ({ headers }: Answer) => headers['idempotent-replayed'] === 'true';

/** Asserts a first response that describes a new run. */
export function assertFirst(answer: Answer): void {
  assert.deepEqual([answer.status, answer.headers['idempotent-replayed']], [201, undefined], answer.text);
}

export function assertReplay(answer: Answer, first: Answer): void {
  assert.deepEqual([answer.status, isReplay(answer), answer.text], [201, true, first.text]);
  assert.equal(answer.headers['content-type'], first.headers['content-type']);
}
