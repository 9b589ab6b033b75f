import { access, constants } from 'node:fs/promises';
import { type BrowserOutcome, browserCures, NETWORK_CURE, type SandboxRule } from '@sortie/engine';
import type { Log } from '../platform/log.ts';
import { type EngineOptions, type EngineProcess, startEngine } from './engine-process.ts';
import { privilegeCures } from './privileges.ts';

/** Without a browser the engine works, and says what it could not do. */
export async function findBrowser(program: string, log: Log): Promise<string | null> {
  try {
    await access(program, constants.X_OK);
    return program;
  } catch {
    log.warn('no browser was found: what needs one is not tested', {
      reason: 'install chromium, or set SORTIE_CHROMIUM',
    });
    return null;
  }
}

/** Longer than an engine takes to give up on a browser. */
const TRIAL_LIMIT_MS = 180_000;

export interface BrowserTrial {
  /** Resolves when the browser has been tried on this node; the first call begins. */
  done(): Promise<void>;
  stop(): void;
}

interface Started {
  options: EngineOptions;
  chromium: string;
  /** Told of each engine that is started. */
  onStart?: (engine: EngineProcess) => void;
}

/**
 * Has engines start the browser and close it, and notes in the privileges of the options whether its sandbox needs the
 * setuid helper. Resolves with undefined when an engine ends before it tells.
 */
export async function tryBrowser(started: Started): Promise<BrowserOutcome | undefined> {
  const outcome = await tryOnce(started);
  const { privileges } = started.options;
  if (outcome?.state !== 'no sandbox' || !privileges || privileges.setpriv === null) return outcome;
  privileges.needSetuidHelper = true;
  const other = await tryOnce(started);
  privileges.needSetuidHelper = other?.state === 'sandboxed';
  return privileges.needSetuidHelper ? other : outcome;
}

async function tryOnce({ options, chromium, onStart }: Started): Promise<BrowserOutcome | undefined> {
  const engine = startEngine(options, 'browser');
  onStart?.(engine);
  engine.allow(TRIAL_LIMIT_MS);
  engine.send({ type: 'browser', chromium });
  let outcome: BrowserOutcome | undefined;
  for await (const { message } of engine.received) {
    if (message.type !== 'browser') continue;
    outcome = message.outcome;
    engine.kill('the trial is over');
  }
  return outcome;
}

interface Trying {
  chromium: string | null;
  sandbox: SandboxRule;
  log: Log;
}

/** Starts the browser once, as the engines of runs do, and logs what operators have to know about it. */
export function createBrowserTrial(options: EngineOptions, { chromium, sandbox, log }: Trying): BrowserTrial {
  let engine: EngineProcess | undefined;
  let isStopped = false;
  let trial: Promise<void> | undefined;

  async function begin(program: string): Promise<void> {
    const onStart = (started: EngineProcess) => {
      engine = started;
      if (isStopped) engine.kill('the node stops');
    };
    const outcome = await tryBrowser({ options, chromium: program, onStart });
    if (outcome) logOutcome(outcome, sandbox, log);
    if (options.privileges?.needSetuidHelper) {
      log.warn('engines with a browser run without no_new_privs', { reason: privilegeCures['setuid helper'] });
    }
  }

  return {
    async done() {
      if (chromium === null) return;
      trial ??= begin(chromium);
      await trial;
    },
    stop() {
      isStopped = true;
      engine?.kill('the node stops');
    },
  };
}

function logOutcome({ state, isOffNetwork, detail }: BrowserOutcome, sandbox: SandboxRule, log: Log): void {
  if (isOffNetwork === false) log.warn('the browser has no network namespace of its own', { reason: NETWORK_CURE });
  if (state === 'sandboxed') return;
  if (state === 'no sandbox' && sandbox === 'preferred') {
    log.warn('the browser runs without its sandbox, which environment live refuses', { reason: browserCures[state] });
  } else {
    log.warn(`what needs a browser is not tested: ${state}`, { reason: `${browserCures[state]} ${detail}`.trim() });
  }
}
