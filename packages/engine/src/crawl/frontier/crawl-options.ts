import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Effect } from '../inventory/effects.ts';
import type { Harvest } from '../inventory/harvest.ts';
import type { Inventory, InventoryItem, Source } from '../inventory/inventory.ts';
import type { Discovery } from '../readers/discovery.ts';
import type { Baseline } from './baseline.ts';
import type { Bounds } from './bounds.ts';
import type { ScriptedPage } from './look-alikes.ts';

/** Sends a GET as one visitor of the target. */
type Visit = (url: string) => Promise<Exchange>;

/** A start URL and how it was discovered. */
export interface Seed {
  url: string;
  source: Source;
}

export interface CrawlOptions {
  visit: Visit;
  /** Submits a filled-in form; absent if forms are only recorded. */
  submit?: (form: InventoryItem) => Promise<Exchange>;
  /** Returns whether a form may be submitted, depending on its effect. */
  maySubmit?(form: InventoryItem): boolean;
  /** Returns whether a URL is in scope. */
  isCovered(url: string): boolean;
  inventory: Inventory;
  /** The account; null for an anonymous visitor. */
  seenAs: string | null;
  /** The first is the start URL given by the owner; the others are treated like links. */
  seeds: readonly Seed[];
  /** Responses that this visitor has received already, such as the one to its login. */
  received?: readonly Exchange[];
  mostPages: number;
  mostMs: number;
  bounds?: Bounds;
  baseline?: Baseline;
  harvest?: Harvest;
  /** URLs of resources that this run created; extended when a form creates one. */
  ours?: Set<string>;
  /** Collects requests from scripts and API descriptions. */
  discovery?: Discovery;
  /** Pages that did not respond before; extended by the crawl. */
  silent?: Set<string>;
  /** Called with each URL that this visitor may not access. */
  onRefused?(url: string): void;
  /** Called once, when the links are followed or most of the pages are used up; resolves to URLs that nothing links to. */
  further?: (() => Promise<readonly Seed[]>) | undefined;
}

export interface CrawlResult {
  pages: number;
  /** Links and forms that were not followed because of what they would do. */
  avoided: number;
  avoidedLinks: { url: string; effect: Effect }[];
  submitted: number;
  /** URLs that were skipped because enough similar ones were visited. */
  alike: number;
  /** URLs that were skipped as crawler traps. */
  trapped: number;
  /** URLs beyond the link depth. */
  deep: number;
  /** Pages that did not respond. */
  unanswered: number;
  /** Pages with scripts: one per page structure, then others of the same structures. */
  scripted: ScriptedPage[];
  /** Whether the crawl ended before all pages were visited. */
  isCut: boolean;
}
