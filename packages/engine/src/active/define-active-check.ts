import type { Depth } from '@sortie/contract';
import type { InventoryItem, Parameter, PointLocation } from '../crawl/inventory/inventory.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import type { Showing } from '../login/session.ts';
import type { Awaited, OutsideNames } from '../oracle/outside.ts';
import type { OutsideCall } from '../protocol/callback.ts';
import { type Point, type PointRequest, requestWith } from './insertion-point.ts';

export type { Point };

/** An origin that may be tested. */
export interface Site {
  origin: string;
}

/** What a check can be about: one value, one kind of request, or a whole site. */
export interface Subjects {
  point: Point;
  request: InventoryItem;
  site: Site;
}

interface KnownAccount {
  name: string;
  marks: readonly string[];
  /** What it logs in as, however short. */
  user?: string;
  /** What the target numbers it by, where its login says so. */
  id?: string | undefined;
}

/** What the run knows besides what a check is about. */
export interface Known {
  inventory: readonly InventoryItem[];
  /** Those that are logged in. Marks are what only pages for them show: their name, their address. */
  accounts: readonly KnownAccount[];
  /** What was not shown to somebody who asked for it. */
  refused?: readonly { as: string | null; url: string }[];
  /** The run's level; the cheapest unless told. */
  depth?: Depth;
  /** Where targets may be made to call; undefined where nobody listens. */
  outside?: OutsideNames | undefined;
}

/** What may read a value: something that understands two ways of writing it as the same. */
export type Meaning =
  | 'expression'
  | 'sqlExpression'
  | 'sqlText'
  | 'addedText'
  | 'condition'
  | 'wildcard'
  | 'folder'
  | 'command'
  | 'operator';

/** What the first look tells about a value: whether anything but its echo depends on it. */
export interface Triage {
  /** The same request got the same answer twice. */
  isStable: boolean;
  /** An unknown word comes back in the answer. */
  isReflected: boolean;
  /** It comes back in a line of its header. */
  isInHeader: boolean;
  /** Characters that mean something to a program changed more than the echo, compared with a plain word. */
  isReactive: boolean;
  /** An unknown word got another answer than the value that was seen. */
  isRead: boolean;
  /** Characters that mean something to a program made it fail. */
  isBroken: boolean;
  /** What may read the value; undefined where that cannot be told. */
  meanings: ReadonlySet<Meaning> | undefined;
}

/** Fresh for every execution of a proof, so that nothing old can pass for an answer. */
export interface Nonce {
  /** Lower-case letters and digits, begins with a letter. */
  word: string;
  /** Three different numbers of four digits. */
  numbers: readonly [number, number, number];
}

/** A request of a proof. The label is what `judge` finds its answer by. */
export interface PlannedRequest {
  label: string;
  request: PointRequest;
  /** The account; null for a visitor without one. Whoever has met the request unless told. */
  as?: string | null;
  /** As somebody who comes for the first time, without the cookies of earlier requests; nothing of it is remembered. */
  isNewVisitor?: boolean;
  /** Opened as a page, to see what its scripts do. */
  inBrowser?: boolean;
  /** In the browser: an expression that is asked in the loaded page until it gives a text. */
  look?: string;
  /** In the browser: how the call begins that ends the visit when it has come. */
  awaited?: string;
  /** A page of another site that is opened in the browser and asks for it, with the cookies that a browser sends along. */
  fromPage?: { url: string; html: string; awaited?: string };
  /** The proof can do without it, e.g. where there is no browser. */
  isOptional?: boolean;
  /** Takes back what a request before it may have changed: sent even when one of them got no answer, or the run crashed. */
  isCleanUp?: boolean;
  /** Makes something that nothing of the plan takes back: the run's summary tells of it. */
  leavesTraces?: boolean;
  /** How the account shows who it is, where that is not as always. */
  showing?: Showing;
  /** The answer may hold secrets: it is judged, and how long it is is kept. */
  isConfidential?: boolean;
  /** Asks for what the request of this label has made, in the place of its own address. */
  madeBy?: string;
  /** The call from outside that it would cause. Of a control, nothing is waited for. */
  calling?: Awaited & { isControl?: boolean };
}

interface Writing {
  isRaw?: boolean;
  /** Of a query or a form: written as it is in place of the name. */
  name?: string | undefined;
}

/** The request of the point with this value in it; everything else as it was seen. */
export function at(
  point: Point,
  label: string,
  value: string,
  { isRaw, name, ...how }: Omit<PlannedRequest, 'label' | 'request'> & Writing = {},
): PlannedRequest {
  return { label, request: requestWith(point, value, isRaw, name), ...how };
}

/** What came of a planned request. */
export interface Observation extends Exchange {
  /** What scripts of the page called us with; only of what was opened in the browser. */
  calls?: readonly string[];
  /** What the look at it gave; likewise. */
  seen?: string;
  /** Calls from outside that it has caused, by the end of the proof. */
  heard?: readonly OutsideCall[];
}

/** Likely: one leg of the proof is missing. Void: nothing was proved either way, e.g. because an answer is missing. */
export type Verdict = 'PROVED' | 'LIKELY' | 'REFUTED' | 'VOID';

/**
 * Pure: what to send, and what the answers mean. Exchanges are recorded, so that anybody can judge them again.
 */
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

/** Something that a run is about to change at its target. */
export interface Change {
  /** Sends what takes it back: what was noted first, unless something better is known by now. */
  takeBack(undo?: readonly PointRequest[]): Promise<void>;
  /** Nothing of it is left. */
  forget(): void;
}

/** What a probe may do: a request or two, as whoever has met the subject unless told. */
export interface Asking {
  ask(request: PointRequest, as?: string | null, showing?: Showing): Promise<Exchange>;
  /** As somebody who comes for the first time: what it is given is not remembered. */
  askAsNewVisitor(request: PointRequest): Promise<Exchange>;
  /** In the browser, of a check that needs one: slow, so only for what `ask` cannot tell. */
  open(planned: Pick<PlannedRequest, 'request' | 'as' | 'look' | 'awaited'>): Promise<Observation | undefined>;
  /** What an account shows at this address, to make others of it; it must not get into what is kept. */
  credentialsOf(as: string, url: string): Promise<readonly string[]>;
  /**
   * To be called before something is changed, with what takes it back, in this order; with nothing where nothing does.
   * Whatever happens then, it is taken back or told.
   */
  willChange(undo: readonly PointRequest[]): Promise<Change>;
  known: Known;
  /** What the first look at a point told, for checks that ask for it. */
  look?: Triage;
}

export interface LabAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** How long it seems to take. Nobody waits: it is added to what is measured. */
  seconds?: number;
}

/** What a lab may do beside answering; on loopback, and only with our own listener. */
export interface LabTools {
  get(url: string): Promise<string>;
  lookUp(name: string): Promise<void>;
}

/** A small target with the flaw, and one without it, that answer to one value of the request. */
export interface PointLab {
  /** The query unless told. */
  location?: Exclude<PointLocation, 'webSocket' | 'path'>;
  parameter: string;
  value: string;
  vulnerable(value: string): LabAnswer | Promise<LabAnswer>;
  safe(value: string): LabAnswer | Promise<LabAnswer>;
}

export interface LabRequest {
  method: string;
  /** Without the part that tells the labs from each other; with the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The account it is sent as: "alice" or "bob". */
  account: string | null;
}

/** A small site with the flaw, and one without it. Its accounts are alice and bob. */
export interface RequestLab {
  /** What is tested; `url` is a path here. */
  item: InventoryItem;
  /** What else was met at it. */
  others?: readonly InventoryItem[];
  /** What was not shown to somebody; `url` is a path here. */
  refused?: Known['refused'];
  /** What it is found as, where that cannot be confirmed. */
  confidence?: 'FIRM';
  /** The token an account shows, after "Bearer". */
  token?(account: string, kind: 'vulnerable' | 'safe'): string;
  vulnerable(request: LabRequest): LabAnswer | Promise<LabAnswer>;
  safe(request: LabRequest): LabAnswer | Promise<LabAnswer>;
}

interface Labs {
  point: PointLab;
  request: RequestLab;
  site: RequestLab;
}

/** What a finding says of itself. */
interface Texts {
  title: string;
  cwe: number;
  why: string;
  fix: string;
  /** Cheat sheet, testing guide, CWE: where the reader learns more. */
  references: readonly string[];
  /** Fields of the request or response that the finding is about; the title names the first one. */
  fields?: readonly string[];
}

export interface CheckAbout<About extends keyof Subjects, Variant> extends Texts {
  about: About;
  id: string;
  /** The folder that it was loaded from. */
  group?: string;
  /** A flaw that several checks prove, each in its way: one of them is enough at a place. Lower ranks come first. */
  flaw?: { name: string; rank: number };
  /** CVSS 3.1 for what the proof demonstrates, without a login. */
  cvss: string;
  /** Whoever has met the request, it can be misused by somebody without a login. */
  needsNoAccount?: boolean;
  /** Harmless: nothing is written and no load is caused. */
  risk: 'harmless' | 'intrusive';
  /** Tries logins, few enough not to lock anybody out; from the level on that writes. */
  isForLogins?: boolean;
  /** Only at this level and deeper; where its risk allows it unless told. */
  depth?: 'STANDARD' | 'DEEP';
  /** Of a point: in what pages and programs send unless told: query, path, form, JSON, files, GraphQL. */
  locations?: readonly PointLocation[];
  appliesTo(subject: Subjects[About], known: Known): boolean;
  /** Of a point: whether it is worth more than the first look at it. */
  isWorthTrying?(triage: Triage, point: Point): boolean;
  /** What can be tried, the likeliest first. Of a site each is a flaw by itself; elsewhere one is enough, or one for each value. */
  variants: readonly Variant[];
  /** Whether a proof opens pages in the browser; "if possible" where it can do without one. */
  needsBrowser?: boolean | 'if possible';
  /**
   * Its proof is a callback, with `dns` one that only a DNS zone receives. All variants are sent without controls first,
   * and those that called us are proved.
   */
  needsOutside?: boolean | 'dns';
  /** One cheap look: which variants are worth a proof; it may make up others. All of them without it. */
  probe?(subject: Subjects[About], nonce: Nonce, asking: Asking): Promise<readonly Variant[]>;
  /** At most so many requests for one subject, proofs included. */
  maxRequests: number;
  /** Of a site: the address that a variant is about. */
  placeOf?(subject: Subjects[About], variant: Variant): string;
  /** Of a request: the value that a variant is about, where it is about one. */
  parameterOf?(subject: Subjects[About], variant: Variant): Parameter;
  /** What is said of a variant, where that is not the same for all. */
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
