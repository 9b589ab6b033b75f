import type { InventoryItem, PointLocation } from '../crawl/inventory/inventory.ts';

export interface LabAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Simulated duration in seconds, added to the measured time without waiting. */
  seconds?: number;
}

/** What a lab may do besides responding: contact our own listener on loopback. */
export interface LabTools {
  get(url: string): Promise<string>;
  lookUp(name: string): Promise<void>;
}

/** A small target with the flaw and one without it, for one value of the request. */
export interface PointLab {
  /** Defaults to the query. */
  location?: Exclude<PointLocation, 'webSocket' | 'path' | 'xml'>;
  parameter: string;
  value: string;
  vulnerable(value: string): LabAnswer | Promise<LabAnswer>;
  safe(value: string): LabAnswer | Promise<LabAnswer>;
}

export interface LabRequest {
  method: string;
  /** Path with query, without the prefix that separates the labs. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Account of the request: "alice" or "bob". */
  account: string | null;
}

/** A small site with the flaw and one without it, with the accounts alice and bob. */
export interface RequestLab {
  /** Request under test; `url` is a path. */
  item: InventoryItem;
  /** Other requests in the inventory. */
  others?: readonly InventoryItem[];
  /** URLs that were refused; `url` is a path. */
  refused?: readonly { as: string | null; url: string }[];
  /** Expected confidence if the flaw cannot be confirmed. */
  confidence?: 'FIRM';
  /** Returns the bearer token of an account. */
  token?(account: string, kind: 'vulnerable' | 'safe'): string;
  vulnerable(request: LabRequest): LabAnswer | Promise<LabAnswer>;
  safe(request: LabRequest): LabAnswer | Promise<LabAnswer>;
}

/** The lab of a check, by what the check tests. */
export interface Labs {
  point: PointLab;
  request: RequestLab;
  site: RequestLab;
}
