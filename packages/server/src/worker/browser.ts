import { access, constants } from 'node:fs/promises';
import { type BrowserOutcome, browserCures, type SandboxRule } from '@sortie/engine';
import type { Log } from '../log.ts';
import { type EngineOptions, type EngineProcess, startEngine } from './engine-process.ts';

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

/** Has an engine start the browser and close it. Resolves with undefined when the engine ends before it tells. */
export async function tryBrowser(engine: EngineProcess, chromium: string): Promise<BrowserOutcome | undefined> {
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
  let trial: Promise<void> | undefined;

  async function begin(program: string): Promise<void> {
    engine = startEngine(options, 'browser');
    const outcome = await tryBrowser(engine, program);
    if (outcome) logOutcome(outcome, sandbox, log);
  }

  return {
    async done() {
      if (chromium === null) return;
      trial ??= begin(chromium);
      await trial;
    },
    stop: () => engine?.kill('the node stops'),
  };
}

function logOutcome({ state, detail }: BrowserOutcome, sandbox: SandboxRule, log: Log): void {
  if (state === 'sandboxed') return;
  if (state === 'no sandbox' && sandbox === 'preferred') {
    log.warn('the browser runs without its sandbox, which environment live refuses', { reason: browserCures[state] });
  } else {
    log.warn(`what needs a browser is not tested: ${state}`, { reason: `${browserCures[state]} ${detail}`.trim() });
  }
}
