import type { ErrorCode } from '@sortie/contract';
import { lockAccount } from '../accounts/accounts.ts';
import { type Catalogue, planOf } from '../billing/catalogue.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { sayOneTooMany } from '../pentests/pentests.ts';
import {
  type CreateRun,
  createStart,
  type RunKind,
  type Start,
  type StartContext,
  startOnce,
} from '../starts/starts.ts';
import { readOrigin, SANDBOX_NAME } from '../targets/targets.ts';
import { StagedRefusal } from './staged-refusal.ts';
import { countStart, insertStory } from './store.ts';
import { stories } from './stories.ts';
import type { Act, Story } from './story.ts';

/** Replaces the usual two minutes, so that tests of clients need not wait. */
const CLAIM_HELD_MS = 3_000;

interface Found extends Story {
  name: string;
  acts: readonly Act[];
}

/** Returns the function that starts runs in environment `test`: targets below the sandbox's name play their stories. */
export function createSandboxStart(starts: StartContext, catalogue: Catalogue): Start {
  const startPlainly = createStart(starts);
  return async (kind, request, create) => {
    const story = findStory(kind, request.url);
    if (!story) return startPlainly(kind, request, create);
    const isTroubled = story.failure !== undefined || story.refusal?.forMs !== undefined;
    const counted = isTroubled ? await countStart(starts.database.queries, request) : { attempts: 1, sinceMs: 0 };
    const context = { ...starts, ...toStage(starts, kind, story, counted.attempts === 1) };
    const findMessage: FindMessage = (tx, code) => messageOf(tx, code, { catalogue, accountId: request.accountId });
    return startOnce(context, kind, request, refusing(kind, story, counted, findMessage) ?? create);
  };
}

const tableOf = ({ endpoint }: RunKind) => (endpoint === 'POST /v1/pentests' ? 'pentest' : 'scan');

function findStory(kind: RunKind, url: string): Found | undefined {
  const host = readOrigin(url)?.host;
  if (host === undefined || !`.${host}`.endsWith(`.${SANDBOX_NAME}`)) return undefined;
  const name = host.slice(0, -SANDBOX_NAME.length - 1);
  const story = Object.hasOwn(stories, name) ? stories[name] : undefined;
  const acts = story?.[tableOf(kind)];
  if (story && acts) return { ...story, name, acts };
  const field = fieldOf(kind);
  const message = `${field}: the sandbox has no story ${JSON.stringify(name)} for a ${tableOf(kind)}. docs/sandbox.md lists them.`;
  throw new AppError('VALIDATION_ERROR', { field, message });
}

const fieldOf = (kind: RunKind) => (tableOf(kind) === 'pentest' ? 'targetUrl' : 'url');

/** Returns the settings and the hand-over that the story changes for its own start. */
function toStage(
  { handOver, settings }: StartContext,
  kind: RunKind,
  { name, acts, failure }: Found,
  isFirst: boolean,
): Pick<StartContext, 'handOver' | 'settings'> {
  const [first] = acts;
  return {
    settings: failure
      ? { claimHeldMs: CLAIM_HELD_MS, givenUpAfterMs: failure.isGivenUp ? 0 : settings.givenUpAfterMs }
      : settings,
    async handOver(claim, enqueue) {
      if (failure?.isCreated && isFirst) throw new Error('simulated failure of the hand-over');
      return handOver(claim, async (tx) => {
        const started = await enqueue(tx);
        const { runId } = claim;
        await insertStory(tx, { table: tableOf(kind), runId, story: name, afterMs: first?.afterMs ?? 0 });
        return started;
      });
    },
  };
}

/** Returns a function that refuses or fails the creation of the run; undefined if the story does neither. */
function refusing(
  kind: RunKind,
  { refusal, failure }: Found,
  { attempts, sinceMs }: { attempts: number; sinceMs: number },
  findMessage: FindMessage,
): CreateRun | undefined {
  if (failure && !failure.isCreated && attempts === 1) {
    return () => Promise.reject(new Error('simulated failure of the start'));
  }
  if (!refusal) return undefined;
  const leftMs = (refusal.forMs ?? Number.POSITIVE_INFINITY) - sinceMs;
  if (leftMs <= 0) return undefined;
  // The service cannot know when a pentest ends, so it sends no Retry-After for a concurrency limit.
  const hasRetryAfter = refusal.forMs !== undefined && refusal.code !== 'PENTEST_CONCURRENCY_EXCEEDED';
  return async (tx) => {
    throw new StagedRefusal(refusal, {
      ...(await findMessage(tx, refusal.code)),
      ...(refusal.code === 'VALIDATION_ERROR' && { field: fieldOf(kind) }),
      ...(hasRetryAfter && { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) }),
    });
  };
}

type FindMessage = (tx: Transaction, code: ErrorCode) => Promise<{ message?: string }>;

/** Returns the service's own message if it depends on the account, otherwise the contract's. */
async function messageOf(
  tx: Transaction,
  code: ErrorCode,
  { accountId, catalogue }: { accountId: string; catalogue: Catalogue },
): Promise<{ message?: string }> {
  if (code !== 'PENTEST_CONCURRENCY_EXCEEDED') return {};
  const { plan } = await lockAccount(tx, accountId);
  return { message: sayOneTooMany(planOf(catalogue, plan).concurrentPentests) };
}
