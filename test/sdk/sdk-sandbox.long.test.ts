import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createClient, type Judgement, type Retry, type ScanJudgement } from '@sortie/sdk';
import { stories } from '@sortie/testing/inside/server.ts';
import { type Client as Customer, createClient as createCustomer, urlOf } from '@sortie/testing/server/sandbox.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let customer: Customer;
before(async () => {
  world = await createWorld({ env: manyRequests });
  customer = await createCustomer(world);
});
after(() => world.end());

/** Half a minute is what a client waits that was refused by the edge, which lets it in again sooner here. */
const LONGEST_SLEEP_MS = 2_500;
const clock = {
  now: () => performance.now(),
  sleep: (milliseconds: number, signal?: AbortSignal) =>
    sleep(Math.min(milliseconds, LONGEST_SLEEP_MS), undefined, signal ? { signal } : {}),
};

const FULL_WAIT = { maxWaitMs: 60_000, pollMs: 200 };
const SHORT_WAIT = { maxWaitMs: 15_000, pollMs: 200 };

/** What came of it in a few words, with each repetition before it. */
type Told = string;

const told = (judgement: Judgement | ScanJudgement): Told => {
  switch (judgement.kind) {
    case 'passed':
      return `passed with ${judgement.findings.length}`;
    case 'failed':
      return `failed for ${judgement.failing.length} of ${judgement.findings.length}`;
    case 'ended':
      return 'pentest' in judgement ? `ended ${judgement.pentest.status}` : 'ended without a score';
    case 'undecided':
      return `undecided: ${judgement.reason}`;
    case 'unsupported':
      return `unsupported: ${judgement.status}`;
  }
};

type Play = (client: ReturnType<typeof createClient>, story: string) => Promise<Told>;

const plays: Record<'pentest' | 'scan', Play> = {
  async pentest(client, story) {
    const depth = story.startsWith('review-') ? 'STANDARD' : 'LEAD';
    const body = { targetUrl: urlOf(story), verificationId: customer.verificationId, depth } as const;
    const { data } = await client.pentests.start(body);
    const judgement = await client.waitForJudgement(data.id, stays.has(story) ? SHORT_WAIT : FULL_WAIT);
    if (stays.has(story)) await client.pentests.cancel(data.id);
    return told(judgement);
  },
  async scan(client, story) {
    const { data } = await client.scans.start({ url: urlOf(story) });
    return told(await client.waitForScan(data.id, FULL_WAIT));
  },
};

async function play(kind: keyof typeof plays, story: string): Promise<Told> {
  const retries: Retry[] = [];
  const onRetry = (retry: Retry) => void retries.push(retry);
  const client = createClient({ apiKey: customer.apiKey, baseUrl: world.server.baseUrl, clock, onRetry });
  const outcome = await plays[kind](client, story).catch((error: unknown) => {
    assert.ok(error instanceof ApiError, String(error));
    return error.code;
  });
  const met = retries.map(({ error }) => (error instanceof ApiError ? error.code : 'no answer'));
  return [...new Set(met), outcome].join(', then ');
}

/** Those that do not end by themselves. */
const stays = new Set([
  'review-pending',
  'review-rejected',
  'queued',
  'runs-until-cancelled',
  'paused',
  'unknown-status-stays',
]);

const troubles = (end: Told): Record<string, Told> => ({
  'start-500-then-retry': `INTERNAL_ERROR, then IDEMPOTENCY_IN_PROGRESS, then ${end}`,
  'start-500-not-created': `INTERNAL_ERROR, then IDEMPOTENCY_IN_PROGRESS, then ${end}`,
  'start-409': `IDEMPOTENCY_IN_PROGRESS, then ${end}`,
  'rate-limited': `RATE_LIMITED, then ${end}`,
  'edge-limited': `HTTP_429, then ${end}`,
});

const refusals = {
  forbidden: 'FORBIDDEN',
  'account-suspended': 'ACCOUNT_SUSPENDED',
  unauthorized: 'UNAUTHORIZED',
  'validation-error': 'VALIDATION_ERROR',
};

const expected: Record<keyof typeof plays, Record<string, Told>> = {
  pentest: {
    'released-clean': 'passed with 0',
    'released-findings': 'failed for 4 of 15',
    'released-many-findings': 'failed for 48 of 120',
    'released-untested': 'undecided: untested',
    'released-partly-tested': 'passed with 0',
    'findings-fill-in': 'failed for 4 of 4',
    'review-pending': 'undecided: report-not-released',
    'review-released': 'failed for 1 of 1',
    'review-rejected': 'undecided: report-not-released',
    failed: 'ended FAILED',
    'failed-late': 'ended FAILED',
    'cancelled-with-charge': 'ended CANCELLED',
    queued: 'undecided: running',
    'runs-until-cancelled': 'undecided: running',
    paused: 'undecided: needs-dashboard',
    'unknown-status': 'passed with 0',
    'unknown-status-stays': 'unsupported: CALIBRATION',
    ...troubles('passed with 0'),
    'start-500-then-failed': 'INTERNAL_ERROR, then IDEMPOTENCY_IN_PROGRESS, then ended FAILED',
    concurrency: 'PENTEST_CONCURRENCY_EXCEEDED',
    'insufficient-credits': 'INSUFFICIENT_CREDITS',
    'key-budget': 'API_KEY_CAP_EXCEEDED',
    'member-allowance': 'ORG_CREDIT_CAP_EXCEEDED',
    'api-runs-disabled': 'TARGET_API_RUNS_DISABLED',
    'not-found': 'NOT_FOUND',
    ...refusals,
  },
  scan: {
    'scan-clean': 'passed with 0',
    'scan-warnings': 'passed with 3',
    'scan-findings': 'failed for 2 of 5',
    'scan-failed': 'ended without a score',
    'scan-slow': 'passed with 0',
    ...troubles('passed with 0'),
    'start-500-then-failed': 'INTERNAL_ERROR, then IDEMPOTENCY_IN_PROGRESS, then ended without a score',
    'target-not-assigned': 'TARGET_NOT_ASSIGNED',
    'plan-limit': 'PLAN_LIMIT_EXCEEDED',
    ...refusals,
  },
};

for (const kind of ['pentest', 'scan'] as const) {
  describe(`the client in the sandbox, with a ${kind}`, { concurrency: 6 }, () => {
    it('is tried with every story there is', () => {
      const known = Object.keys(stories).filter((story) => stories[story]?.[kind]);
      assert.deepEqual(Object.keys(expected[kind]).toSorted(), known.toSorted());
    });
    for (const [story, outcome] of Object.entries(expected[kind])) {
      it(`${story}: ${outcome}`, async () => assert.equal(await play(kind, story), outcome));
    }
  });
}
