import type { Depth } from '@sortie/contract';
import type { Exchange } from '../http/exchange/exchange.ts';
import type { Showing } from '../login/session/session.ts';
import type { Awaited, OutsideNames } from '../oracle/outside.ts';
import type { OutsideCall } from '../protocol/callback.ts';
import { type Point, type PointRequest, requestWith } from './insertion-point.ts';

/** New for every execution of a proof, so that no earlier response can pass as evidence. */
export interface Nonce {
  /** Lower-case letters and digits, starting with a letter. */
  word: string;
  /** Three different four-digit numbers. */
  numbers: readonly [number, number, number];
}

interface PlannedSession {
  /** Without cookies and without an account; discarded afterwards. */
  isNew?: boolean;
  /** Other credentials than those of the account. */
  showing?: Showing;
  /** Names a session without an account that requests of this plan share, with its cookies. New for each execution. */
  shared?: string;
  /** The response changes no cookies of the session: who has stolen or planted one keeps it as it is. */
  isFrozen?: boolean;
}

interface PlannedVisit {
  /** An expression evaluated in the loaded page until it returns a text. */
  look?: string;
  /** Prefix of the call that ends the visit. */
  awaited?: string;
  /** A page of another site, opened instead, that makes the request with the cookies a browser would send. */
  fromPage?: { url: string; html: string };
}

interface PlannedChange {
  /** Undoes the changes of earlier requests. Sent even if one of them got no response or the run crashed. */
  isCleanUp?: boolean;
  /** Creates something that the plan does not undo; the run's summary reports it. */
  leavesTraces?: boolean;
}

interface PlannedAnswer {
  /** It alone shows the flaw if there is one: the controls only rule out other reasons. */
  isDecisive?: boolean;
  /** It may contain secrets: it is judged, but only its length is kept. */
  isConfidential?: boolean;
  /** A rate limit or lock refuses it where the flaw is repaired: such a response shows no outage. */
  mayBeLimited?: boolean;
}

/** A request of a proof. */
export interface PlannedRequest {
  /** For people: what the request does. */
  label: string;
  request: PointRequest;
  /** Shows what the target does without the flaw, or without the payload. */
  isControl?: boolean;
  /** Requests the object that the request with this key created, instead of its own URL. */
  madeBy?: string;
  /** Returns the request to send instead, from earlier responses; undefined if a value that it needs is not there. */
  written?(earlier: ReadonlyMap<string, Observation>): PointRequest | undefined;
  /** Name of the account; null without one. Defaults to the session that saw the request. */
  as?: string | null;
  /** How the session differs from the usual one of `as`. */
  session?: PlannedSession;
  /** Opens the URL in a browser to observe its scripts. Without it, the request is sent over HTTP. */
  browser?: PlannedVisit;
  /** The change at the target. */
  change?: PlannedChange;
  /** How the response is used. */
  answer?: PlannedAnswer;
  /** Set by `ifPossible`. */
  mayBeUnsent?: boolean;
  /** Set by `evenUnanswered`. */
  mayBeUnanswered?: boolean;
  /** The value inserted into the request, which the evidence highlights. */
  payload?: string;
  /** Secrets of the target that the request contains. The evidence masks them. */
  secrets?: readonly string[];
  /** For people: what to look for in the response if the flaw exists, where no marked text and no status shows it. */
  shows?: string;
  /** The callback that the request is expected to cause. Callbacks of a control are not awaited. */
  calling?: Awaited;
}

interface Writing {
  isRaw?: boolean;
  /** For a query or a form: replaces the parameter name, unencoded. */
  name?: string | undefined;
}

/** Returns the request of the insertion point with this value; everything else stays as seen. */
export function at(
  point: Point,
  label: string,
  value: string,
  { isRaw, name, ...how }: Omit<PlannedRequest, 'label' | 'request'> & Writing = {},
): PlannedRequest {
  const isChanged = value !== point.parameter.value;
  return { label, request: requestWith(point, value, isRaw, name), ...(isChanged && { payload: value }), ...how };
}

/** The result of a planned request. */
export interface Observation extends Exchange {
  /** Calls made by scripts of the page, for requests opened in the browser. */
  calls?: readonly string[];
  /** Result of `look`, for requests opened in the browser. */
  seen?: string;
  /** Callbacks it caused by the end of the proof. */
  heard?: readonly OutsideCall[];
}

/**
 * LIKELY: a part of the proof is missing. VOID: nothing was proved either way, for example because a response is
 * missing.
 */
export type Verdict = 'PROVED' | 'LIKELY' | 'REFUTED' | 'VOID';

/** Requests of a proof by key, in the order in which they are sent. Undefined entries are not sent. */
export type Plan = Readonly<Record<string, PlannedRequest | undefined>>;

/**
 * A request that the proof can do without, for example because there is no browser: `judge` receives undefined if it
 * could not be sent. A control cannot be one: a proof without its control proves nothing.
 */
export function ifPossible<Planned extends PlannedRequest & { isControl?: false }>(request: Planned) {
  return { ...request, mayBeUnsent: true } as const;
}

/**
 * A request that has to be sent, but need not be answered, because a later request or a callback shows its effect:
 * `judge` receives an observation that may have no response.
 */
export function evenUnanswered<Planned extends PlannedRequest>(request: Planned) {
  return { ...request, mayBeUnanswered: true } as const;
}

/** Undoes the changes of earlier requests. It decides nothing: what it leaves behind is undone by the journal. */
export const cleanUp = (request: PlannedRequest) =>
  ifPossible(evenUnanswered({ ...request, isControl: false, change: { ...request.change, isCleanUp: true } }));

/** An observation with a response. */
type Answered = Observation & { response: NonNullable<Observation['response']> };

type AnswerTo<Planned> =
  | (Planned extends { mayBeUnanswered: true } ? Observation : Answered)
  | (Planned extends { mayBeUnsent: true } ? undefined : never);

/** The responses by the keys of the plan. */
export type Answers<Planned> = string extends keyof Planned
  ? Readonly<Record<string, Observation | undefined>>
  : {
      readonly [Key in keyof Planned]:
        | AnswerTo<NonNullable<Planned[Key]>>
        | (undefined extends Planned[Key] ? undefined : never);
    };

interface KnownAccount {
  name: string;
  marks: readonly string[];
  /** Login name, however short. */
  user?: string;
  /** The target's id for the account, if the login response contains it. */
  id?: string | undefined;
  /** Unsalted digests of its password, to recognise them in responses. Never saved or shown. */
  passwordDigests?: readonly PasswordDigest[];
}

export interface PasswordDigest {
  algorithm: string;
  /** Lower case. */
  hex: string;
}

/** What a proof may know beyond its subject and its variant: nothing that a replay could not have. */
export interface ProofFacts {
  /**
   * Accounts of the run. Marks are strings that only pages for the account show, such as its name or e-mail address.
   */
  accounts: readonly KnownAccount[];
  /** Depth of the run. Defaults to LEAD. */
  depth?: Depth;
  /** Addresses of the callback listener; undefined if none is configured. */
  outside?: OutsideNames | undefined;
}

/** Pure functions: what to send and how to judge the responses. Recorded exchanges can be judged again later. */
export interface Proof<Subject, Variant, Planned> {
  /** Returns undefined if the variant cannot be tried, for example because there is no listener. */
  plan(subject: Subject, variant: Variant, nonce: Nonce, facts: ProofFacts): Planned | undefined;
  /** Called only if every request that the proof needs was sent and answered. */
  judge(answers: Answers<Planned>, variant: Variant, nonce: Nonce, subject: Subject, facts: ProofFacts): Verdict;
}

/** Returns the observations that `judge` needs, or undefined if a response that it cannot do without is missing. */
export function answersTo<Planned extends Plan>(
  plan: Planned,
  observed: ReadonlyMap<string, Observation>,
): Answers<Planned> | undefined {
  const answers: Record<string, Observation | undefined> = {};
  for (const [key, planned] of Object.entries(plan)) {
    const observation = observed.get(key);
    if (planned && !(observation ? isUsable(planned, observation) : isDispensable(planned))) return undefined;
    answers[key] = observation;
  }
  return answers as Answers<Planned>;
}

const isUsable = ({ mayBeUnanswered }: PlannedRequest, { response }: Observation) =>
  mayBeUnanswered === true || response !== null;

/** Returns whether the proof can do without the request. */
export const isDispensable = ({ mayBeUnsent, isControl }: PlannedRequest) => mayBeUnsent === true && isControl !== true;
