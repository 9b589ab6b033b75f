import { type PointRequest, requestWith } from './active/point.ts';
import type { InventoryItem, Parameter, PointLocation } from './crawl/inventory.ts';
import type { Exchange } from './http/exchange.ts';
import type { Triage } from './oracle/triage.ts';

/** One value of one request that a test may change. */
export interface Point {
  item: InventoryItem;
  parameter: Parameter;
}

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

/** What the run knows besides what a check is about. */
export interface Known {
  inventory: readonly InventoryItem[];
  /** Those that are logged in. Marks are what only pages for them show: their name, their address. */
  accounts: readonly { name: string; marks: readonly string[] }[];
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
  /** Opened as a page, to see what its scripts do. */
  inBrowser?: boolean;
  /** In the browser: an expression that is asked in the loaded page until it gives a text. */
  look?: string;
  /** In the browser: how the call begins that ends the visit when it has come. */
  awaited?: string;
  /** Takes back what a request before it may have changed: sent even when one of them got no answer. */
  isCleanUp?: boolean;
}

/** The request of the point with this value in it; everything else as it was seen. */
export function at(
  point: Point,
  label: string,
  value: string,
  { isRaw, ...how }: Omit<PlannedRequest, 'label' | 'request'> & { isRaw?: boolean } = {},
): PlannedRequest {
  return { label, request: requestWith(point, value, isRaw), ...how };
}

/** What came of a planned request. */
export interface Observation extends Exchange {
  /** What scripts of the page called us with; only of what was opened in the browser. */
  calls?: readonly string[];
  /** What the look at it gave; likewise. */
  seen?: string;
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

/** What a probe may do: a request or two, as whoever has met the subject unless told. */
export interface Asking {
  ask(request: PointRequest, as?: string | null): Promise<Exchange>;
  /** In the browser, of a check that needs one: slow, so only for what `ask` cannot tell. */
  open(planned: Omit<PlannedRequest, 'label' | 'inBrowser' | 'isCleanUp'>): Promise<Observation | undefined>;
  known: Known;
}

export interface LabAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A small target with the flaw, and one without it, that answer to one value of the request. */
export interface PointLab {
  /** The query unless told. */
  location?: Exclude<PointLocation, 'webSocket' | 'path'>;
  parameter: string;
  value: string;
  vulnerable(value: string): LabAnswer;
  safe(value: string): LabAnswer;
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
  vulnerable(request: LabRequest): LabAnswer;
  safe(request: LabRequest): LabAnswer;
}

interface Labs {
  point: PointLab;
  request: RequestLab;
  site: RequestLab;
}

export interface CheckAbout<About extends keyof Subjects, Variant> {
  about: About;
  id: string;
  title: string;
  cwe: number;
  /** CVSS 3.1 for what the proof demonstrates, without a login. */
  cvss: string;
  why: string;
  fix: string;
  /** Harmless: nothing is written and no load is caused. */
  risk: 'harmless' | 'intrusive';
  /** Only at this level and deeper; where its risk allows it unless told. */
  depth?: 'STANDARD' | 'DEEP';
  /** Of a point: in what pages and programs send unless told: query, path, form, JSON, files, GraphQL. */
  locations?: readonly PointLocation[];
  appliesTo(subject: Subjects[About], known: Known): boolean;
  /** Of a point: whether it is worth more than the first look at it. */
  isWorthTrying?(triage: Triage): boolean;
  /** What can be tried, the likeliest first. Of a site each is a flaw by itself, elsewhere one is enough. */
  variants: readonly Variant[];
  /** Whether a proof opens pages in the browser. */
  needsBrowser?: boolean;
  /** One cheap look: which variants are worth a proof; it may make up others. All of them without it. */
  probe?(subject: Subjects[About], nonce: Nonce, asking: Asking): Promise<readonly Variant[]>;
  /** At most so many requests for one subject, proofs included. */
  maxRequests: number;
  /** Of a site: the address that a variant is about. */
  placeOf?(subject: Subjects[About], variant: Variant): string;
  /** Of a request: the value that a variant is about, where it is about one. */
  parameterOf?(subject: Subjects[About], variant: Variant): Parameter;
  proof: Proof<Subjects[About], Variant>;
  lab(): Labs[About];
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
