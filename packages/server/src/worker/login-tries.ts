import type { Role } from '@sortie/contract';
import type { EngineCredential, LoginOrder, LoginTryResult } from '@sortie/engine';
import type { Credential } from '../db/schema.ts';
import { newId } from '../platform/new-id.ts';
import { listTargetsFor, proofTokensFor, readRules, type Verification } from '../targets/targets.ts';
import type { WorkerContext } from './context.ts';
import { type EngineProcess, startEngine } from './engine-process.ts';
import { toEngagement } from './pentest-order.ts';

/** A test account that a member has been authorized to try. */
interface LoginTry {
  verification: Verification;
  /** The target whose rules of engagement apply. */
  targetId: string;
  targetUrl: string;
  userId: string;
  role: Role;
  credential: Credential;
}

export interface LoginTries {
  /** Resolves to undefined if the engine ended before the try did, or if too many tries wait. */
  tryLogin(asked: LoginTry): Promise<LoginTryResult | undefined>;
  stop(): void;
}

/** Every try starts an engine, often with a browser. */
const MOST_AT_ONCE = 2;
const MOST_WAITING = 10;
/** Longer than the time budget of a try, so that the try itself can report that it ran out of time. */
const LIMIT_MS = 120_000;

/**
 * Creates the tries of logins with test accounts. An account exists in this process and in a separate engine until its
 * try is over; nothing stores it.
 */
export function createLoginTries(context: WorkerContext): LoginTries {
  const working = new Set<EngineProcess>();
  const waiting: (() => void)[] = [];
  let atOnce = 0;
  let isStopped = false;

  async function withSlot<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (atOnce >= MOST_AT_ONCE) {
      if (waiting.length >= MOST_WAITING) return undefined;
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else atOnce++;
    try {
      return isStopped ? undefined : await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else atOnce--;
    }
  }

  async function tryInEngine(order: LoginOrder): Promise<LoginTryResult | undefined> {
    const { options, browserTrial } = context;
    const hasBrowser = order.chromium !== null && mayNeedBrowser(order.credential);
    if (hasBrowser) await browserTrial.done();
    const engine = startEngine(options, hasBrowser ? 'login-with-browser' : 'login');
    working.add(engine);
    engine.allow(LIMIT_MS);
    engine.send(order);
    try {
      for await (const { message } of engine.received) {
        if (message.type === 'login') return message.result;
      }
      return undefined;
    } finally {
      working.delete(engine);
      engine.kill('the login try is over');
    }
  }

  return {
    tryLogin: (asked) =>
      withSlot(async () => (await whyNotOwned(context, asked)) ?? tryInEngine(await orderFor(context, asked))),
    stop() {
      isStopped = true;
      for (const engine of working) engine.kill('the node stops');
      for (const go of waiting.splice(0)) go();
    },
  };
}

const mayNeedBrowser = ({ kind, mode }: EngineCredential) =>
  kind === 'FORM_LOGIN' && (mode === 'auto' || mode === 'browser');

/** Checks ownership again, as a run does before it begins. Resolves to undefined if it is confirmed. */
async function whyNotOwned(
  { database: { queries }, checkEngine, network }: WorkerContext,
  { verification, targetUrl }: LoginTry,
): Promise<LoginTryResult | undefined> {
  const { method, token, coveredName, coveredOrigin, origin } = verification;
  if (method === 'attestation') return undefined;
  const tokens = (await proofTokensFor(queries, verification)) ?? [];
  const servers = { origin: new URL(targetUrl).origin, tokens };
  const question = { checkId: newId('chk'), method, token, coveredName, coveredOrigin, servers };
  const result = await checkEngine.checkOwnership({ ...question, network });
  if (result?.outcome === 'FOUND') return undefined;
  const message = `The ownership of ${origin} could not be confirmed. ${result?.message ?? 'Try again.'}`;
  return { outcome: 'NOT_OWNED', message, requests: 0, egress: [] };
}

async function orderFor(
  { database: { queries }, network, chromium, config }: WorkerContext,
  { verification, targetId, targetUrl, userId, role, credential }: LoginTry,
): Promise<LoginOrder> {
  const { rules: own, windowLeftMs } = await readRules(queries, targetId);
  const targets = await listTargetsFor(queries, verification, { targetId, userId, role, isApiRun: false });
  const proofTokens = await proofTokensFor(queries, verification);
  return {
    type: 'login',
    tryId: newId('chk'),
    targetUrl,
    engagement: toEngagement(verification, { own, windowLeftMs, targets, proofTokens }),
    credential: toEngineCredential(credential),
    network,
    chromium,
    sandbox: config.sandbox,
  };
}

const toEngineCredential = ({ name, user, pass, ...given }: Credential): EngineCredential => ({
  name,
  kind: given.kind ?? 'FORM_LOGIN',
  mode: given.mode ?? 'auto',
  location: given.location ?? 'header',
  user,
  pass,
  totpSecret: given.totpSecret ?? null,
  instructions: given.instructions ?? null,
  tokenUrl: given.tokenUrl ?? null,
  scope: given.scope ?? null,
  audience: given.audience ?? null,
});
