import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CapsuleContent, Retest } from '@sortie/contract';
import { createTarget, grantCredits } from '../world/starts.ts';
import type { World } from '../world/world.ts';
import type { People, Person } from './people.ts';

export interface RetestedSite {
  origin: string;
  port: number;
  /** Whether it sends the header that the findings miss. */
  isRepaired: boolean;
  requests: number;
  /** Called before each response. */
  onRequest(): Promise<void>;
  close(): void;
}

/** A site without a Content-Security-Policy until it is repaired. */
export async function startRetestedSite(): Promise<RetestedSite> {
  const server = createServer(async (_request, response) => {
    site.requests++;
    await site.onRequest();
    const policy = site.isRepaired ? { 'content-security-policy': "default-src 'self'" } : {};
    response.writeHead(200, { 'content-type': 'text/html', ...policy }).end('<p>Welcome</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const site: RetestedSite = {
    origin: `http://127.0.0.1:${port}`,
    port,
    isRepaired: false,
    requests: 0,
    onRequest: async () => undefined,
    close: () => server.close(),
  };
  return site;
}

const contentOf = (origin: string, fingerprint: string): CapsuleContent => ({
  version: 1,
  checkId: 'csp-missing',
  fingerprint,
  confidence: 'CONFIRMED',
  depth: 'LEAD',
  origin,
  subject: { origin },
  variant: { pages: ['/', '/teas'].map((place) => ({ url: origin + place, seenAs: null })) },
  accounts: [],
  steps: [],
  oracle: { name: 'csp-missing', verdicts: ['PROVED', 'PROVED'] },
  isComplete: true,
  provedAt: '2026-01-01T12:20:00.000Z',
});

export interface RetestedRun {
  runId: string;
  verificationId: string;
  /** The last one has no capsule. */
  findingIds: string[];
}

/** A finished Light run of the site with findings, as a worker would have stored them. */
export async function createRetestedRun(world: World, people: People, origin: string): Promise<RetestedRun> {
  const { queries } = world.testDatabase.database;
  await grantCredits(world.admin, people, 100_000);
  const { verificationId } = await createTarget(world.admin, people, `${origin}/`);
  const { targetId } = await queries
    .selectFrom('verification')
    .select('target_id as targetId')
    .where('id', '=', verificationId)
    .executeTakeFirstOrThrow();
  const runId = `pen_retested${new URL(origin).port}`;
  const now = new Date();
  await queries
    .insertInto('pentest')
    .values({
      ...{ id: runId, account_id: people.accountId, user_id: people.OWNER.userId, target_id: targetId },
      ...{ verification_id: verificationId, target_url: `${origin}/`, depth: 'LEAD', expert_review: false },
      ...{ status: 'COMPLETED', max_minutes: 30, max_requests: 3_000, model_budget_microdollars: 1_000_000 },
      ...{ handed_over_at: now, started_at: now, completed_at: now },
    })
    .execute();
  const findingIds = ['one', 'two', 'three', 'bare'].map((name) => `fnd_${name}${new URL(origin).port}`);
  for (const id of findingIds) {
    const common = { title: 'CSP missing', severity: 'LOW', confidence: 'CONFIRMED', check_id: 'csp-missing' } as const;
    await queries
      .insertInto('pentest_finding')
      .values({ ...common, id, pentest_id: runId, fingerprint: id })
      .execute();
    if (id.startsWith('fnd_bare')) continue;
    const content = JSON.stringify(contentOf(origin, id));
    await queries.insertInto('capsule').values({ pentest_id: runId, fingerprint: id, content }).execute();
  }
  return { runId, verificationId, findingIds };
}

export const askForRetest = (person: Person, { accountId }: People, runId: string, findingIds: readonly string[]) =>
  person.call(`/api/accounts/${accountId}/runs/${runId}/retests`, { method: 'POST', body: { findingIds } });

export async function readRetest(person: Person, { accountId }: People, id: string): Promise<Retest> {
  const { body } = await person.call(`/api/accounts/${accountId}/retests/${id}`);
  return body as unknown as Retest;
}
