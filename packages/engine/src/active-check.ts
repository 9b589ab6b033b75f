import type { InventoryItem, Parameter, PointLocation } from './crawl/inventory.ts';
import type { Exchange } from './http/exchange.ts';

/** One value of one request that a test may change. */
export interface Point {
  item: InventoryItem;
  parameter: Parameter;
}

/** Fresh for every execution of a proof, so that nothing old can pass for an answer. */
export interface Nonce {
  /** Lower-case letters and digits, begins with a letter. */
  word: string;
  /** Three different numbers of four digits. */
  numbers: readonly [number, number, number];
}

/** A request of a proof: the point with this value in it. The label is what `judge` finds its answer by. */
interface PlannedRequest {
  label: string;
  value: string;
  /** Put into the request as it is, also where that breaks it. */
  isRaw?: boolean;
  /** Opened as a page, to see what its scripts do. */
  inBrowser?: boolean;
}

/** What came of a planned request. */
export interface Observation extends Exchange {
  /** What scripts of the page called us with; only of what was opened in the browser. */
  calls?: readonly string[];
}

/** Says nothing was proved either way, e.g. because an answer is missing. */
export type Verdict = 'PROVED' | 'REFUTED' | 'VOID';

/**
 * Pure: what to send, and what the answers mean. Exchanges are recorded, so that anybody can judge them again.
 */
interface Proof<Variant> {
  plan(point: Point, variant: Variant, nonce: Nonce): PlannedRequest[];
  judge(answers: ReadonlyMap<string, Observation>, variant: Variant, nonce: Nonce): Verdict;
}

type Probe<Variant> = (
  point: Point,
  nonce: Nonce,
  ask: (value: string, isRaw?: boolean) => Promise<Exchange>,
) => Promise<readonly Variant[]>;

interface LabAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A small target with the flaw, and one without it, that answer to one value of the request. */
export interface Lab {
  /** The query unless told. */
  location?: Exclude<PointLocation, 'webSocket' | 'path'>;
  parameter: string;
  value: string;
  vulnerable(value: string): LabAnswer;
  safe(value: string): LabAnswer;
}

export interface ActiveCheck<Variant = unknown> {
  id: string;
  title: string;
  cwe: number;
  /** CVSS 3.1 for what the proof demonstrates, without a login. */
  cvss: string;
  why: string;
  fix: string;
  /** Harmless: nothing is written and no load is caused. */
  risk: 'harmless' | 'intrusive';
  /** Where it is worth trying; in what pages and programs send unless told: query, path, form, JSON, files, GraphQL. */
  locations?: readonly PointLocation[];
  appliesTo(point: Point): boolean;
  /** What can be tried at a point, the likeliest first. */
  variants: readonly Variant[];
  /** Whether a proof opens pages in the browser. */
  needsBrowser?: boolean;
  /** One cheap look at a point: which of the variants are worth a proof. All of them without it. */
  probe?: Probe<Variant>;
  /** At most so many requests at one point, proofs included. */
  maxRequests: number;
  proof: Proof<Variant>;
  lab(): Lab;
}

export function defineActiveCheck<Variant>(check: ActiveCheck<Variant>): ActiveCheck<Variant> {
  return check;
}
