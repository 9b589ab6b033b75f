import { z } from 'zod';

/**
 * Whether the browser may run without Chromium's sandbox: `preferred` falls back to no sandbox if it does not work,
 * `required` uses no browser then.
 */
export type SandboxRule = 'required' | 'preferred';

export const browserProblems = ['missing', 'could not start', 'no sandbox'] as const;

/** Why there is no browser to test with. */
export type BrowserProblem = (typeof browserProblems)[number];

/** Orders an engine to start and close the browser. */
export interface BrowserOrder {
  type: 'browser';
  chromium: string;
}

/** How the browser of a run could be started. */
export const BrowserOutcome = z.strictObject({
  /** `no sandbox`: the browser starts only without one. */
  state: z.enum(['sandboxed', ...browserProblems]),
  /** Whether it runs in an empty network namespace; null if it does not start. */
  isOffNetwork: z.boolean().nullable(),
  /** For the log. */
  detail: z.string().max(1_000),
});
export type BrowserOutcome = z.infer<typeof BrowserOutcome>;

/** What the operator has to do about each problem, as a sentence. */
export const browserCures: Record<BrowserProblem, string> = {
  missing: 'The operator has to install chromium where the worker runs, or set SORTIE_CHROMIUM.',
  'could not start': 'The operator has to find out why Chromium does not start where the worker runs.',
  'no sandbox':
    'The operator has to install chromium-sandbox where the worker runs, or allow unprivileged user namespaces.',
};

export const browserReasons: Record<BrowserProblem, string> = {
  missing: 'there was no browser',
  'could not start': 'the browser could not start',
  'no sandbox': "the browser's sandbox did not work",
};

/**
 * Returns, for example, "there was no browser. The operator has to install chromium where the worker runs, or set
 * SORTIE_CHROMIUM."
 */
export const explainProblem = (problem: BrowserProblem) => `${browserReasons[problem]}. ${browserCures[problem]}`;

/** For the summary of a run whose browser was used without its sandbox. */
export const UNSANDBOXED_NOTE = `The browser ran without its sandbox. ${browserCures['no sandbox']}`;

/** What gives the browser an empty network namespace. */
export const NETWORK_CURE =
  'The operator has to install util-linux where the worker runs, and to allow unprivileged user namespaces.';

/** For the summary of a run whose browser had no network namespace of its own. */
export const ON_NETWORK_NOTE = `The browser had no network namespace of its own. ${NETWORK_CURE}`;

/** Thrown if there is no usable browser. The message is for the log. */
export class BrowserError extends Error {
  override readonly name = 'BrowserError';
  readonly problem: BrowserProblem;

  constructor(problem: BrowserProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
