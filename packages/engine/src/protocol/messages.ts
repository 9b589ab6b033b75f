import { type Capsule, type CapsuleContent, type Depth, MOST_OTHER_PLACES } from '@sortie/contract';
import { z } from 'zod';
import { Activity, MOST_ACTIVITIES, Rewritten, ToolUse } from './activity.ts';
import { type BrowserOrder, BrowserOutcome, type SandboxRule } from './browser-problem.ts';
import { MOST_LABELS, type OutsideCall, type OutsideOrder } from './callback.ts';
import { Coverage } from './coverage.ts';
import { DiagnosticsMessage } from './diagnostic.ts';
import { EgressEntry } from './egress-entry.ts';
import type { EngineScript } from './engine-script.ts';
import { type CoverageKey, longText, PentestFinding, Remasked, retestKey } from './finding.ts';
import { LoginTryAnswer } from './login-messages.ts';
import { AskMessage, type ModelAnswer, type Planner } from './model-call.ts';
import type { Network } from './network-settings.ts';
import { OwnershipAnswer, type OwnershipOrder } from './ownership-messages.ts';
import { meter, Phase } from './phase.ts';
import { ScanResult } from './scan-result.ts';
import type { TargetRules } from './target-rules.ts';
import { MOST_GROUPS, Untested } from './untested.ts';

const id = z.string().max(100);
const egress = z.array(EgressEntry).max(100);
/** Bounds the order and the state of a run. */
export const MOST_RETESTS = 2_000;

const replayOutcome = z.enum(['GONE', 'STILL_THERE', 'VOID']);

/** Answers a `replay`. */
const Replayed = z.strictObject({
  type: z.literal('replayed'),
  outcome: replayOutcome,
  /** In one sentence, for people. */
  reason: longText,
  requests: meter,
  /** The places of the capsule, in its order. Empty if nothing was replayed. */
  places: z
    .array(
      z.strictObject({
        url: longText,
        method: longText.nullable(),
        parameter: longText.nullable(),
        outcome: replayOutcome,
        reason: longText,
      }),
    )
    .max(MOST_OTHER_PLACES + 1),
});

/**
 * Messages from the engine to its worker. The engine processes untrusted data of targets, so the worker rejects
 * everything that does not match this schema.
 */
export const FromEngine = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('phase'), phase: Phase }),
  /** An internal error, for the operator's log. */
  z.strictObject({ type: z.literal('fault'), cause: z.string().max(2_000) }),
  z.strictObject({
    type: z.literal('step'),
    name: z.string().regex(/^[A-Z_]{1,20}\/\d{1,5}$/),
    phase: Phase,
    requests: meter,
    modelMicrodollars: meter,
    findings: z.array(PentestFinding).max(100),
    remasked: Remasked.optional(),
    activity: z.array(Activity).max(MOST_ACTIVITIES).optional(),
    rewritten: z.array(Rewritten).max(100).optional(),
    toolUse: z.array(ToolUse).max(100).optional(),
    egress: egress.optional(),
    /**
     * What the next attempt needs to resume after this step, with its secrets sealed. Replaces the state of the step
     * before.
     */
    state: z.string().max(1_000_000).optional(),
  }),
  /** Sent during a step: replaces the state that the last step left for the next attempt. */
  z.strictObject({ type: z.literal('state'), state: z.string().max(1_000_000) }),
  /** Egress since the last report; also sent between steps, so that a crash loses little of it. */
  z.strictObject({ type: z.literal('egress'), egress }),
  /** Sent at intervals and before each step is saved; the engine does not wait until they are stored. */
  DiagnosticsMessage,
  AskMessage,
  /** Asks for the callbacks with these labels. One request at a time. */
  z.strictObject({ type: z.literal('heard'), labels: z.array(z.string().max(63)).max(MOST_LABELS) }),
  /** The testing window of the target is closed; the run resumes when it opens. */
  z.strictObject({ type: z.literal('paused') }),
  z.strictObject({
    type: z.literal('over'),
    outcome: z.enum(['COMPLETED', 'FAILED', 'CANCELLED']),
    /** What was and was not tested, as text for the customer. */
    summary: longText,
    /** Checks that applied and could not run. */
    untested: z.array(Untested).max(MOST_GROUPS).optional(),
    /** Undefined if the tests were not planned. */
    coverage: Coverage.optional(),
    /** Those tests of the order's `retests` that the run repeated in full. */
    retested: z.array(retestKey).max(MOST_RETESTS).optional(),
    egress: egress.optional(),
  }),
  Replayed,
  z.strictObject({ type: z.literal('scanned'), scanId: id, result: ScanResult, egress }),
  OwnershipAnswer,
  LoginTryAnswer,
  z.strictObject({ type: z.literal('browser'), outcome: BrowserOutcome }),
]);
export type FromEngine = z.infer<typeof FromEngine>;

/** A test account of a run, in plain text: only the process that logs in with it ever sees it. */
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

/** An API description from the customer, in plain text. It may contain secrets, such as the cookies of a HAR file. */
export interface GivenDescription {
  /** File name of an import; null for the `apiDescription` of the start. */
  name: string | null;
  text: string;
}

/** Scope and rate of the tests. */
interface Engagement {
  /** What the verification covers, one of the two: a name with its subdomains, or an origin. */
  coveredName: string | null;
  coveredOrigin: string | null;
  excludedPaths: readonly string[];
  /** Null: the engine's default rate. */
  requestsPerSecond: number | null;
  /** How long the target may be tested from now on; null without a limit. */
  windowMs: number | null;
  /** Targets of the account that the verification covers, starting with this run's; the most specific one decides. */
  targets?: readonly TargetRules[];
  /** Tokens by which servers prove that they belong to the covered name; undefined for an attested target. */
  proofTokens?: readonly string[];
}

/** What is left of the level's budget for a run. */
interface RunBudget {
  milliseconds: number;
  requests: number;
}

/** A test that found something in an earlier run, and the accounts that it needs. */
interface Retest {
  retest: NonNullable<CoverageKey['retest']>;
  accounts: readonly string[];
}

/** One attempt at a pentest. */
export interface PentestOrder {
  type: 'pentest';
  runId: string;
  targetUrl: string;
  depth: Depth;
  /** Steps that an earlier attempt has finished; they are not repeated. */
  done: readonly string[];
  /** The state that the last of them left. */
  state: string | null;
  /** Encrypts the secrets in the state; the same in every attempt. */
  stateKey: string;
  /** Number of attempts at the next step, including this one. */
  attempt: number;
  /** How often the engine has crashed at the next step. */
  deaths: number;
  script: EngineScript | null;
  engagement: Engagement;
  budget: RunBudget;
  credentials: readonly EngineCredential[];
  /** Tests that the run reports as retested if it repeats them. Defaults to none. */
  retests?: readonly Retest[];
  /** Defaults to none. */
  descriptions?: readonly GivenDescription[];
  network: Network;
  /** Path of the browser executable; null if there is none. */
  chromium: string | null;
  /** Defaults to `required`. */
  sandbox?: SandboxRule;
  /** The callback listener; none if it is not configured. */
  outside?: OutsideOrder | null;
  /** The language model that may be asked; none if it is not configured, or the account forbids it. */
  planner?: Planner | null;
}

/** The engine's own capsules contain one place; the service adds the other places of the finding. */
export type ReplayedCapsule = CapsuleContent & Partial<Pick<Capsule, 'otherPlaces' | 'omittedPlaces'>>;

type SharedWithReplay =
  | 'runId'
  | 'state'
  | 'stateKey'
  | 'engagement'
  | 'credentials'
  | 'network'
  | 'chromium'
  | 'sandbox';

/** Repeats the proof of one finding. Its state is what an interrupted replay left to undo. */
export interface ReplayTask extends Pick<PentestOrder, SharedWithReplay | 'outside'> {
  type: 'replay';
  capsule: ReplayedCapsule;
}

/** Logs one test account in and nothing else. */
export interface LoginOrder
  extends Pick<PentestOrder, 'targetUrl' | 'engagement' | 'network' | 'chromium' | 'sandbox'> {
  type: 'login';
  tryId: string;
  credential: EngineCredential;
}

/** The order to run a scan. */
export interface ScanOrder {
  type: 'scan';
  scanId: string;
  url: string;
  attempt: number;
  script: EngineScript | null;
  network: Network;
  /**
   * Hosts whose owners opted out of scans, each with its subdomains, and addresses and networks, whichever name
   * resolves to them.
   */
  optedOut: readonly string[];
  /**
   * Addresses that the host of the URL resolved to when the scan was counted; only these are contacted. Null: the
   * lookup failed.
   */
  addresses?: readonly string[] | null;
}

/**
 * Messages from the worker to its engine. The engine continues after a step or a state once it is saved; a state has no
 * name.
 */
export type ToEngine =
  | PentestOrder
  | ReplayTask
  | ScanOrder
  | OwnershipOrder
  | LoginOrder
  | BrowserOrder
  | { type: 'saved'; name: string | null }
  | { type: 'calls'; calls: readonly OutsideCall[] }
  /** Answers an `ask`; answers may arrive in any order. */
  | { type: 'answered'; id: string; answer: ModelAnswer }
  /** Exit immediately and without cleanup: another worker may have taken over the run. */
  | { type: 'leave' };
