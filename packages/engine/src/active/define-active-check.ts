import type { Depth } from '@sortie/contract';
import type { InventoryItem, Parameter, PointLocation } from '../crawl/inventory/inventory.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import type { Showing } from '../login/session.ts';
import type { Awaited, OutsideNames } from '../oracle/outside.ts';
import type { OutsideCall } from '../protocol/callback.ts';
import { type Point, type PointRequest, requestWith } from './insertion-point.ts';
import type { Labs, LabTools } from './lab.ts';
import type { RunMemory } from './run-memory.ts';
import type { Triage } from './triage-result.ts';

export type { Point };

/** An origin in scope. */
export interface Site {
  origin: string;
}

/** What a check tests: an insertion point, a request, or a whole site. */
export interface Subjects {
  point: Point;
  request: InventoryItem;
  site: Site;
}

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

/** What the run knows beyond the subject of a check. */
export interface Known {
  inventory: readonly InventoryItem[];
  /** The first page of each set of scripts. Without it, every page counts as the first. */
  scriptedPages?: ReadonlySet<InventoryItem>;
  /**
   * Accounts of the run. Marks are strings that only pages for the account show, such as its name or e-mail address.
   */
  accounts: readonly KnownAccount[];
  /** URLs that were refused, and the session that requested them. */
  refused?: readonly { as: string | null; url: string }[];
  /** Depth of the run. Defaults to LEAD. */
  depth?: Depth;
  /** Addresses of the callback listener; undefined if none is configured. */
  outside?: OutsideNames | undefined;
}

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
  /** The proof works without it, for example if there is no browser. */
  isOptional?: boolean;
  /** It may contain secrets: it is judged, but only its length is kept. */
  isConfidential?: boolean;
}

/** A request of a proof. `judge` finds the response by the label. */
export interface PlannedRequest {
  label: string;
  request: PointRequest;
  /** Requests the object that the request with this label created, instead of its own URL. */
  madeBy?: string;
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
  /** The value inserted into the request, which the evidence highlights. */
  payload?: string;
  /** Secrets of the target that the request contains. The evidence masks them. */
  secrets?: readonly string[];
  /** The callback that the request is expected to cause. Callbacks of a control are not awaited. */
  calling?: Awaited & { isControl?: boolean };
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

/** Pure functions: what to send and how to judge the responses. Recorded exchanges can be judged again later. */
interface Proof<Subject, Variant> {
  plan(subject: Subject, variant: Variant, nonce: Nonce, known: Known): PlannedRequest[];
  judge(
    answers: ReadonlyMap<string, Observation>,
    variant: Variant,
    nonce: Nonce,
    subject: Subject,
    known: Known,
  ): Verdict;
}

/** A change at the target that is about to be made. */
export interface Change {
  /** Sends the undo requests: by default those recorded, or better ones that are known by now. */
  takeBack(undo?: readonly PointRequest[]): Promise<void>;
  /** Removes the entry because nothing is left to undo. */
  forget(): void;
}

/** Functions for probes. Requests use the session that saw the subject unless `as` is given. */
export interface Asking {
  ask(request: PointRequest, as?: string | null, showing?: Showing): Promise<Exchange>;
  /** Uses a new session, which is discarded afterwards. */
  askAsNewVisitor(request: PointRequest): Promise<Exchange>;
  /** Opens a page in the browser, for checks that need one. Slow, so only for what `ask` cannot show. */
  open(planned: Pick<PlannedRequest, 'request' | 'as' | 'browser'>): Promise<Observation | undefined>;
  /** Resolves to the credentials an account sends to this URL, for deriving others. They must not be stored. */
  credentialsOf(as: string, url: string): Promise<readonly string[]>;
  /**
   * Call before making a change, with the requests that undo it in order, or with none if it cannot be undone. The run
   * then either undoes the change or reports it.
   */
  willChange(undo: readonly PointRequest[]): Promise<Change>;
  known: Known;
  /** Results and quotas shared by all subjects of the run. */
  memory: RunMemory;
  /** Triage of the insertion point, for checks that use it. */
  look?: Triage;
}

/** Texts of a finding. */
interface Texts {
  title: string;
  cwe: number;
  why: string;
  fix: string;
  /** Cheat sheet, testing guide and CWE. */
  references: readonly string[];
  /** Fields of the request or response that the finding is about; the title names the first one. */
  fields?: readonly string[];
}

export interface CheckAbout<About extends keyof Subjects, Variant> extends Texts {
  about: About;
  id: string;
  /** Name of the folder it was loaded from. */
  group?: string;
  /** A flaw that several checks can prove; one proof per place is enough. Lower ranks run first. */
  flaw?: { name: string; rank: number };
  /**
   * The proof shows that an interpreter evaluates the value. A value has only one, so where one of these checks has
   * found its flaw, none of the others runs.
   */
  provesInterpreter?: boolean;
  /** CVSS 3.1 vector for what the proof demonstrates, without a login. */
  cvss: string;
  /** The flaw can be exploited without a login, even if an account saw the request. */
  needsNoAccount?: boolean;
  /** Harmless checks write nothing and cause no load. */
  risk: 'harmless' | 'intrusive';
  /** Writes under new names only, so that it may use requests that would otherwise change what exists. */
  namesOwn?: boolean;
  /** Tries logins, few enough to avoid lockouts. Runs from the first depth that allows writes. */
  isForLogins?: boolean;
  /** Minimum depth. By default the risk alone decides. */
  depth?: 'STANDARD' | 'DEEP';
  /** For point checks. Defaults to query, path, form, JSON, multipart and GraphQL. */
  locations?: readonly PointLocation[];
  appliesTo(subject: Subjects[About], known: Known): boolean;
  /** For point checks: returns whether the triage justifies further requests. */
  isWorthTrying?(triage: Triage, point: Point): boolean;
  /**
   * What can be tried, the most likely first. For a site each variant is a separate flaw; otherwise one is enough, or
   * one per parameter.
   */
  variants: readonly Variant[];
  /** Whether the proof opens pages in a browser; "if possible" if it works without one. */
  needsBrowser?: boolean | 'if possible';
  /**
   * The proof is a callback; `dns` requires a DNS zone. All variants are first sent without controls, and those that
   * caused a callback are then verified.
   */
  needsOutside?: boolean | 'dns';
  /** A cheap test that selects the variants worth a proof, or creates new ones. Without it all variants are tried. */
  probe?(subject: Subjects[About], nonce: Nonce, asking: Asking): Promise<readonly Variant[]>;
  /** Request limit per subject, including proofs. */
  maxRequests: number;
  /** For site checks: returns the URL that a variant concerns. */
  placeOf?(subject: Subjects[About], variant: Variant): string;
  /** For request checks: returns the parameter that a variant concerns. */
  parameterOf?(subject: Subjects[About], variant: Variant): Parameter;
  /** Returns texts that differ for this variant. */
  describe?(variant: Variant): Partial<Texts & { cvss: string }>;
  proof: Proof<Subjects[About], Variant>;
  lab(tools?: LabTools): Labs[About];
}

export type PointCheck<Variant = unknown> = CheckAbout<'point', Variant>;
export type RequestCheck<Variant = unknown> = CheckAbout<'request', Variant>;
export type SiteCheck<Variant = unknown> = CheckAbout<'site', Variant>;
export type ActiveCheck = PointCheck | RequestCheck | SiteCheck;

type Without<Check> = Omit<Check, 'about'>;

export function definePointCheck<Variant>(check: Without<PointCheck<Variant>>): PointCheck<Variant> {
  return { ...check, about: 'point' };
}

export function defineRequestCheck<Variant>(check: Without<RequestCheck<Variant>>): RequestCheck<Variant> {
  return { ...check, about: 'request' };
}

export function defineSiteCheck<Variant>(check: Without<SiteCheck<Variant>>): SiteCheck<Variant> {
  return { ...check, about: 'site' };
}
