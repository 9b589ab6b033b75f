import type { Depth } from '@sortie/contract';
import { z } from 'zod';
import { type BrowserOrder, BrowserOutcome, type SandboxRule } from './browser-problem.ts';
import { MOST_LABELS, type OutsideCall, type OutsideOrder } from './callback.ts';
import { EgressEntry } from './egress-entry.ts';
import type { EngineScript } from './engine-script.ts';
import { longText, PentestFinding } from './finding.ts';
import type { Network } from './network-settings.ts';
import { OwnershipAnswer, type OwnershipOrder } from './ownership-messages.ts';
import { meter, Phase } from './phase.ts';
import { ScanResult } from './scan-result.ts';
import type { TargetRules } from './target-rules.ts';
import { MOST_GROUPS, Untested } from './untested.ts';

const id = z.string().max(100);
const egress = z.array(EgressEntry).max(100);

/**
 * From the engine to its worker. The engine reads what targets send, so the worker believes nothing that is not of
 * this shape.
 */
export const FromEngine = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('phase'), phase: Phase }),
  /** An error of our own, for the operator's log. */
  z.strictObject({ type: z.literal('fault'), cause: z.string().max(2_000) }),
  z.strictObject({
    type: z.literal('step'),
    name: z.string().regex(/^[A-Z_]{1,20}\/\d{1,5}$/),
    phase: Phase,
    requests: meter,
    modelMicrodollars: meter,
    findings: z.array(PentestFinding).max(100),
    egress: egress.optional(),
    /** What the next attempt needs to go on after this step; no secrets. It replaces that of the step before. */
    state: z.string().max(1_000_000).optional(),
  }),
  /** In the course of a step: in the place of what the last one left for the next attempt. */
  z.strictObject({ type: z.literal('state'), state: z.string().max(1_000_000) }),
  /** Where it went since it last said so; between steps, too, so that a crash hides little. */
  z.strictObject({ type: z.literal('egress'), egress }),
  /** Which calls by these names the listener has heard. One question at a time. */
  z.strictObject({ type: z.literal('heard'), labels: z.array(z.string().max(63)).max(MOST_LABELS) }),
  /** The target may not be tested at this hour; the run goes on when it may. */
  z.strictObject({ type: z.literal('paused') }),
  z.strictObject({
    type: z.literal('over'),
    outcome: z.enum(['COMPLETED', 'FAILED', 'CANCELLED']),
    /** What was tested and what was not, in words for the customer. */
    summary: longText,
    /** Checks that applied and could not run. */
    untested: z.array(Untested).max(MOST_GROUPS).optional(),
    egress: egress.optional(),
  }),
  z.strictObject({ type: z.literal('scanned'), scanId: id, result: ScanResult, egress }),
  OwnershipAnswer,
  z.strictObject({ type: z.literal('browser'), outcome: BrowserOutcome }),
]);
export type FromEngine = z.infer<typeof FromEngine>;

/** A test account of a run, in clear: only the process that logs in with it ever sees it. */
export interface EngineCredential {
  name: string;
  kind: 'FORM_LOGIN' | 'BEARER_TOKEN' | 'BASIC_AUTH' | 'COOKIE' | 'API_KEY';
  mode: 'auto' | 'json' | 'form' | 'browser';
  location: 'header' | 'query';
  user: string;
  pass: string;
  totpSecret: string | null;
  instructions: string | null;
  tokenUrl: string | null;
  scope: string | null;
  audience: string | null;
}

/** What may be tested, and how gently. */
interface Engagement {
  /** One of the two is given: the name with all below it, or the origin, that the verification speaks for. */
  coveredName: string | null;
  coveredOrigin: string | null;
  excludedPaths: readonly string[];
  /** Null: the engine's own pace. */
  requestsPerSecond: number | null;
  /** How long the target may be tested from now on; null without an end. */
  windowMs: number | null;
  /** Targets of the account that the verification covers, this run's first: the most specific one decides. */
  targets?: readonly TargetRules[];
  /** By which servers show that they belong to the covered name; none where an operator vouches for the target. */
  proofTokens?: readonly string[];
}

/** What a run has left of its level's budgets. */
interface RunBudget {
  milliseconds: number;
  requests: number;
}

/** One attempt at a pentest. */
export interface PentestOrder {
  type: 'pentest';
  runId: string;
  targetUrl: string;
  depth: Depth;
  /** Steps that an earlier attempt has finished: they are not repeated. */
  done: readonly string[];
  /** What the last of them left for the next. */
  state: string | null;
  /** How often the next step was tried, this time included. */
  attempt: number;
  /** How often the engine has ended by itself at the next step. */
  deaths: number;
  script: EngineScript | null;
  engagement: Engagement;
  budget: RunBudget;
  credentials: readonly EngineCredential[];
  network: Network;
  /** The browser's program; null where there is none. */
  chromium: string | null;
  /** Defaults to `required`. */
  sandbox?: SandboxRule;
  /** The listener that targets may be made to call; none where nobody listens. */
  outside?: OutsideOrder | null;
}

export interface ScanOrder {
  type: 'scan';
  scanId: string;
  url: string;
  attempt: number;
  script: EngineScript | null;
  network: Network;
  /** Hosts whose owners want no scans, each with all below it, and addresses and networks, whatever leads there. */
  optedOut: readonly string[];
  /** What the host of the URL resolved to when its scans were counted: it is contacted there only. Null: the lookup failed. */
  addresses?: readonly string[] | null;
}

/** From the worker to its engine. The next step waits until the last one is saved; a state has no name. */
export type ToEngine =
  | PentestOrder
  | ScanOrder
  | OwnershipOrder
  | BrowserOrder
  | { type: 'saved'; name: string | null }
  | { type: 'calls'; calls: readonly OutsideCall[] }
  /** At once, and without taking anything back: the run may be somebody else's by now. */
  | { type: 'leave' };
