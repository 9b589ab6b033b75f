import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { endpoints, type Pentest, type Scan } from '@sortie/contract';
import type { Answer } from '../http/call.ts';
import { get, parseAnswer } from '../world/pentests.ts';
import { createTarget, grantCredits, start } from '../world/starts.ts';
import type { Member, World } from '../world/world.ts';
import { waitFor } from './up.ts';

/** A member whose account may start every story. */
export interface Client extends Member {
  verificationId: string;
}

export async function createClient(world: World): Promise<Client> {
  const member = await world.createMember();
  await world.admin.account.setPlan({ id: member.accountId, plan: 'business' });
  await grantCredits(world.admin, member, 100_000);
  const { verificationId } = await createTarget(world.admin, member, 'https://sandbox.example/');
  return { ...member, verificationId };
}

export const urlOf = (story: string) => `https://${story}.sandbox.example/`;

type Depth = 'LEAD' | 'STANDARD';

/** Returns a function that sends the start of a story, with the same key and body each time. */
export function pentestStart({ server }: World, client: Client, story: string, depth: Depth = 'LEAD') {
  const idempotencyKey = randomUUID();
  const body = { targetUrl: urlOf(story), verificationId: client.verificationId, depth };
  return () => start(server.baseUrl, '/v1/pentests', client, body, { idempotencyKey });
}

export function scanStart({ server }: World, client: Client, story: string) {
  const idempotencyKey = randomUUID();
  return () => start(server.baseUrl, '/v1/scans', client, { url: urlOf(story) }, { idempotencyKey });
}

/** Retries like a well-behaved client as long as the response asks for it. Resolves to the status of every attempt. */
export async function sendUntilFinal(send: () => Promise<Answer>): Promise<{ statuses: number[]; last: Answer }> {
  const statuses: number[] = [];
  for (;;) {
    const last = await send();
    statuses.push(last.status);
    if (![409, 429, 500].includes(last.status)) return { statuses, last };
    assert.ok(statuses.length < 30, `no end after ${statuses.join(' ')}`);
    await sleep(Number(last.headers['retry-after'] ?? 1) * 1_000);
  }
}

/** Limits the load of many concurrent clients on the server. */
const POLL_EVERY_MS = 200;

async function poll(look: () => Promise<boolean>, what: () => string): Promise<void> {
  const withRest = async () => (await look()) || (await sleep(POLL_EVERY_MS, false));
  await waitFor(withRest, { what, withinMs: 60_000 });
}

export interface Seen extends Omit<Pentest, 'status'> {
  /** May be one that is not in the contract. */
  status: string;
}

interface Followed {
  /** In order, without repetitions. */
  statuses: string[];
  last: Seen;
}

export const idOf = ({ status, body, text }: Answer) => {
  assert.equal(status, 201, text);
  return String(body?.id);
};

/** Polls until the run is in the wanted state. */
export async function follow(
  { server }: World,
  client: Client,
  id: string,
  isThere: (seen: Seen) => boolean,
): Promise<Followed> {
  const statuses: string[] = [];
  let last: Seen | undefined;
  const look = async () => {
    const answer = await get(server.baseUrl, client, `/v1/pentests/${id}`);
    assert.equal(answer.status, 200, answer.text);
    last = answer.body as unknown as Seen;
    if (statuses.at(-1) !== last.status) statuses.push(last.status);
    return isThere(last);
  };
  await poll(look, () => `an end of ${JSON.stringify(last)}`);
  assert.ok(last);
  return { statuses, last };
}

export async function followScan({ server }: World, client: Client, id: string): Promise<Scan> {
  let scan: Scan | undefined;
  const look = async () => {
    scan = parseAnswer(endpoints.getScan, await get(server.baseUrl, client, `/v1/scans/${id}`));
    return scan.status === 'COMPLETED';
  };
  await poll(look, () => `an end of ${JSON.stringify(scan)}`);
  assert.ok(scan);
  return scan;
}

export const scanFindingsOf = async ({ server }: World, client: Client, id: string) =>
  parseAnswer(endpoints.listScanFindings, await get(server.baseUrl, client, `/v1/scans/${id}/findings`));
