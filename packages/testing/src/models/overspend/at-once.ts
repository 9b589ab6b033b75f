import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { expireInModel } from '../ledger/model.ts';
import { type Attempt, toAnswer } from './attempt.ts';
import { assertAnswer } from './lists.ts';
import type { Answer } from './model.ts';
import { forgetInModel, lookUp, sweepInModel, takeInModel } from './model-claims.ts';
import { createInModel, giveUpInModel, handOverInModel } from './model-starts.ts';
import { withOrder } from './order.ts';
import type { OverspendContext, Step } from './step.ts';
import { sweep } from './sweep.ts';

/** A committed transaction, and its comparison with the model. */
interface Happening {
  order: number;
  name: string;
  compare(): void;
}

interface Sent {
  happenings: Happening[];
  answers: unknown[];
  attempt?: Attempt;
}

async function sendOrdered(step: Step, context: OverspendContext): Promise<Sent> {
  if (step.kind === 'start') return sendStart(step, context);
  if (step.kind === 'sweep') return sendSweep(context);
  let drawn: number | undefined;
  const answer = await step.send(withOrder(context.database, (order) => (drawn = order)));
  const { name } = step;
  const compare = () => void assertAnswer(answer, step.inModel());
  // Only a missing run is reported without a transaction, and it is missing before and after.
  return { answers: [answer], happenings: [{ order: drawn ?? Infinity, name, compare }] };
}

async function sendSweep({ product, database, model }: OverspendContext): Promise<Sent> {
  const happenings: Happening[] = [];
  let givingUp: string | undefined;
  const ordered = withOrder(database, (order, error) => {
    const runId = givingUp;
    if (error) return;
    const compare = () => {
      if (runId === undefined) expireInModel(model.ledger);
      else assert.ok(sweepInModel(model, runId), `${runId} is to be given up`);
    };
    happenings.push({ order, name: runId === undefined ? 'expired' : 'given up', compare });
  });
  await sweep(product, ordered, (runId) => {
    givingUp = runId;
  });
  const answers = happenings.map(({ name }) => ({ code: name }));
  happenings.push({ order: Infinity, name: 'sweep of claims', compare: () => forgetInModel(model) });
  return { answers, happenings };
}

/** A start has up to two transactions: the creation of its run, and the end of its claim. */
async function sendStart(step: Step & { kind: 'start' }, context: OverspendContext): Promise<Sent> {
  const ended: { order: number; phase: Attempt['phase']; error: unknown }[] = [];
  const database = withOrder(context.database, (order, error) => ended.push({ order, phase: attempt.phase, error }));
  const attempt = step.begin(database);
  const answer = await attempt.answer;
  const happenings = ended.map(({ order, phase, error }) => ({
    order,
    name: `${phase} of ${step.name}`,
    compare() {
      const isCreated = phase === 'creation' && error === undefined;
      const told = isCreated ? undefined : error === undefined ? answer : toAnswer(error);
      assertAnswer(told, happenInModel(context, attempt, phase));
      if (!isCreated) assert.deepEqual(answer, told, 'what the caller was told');
    },
  }));
  return { answers: [answer], attempt, happenings };
}

function happenInModel({ model }: OverspendContext, attempt: Attempt, phase: Attempt['phase']): Answer | undefined {
  const claim = model.claims.get(attempt.request.idempotencyKey);
  if (claim?.owner !== attempt) {
    assert.equal(lookUp(model, attempt.request), undefined, 'the key was free');
    const { state } = takeInModel(model, attempt);
    assert.equal(state, phase === 'creation' ? 'CLAIMED' : 'CREATED', 'what there was of the start');
  }
  if (phase === 'creation') return createInModel(model, attempt);
  return phase === 'hand-over' ? handOverInModel(model, attempt) : giveUpInModel(model, attempt);
}

/**
 * Sends all steps concurrently, then replays them in the model in the order in which the locks were held: the results
 * must be equal.
 */
export async function sendAtOnce(context: OverspendContext, steps: readonly Step[]): Promise<unknown[]> {
  const { model } = context;
  const sent = await allOf(steps.map((step) => sendOrdered(step, context)));
  const attempts = sent.flatMap(({ attempt }) => attempt ?? []);
  const knownBefore = new Map(attempts.map((attempt) => [attempt, lookUp(model, attempt.request)]));
  happenInOrder(sent.flatMap(({ happenings }) => happenings));
  for (const { attempt, answers, happenings } of sent) {
    if (!attempt || happenings.length > 0) continue;
    const [answer] = answers;
    if (isRefusedStranger(context, attempt, answer as Answer)) continue;
    const before = knownBefore.get(attempt);
    if (before) assert.deepEqual(answer, before, attempt.request.idempotencyKey);
    else assertRivalAnswered(context, attempt, answer as Answer, attempts);
  }
  return sent.flatMap(({ answers }) => answers);
}

function happenInOrder(happenings: readonly Happening[]): void {
  const done: string[] = [];
  for (const { name, compare } of happenings.toSorted((a, b) => a.order - b.order)) {
    done.push(name);
    try {
      compare();
    } catch (cause) {
      throw new Error(`in the order\n  ${done.join('\n  ')}\n${(cause as Error).message}`, { cause });
    }
  }
}

/** Waits for all even after a failure, so that none continues during the next list. */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** Roles change during the storm, but the starter of a run does not, and the owner stays owner. */
function isRefusedStranger({ model, account }: OverspendContext, attempt: Attempt, answer: Answer): boolean {
  if (!('code' in answer) || answer.code !== 'FORBIDDEN') return false;
  const userId = model.keys.get(attempt.request.apiKeyId)?.userId;
  const run = model.runs.get(model.claims.get(attempt.request.idempotencyKey)?.runId ?? '');
  return run !== undefined && run.userId !== userId && userId !== account.userIds[0];
}

/** Asserts a response without a transaction for a key that was unused before: it must describe a concurrent attempt. */
function assertRivalAnswered(
  { model }: OverspendContext,
  attempt: Attempt,
  answer: Answer,
  attempts: readonly Attempt[],
): void {
  const { idempotencyKey, body } = attempt.request;
  const rivals = attempts.filter((other) => other !== attempt && other.request.idempotencyKey === idempotencyKey);
  if ('status' in answer) {
    assert.deepEqual(answer, lookUp(model, attempt.request), idempotencyKey);
    return;
  }
  const isOther = (rival: Attempt) => !isDeepStrictEqual(rival.request.body, body);
  const isPossible = {
    IDEMPOTENCY_KEY_REUSED: rivals.some(isOther),
    IDEMPOTENCY_IN_PROGRESS: !rivals.every(isOther),
  }[answer.code];
  assert.ok(isPossible, `${idempotencyKey} was answered ${JSON.stringify(answer)}`);
}
