/**
 * Entry point of the engine process: no database, no environment, no secrets but those of its runs. It ends with its
 * worker, however the worker ends.
 */
import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { loadPlaywright } from '../browser/load-playwright.ts';
import { describeFault } from '../faults/describe-fault.ts';
import type * as Replaying from '../pentest/replay.ts';
import type { OutsideCall } from '../protocol/callback.ts';
import type { EgressEntry } from '../protocol/egress-entry.ts';
import type { FromEngine, ReplayTask, ToEngine } from '../protocol/messages.ts';
import type { ModelAnswer } from '../protocol/model-call.ts';
import type { Reporter } from '../protocol/reporter.ts';
import { ANSWERS, openChannel } from './channel.ts';
import { watchParent } from './parent-watchdog.ts';

const USER = /^--user=(\d+):(\d+)$/;

/**
 * Call it after all code is loaded: the user may not be able to read it. Exits on an invalid argument, so that the
 * process never stays root by mistake.
 */
function dropPrivileges(order: string | undefined): void {
  if (order === '--same-user') return;
  const [, uid, gid] = USER.exec(order ?? '') ?? [];
  if (uid === undefined || gid === undefined || !process.setgroups || !process.setgid || !process.setuid) {
    process.exit(1);
  }
  process.setgroups([Number(gid)]);
  process.setgid(Number(gid));
  process.setuid(Number(uid));
}

/** Less than the worker waits before it kills this process; the target or this machine may be slow. */
const LAST_MS = 6_000;

const NO_MODEL: ModelAnswer = { kind: 'refused', reason: 'UNAVAILABLE' };

/** Aborts when the worker has closed its end of the channel: the run, or this attempt at it, is over. */
const ending = new AbortController();
/** Whether a pentest may be in progress on a target. */
let isTesting = false;
let stepSaved: (() => void) | undefined;
let stateSaved: (() => void) | undefined;
/** Pending requests for callbacks, answered in order. */
const asking: ((calls: readonly OutsideCall[]) => void)[] = [];

/** Calls of the model that wait for their answer, by id. */
const modelCalls = new Map<string, (answer: ModelAnswer) => void>();
let lastModelCall = 0;

const reporter: Reporter = {
  enter: (phase) => tell({ type: 'phase', phase }),
  went: (egress) => tell({ type: 'egress', egress }),
  diagnosed: (diagnostics, notKept) => tell({ type: 'diagnostics', diagnostics, notKept }),
  fault: (error) => tell({ type: 'fault', cause: describeFault(error) }),
  async save(step) {
    if (ending.signal.aborted) return tellLast(step);
    tell({ type: 'step', ...step });
    await new Promise<void>((resolve) => {
      stepSaved = resolve;
    });
  },
  async keep(state) {
    // No worker is left to save the state, but the cleanup of the run has to continue.
    if (ending.signal.aborted) return;
    tell({ type: 'state', state });
    await new Promise<void>((resolve) => {
      stateSaved = resolve;
    });
  },
  async heard(labels) {
    if (ending.signal.aborted) return [];
    tell({ type: 'heard', labels });
    return new Promise((resolve) => asking.push(resolve));
  },
  async ask(asked) {
    if (ending.signal.aborted) return NO_MODEL;
    const id = String(++lastModelCall);
    tell({ type: 'ask', id, ...asked });
    return new Promise((resolve) => modelCalls.set(id, resolve));
  },
};

/** Reports egress only: the next attempt, if any, repeats the step, but its requests have already been sent. */
async function tellLast({ egress }: { egress?: EgressEntry[] | undefined }): Promise<never> {
  if (egress && egress.length > 0) tell({ type: 'egress', egress });
  await close();
  process.exit();
}

/** A step in progress may still undo its changes, but nothing else. */
function end(): void {
  if (!isTesting) process.exit();
  if (stepSaved) return void tellLast({});
  setTimeout(() => tellLast({}), LAST_MS);
  ending.abort();
  stateSaved?.();
  for (const answer of asking.splice(0)) answer([]);
  for (const id of [...modelCalls.keys()]) heedAnswer(id, NO_MODEL);
}

function heedAnswer(id: string, answer: ModelAnswer): void {
  modelCalls.get(id)?.(answer);
  modelCalls.delete(id);
}

function heed({ name }: Extract<ToEngine, { type: 'saved' }>): void {
  const isSaved = name === null ? stateSaved : stepSaved;
  if (name === null) stateSaved = undefined;
  else stepSaved = undefined;
  isSaved?.();
}

/**
 * Ends this process and reports the cause for the log. Writes synchronously, because nothing else in this process can
 * be relied on.
 */
function endWithFault(error: unknown): never {
  const told: FromEngine = { type: 'fault', cause: describeFault(error) };
  console.error(error);
  writeSync(ANSWERS, `${JSON.stringify(told)}\n`);
  process.exit(1);
}

/** Loads all code for this kind of engine up front: its files may be inaccessible later. */
async function load(kind: string | undefined): Promise<(order: Work) => Promise<FromEngine>> {
  if (kind === '--looks') {
    const { runSiteOrder } = await import('../scan/run-site-order.ts');
    await rehearse();
    return async (order) => {
      if (order.type !== 'scan' && order.type !== 'ownership') return unexpected(order);
      return runSiteOrder(order);
    };
  }
  if (kind === '--browser') {
    const { tryBrowser } = await import('../browser/try-browser.ts');
    await loadPlaywright();
    return async (order) => {
      if (order.type !== 'browser') return unexpected(order);
      return { type: 'browser', outcome: await tryBrowser(order) };
    };
  }
  if (kind === '--script') {
    const { playScript } = await import('../faults/scripted-pentest.ts');
    return async (order) => {
      if (order.type !== 'pentest' || !order.script) return unexpected(order);
      return { type: 'over', ...(await playScript(order.script, order, reporter)) };
    };
  }
  if (kind === '--login' || kind === '--login-with-browser') {
    const { tryLogin } = await import('../pentest/try-login.ts');
    await rehearse();
    if (kind === '--login-with-browser') await loadPlaywright();
    return async (order) => {
      if (order.type !== 'login') return unexpected(order);
      return { type: 'login', result: await tryLogin(order) };
    };
  }
  const { runPentest } = await import('../pentest/run-pentest.ts');
  const { replayCapsule } = await import('../pentest/replay.ts');
  await rehearse();
  if (kind === '--pentest-with-browser') await loadPlaywright();
  return async (order) => {
    if (order.type === 'replay') return replay(order, replayCapsule);
    if (order.type !== 'pentest' || order.script) return unexpected(order);
    const ended = await runPentest(order, reporter, ending.signal);
    return ended === 'paused' ? { type: 'paused' } : { type: 'over', ...ended };
  };
}

async function replay(
  { type: _, state, stateKey, outside = null, ...order }: ReplayTask,
  replayCapsule: (typeof Replaying)['replayCapsule'],
): Promise<FromEngine> {
  const { heard, keep, went } = reporter;
  const left = { state, stateKey };
  const { evidence: _evidence, ...result } = await replayCapsule({
    ...order,
    ...{ outside, left, heard, keep, went, ending: ending.signal },
  });
  return { type: 'replayed', ...result };
}

const rehearse = async () => (await import('../http/send/rehearse.ts')).rehearseHttp();

type Work = Exclude<ToEngine, { type: 'saved' | 'calls' | 'answered' | 'leave' }>;

function unexpected({ type }: Work): never {
  throw new Error(`this engine was not started for a ${type}`);
}

const [, , user, kind] = process.argv;

process.on('uncaughtException', endWithFault);

watchParent();
const carryOut = await load(kind);
// Before dropping privileges: an engine must not be able to leave code in the cache for the next one.
flushCompileCache();
dropPrivileges(user);
const { tell, close } = openChannel(async (order) => {
  if (order.type === 'leave') process.exit();
  if (order.type === 'saved') return heed(order);
  if (order.type === 'answered') return heedAnswer(order.id, order.answer);
  if (order.type === 'calls') return asking.shift()?.(order.calls);
  isTesting = order.type === 'replay' || (order.type === 'pentest' && !order.script);
  const answer = await carryOut(order);
  if (ending.signal.aborted) return tellLast('egress' in answer ? answer : {});
  tell(answer);
  isTesting = false;
}, end);
tell({ type: 'ready' });
