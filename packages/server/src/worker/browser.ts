import { access, constants } from 'node:fs/promises';
import { type BrowserOutcome, browserCures, NETWORK_CURE, type SandboxRule } from '@sortie/engine';
import type { Log } from '../platform/log.ts';
import { type EngineOptions, type EngineProcess, startEngine } from './engine-process.ts';
import { privilegeCures } from './privileges.ts';

/**
 * Resolves to the program if it is executable, otherwise to null. Without a browser, engines run and report what they
 * could not test.
 */
export async function findBrowser(program: string, log: Log): Promise<string | null> {
  try {
    await access(program, constants.X_OK);
    return program;
  } catch {
    log.warn('no browser found: checks that need one are skipped', {
      reason: 'install chromium, or set SORTIE_CHROMIUM',
    });
    return null;
  }
}

/** Longer than an engine waits for a browser to start. */
const TRIAL_LIMIT_MS = 180_000;

export interface BrowserTrial {
  /** Resolves when the trial of the browser on this node has ended. The first call starts the trial. */
  done(): Promise<void>;
  stop(): void;
}

interface Started {
  options: EngineOptions;
  chromium: string;
  /** Called with each engine that is started. */
  onStart?: (engine: EngineProcess) => void;
}

/**
 * Lets engines start and close the browser, and records in `options.privileges` whether its sandbox needs the setuid
 * helper. Resolves to undefined if an engine ends before it reports an outcome.
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

/**
 * Creates the trial of the browser, which starts it once in the same way as the engines of runs, and logs problems that
 * operators have to fix.
 */
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
    log.warn(`checks that need a browser are skipped: ${state}`, { reason: `${browserCures[state]} ${detail}`.trim() });
  }
}
