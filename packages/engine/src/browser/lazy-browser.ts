import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserError, type BrowserProblem, ON_NETWORK_NOTE, UNSANDBOXED_NOTE } from '../protocol/browser-problem.ts';
import type { PentestOrder } from '../protocol/messages.ts';
import { BROWSER_ENDED, browserObstacle, type Obstacle } from '../protocol/untested.ts';
import { type Browser, openBrowser } from './browser.ts';

/** Pages may crash the browser; after this many starts it is not started again. */
const MOST_STARTS = 5;
/** The launcher itself tries twice; a failure after that may still be due to the load of the machine. */
const TRIES_PER_START = 2;
const PAUSE_MS = 2_000;

/** Starts the browser on first use, since many runs never need it. */
export interface LazyBrowser {
  /** Resolves with undefined if there is no browser or it does not start; `obstacle` says why. */
  open(): Promise<Browser | undefined>;
  /** Returns why the last `open` failed; undefined if it succeeded. */
  problem(): BrowserProblem | undefined;
  /** Returns the same reason, for checks that could not run because of it. */
  obstacle(): Obstacle;
  /** Whether the browser was open and has crashed since. */
  isGone(): boolean;
  /** Returns the protections that a browser was used without, as sentences for the summary. */
  notes(): ReadonlySet<string>;
  close(): Promise<void>;
}

type Start = () => Promise<Browser>;

/** Returns the browser of a run, which is started at its first use. */
export function createLazyBrowser({ chromium, network, sandbox = 'required' }: PentestOrder): LazyBrowser {
  return lazily(chromium === null ? undefined : () => openBrowser(chromium, network.userAgent, sandbox));
}

export function lazily(start: Start | undefined, pauseMs = PAUSE_MS): LazyBrowser {
  let opening: Promise<Browser | undefined> | undefined;
  let opened: Browser | undefined;
  let problem: BrowserProblem | undefined = start ? undefined : 'missing';
  const notes = new Set<string>();
  let starts = 0;
  const isGone = () => opened?.isOpen() === false;

  async function tryToStart(startOnce: Start): Promise<Browser | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        opened = await startOnce();
        if (!opened.isSandboxed) notes.add(UNSANDBOXED_NOTE);
        if (!opened.isOffNetwork) notes.add(ON_NETWORK_NOTE);
        problem = undefined;
        return opened;
      } catch (error) {
        problem = error instanceof BrowserError ? error.problem : 'could not start';
        if (problem !== 'could not start' || tries === TRIES_PER_START) return undefined;
      }
      await sleep(pauseMs);
    }
  }

  return {
    async open() {
      if (!start) return undefined;
      const hasCrashed = (await opening)?.isOpen() === false;
      // A crashed browser shows nothing, and checks that use it would count as run.
      if (hasCrashed && starts >= MOST_STARTS) return undefined;
      if (!opening || hasCrashed) {
        starts++;
        opening = tryToStart(start);
      }
      return opening;
    },
    problem: () => problem,
    obstacle: () => (isGone() ? BROWSER_ENDED : browserObstacle(problem ?? 'could not start')),
    isGone,
    notes: () => notes,
    async close() {
      await (await opening)?.close();
    },
  };
}
