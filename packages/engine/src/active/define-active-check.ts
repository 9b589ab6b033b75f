import type { Effect } from '../crawl/inventory/effects.ts';
import type { InventoryItem, Parameter, PointLocation } from '../crawl/inventory/inventory.ts';
import type { Exchange } from '../http/exchange/exchange.ts';
import type { Showing } from '../login/session/session.ts';
import type { Nonce, Observation, Plan, PlannedRequest, Proof, ProofFacts } from './experiment.ts';
import type { Point, PointRequest } from './insertion-point.ts';
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

/** What the run knows beyond the subject of a check. */
export interface Known extends ProofFacts {
  inventory: readonly InventoryItem[];
  /** The first page of each set of scripts. Without it, every page counts as the first. */
  scriptedPages?: ReadonlySet<InventoryItem>;
  /** URLs that were refused, and the session that requested them. */
  refused?: readonly { as: string | null; url: string }[];
  /** Requests that set a password, which the crawl has not sent: only accounts of the run use them. */
  passwordChanges?: readonly InventoryItem[];
  /** Requests that end the session that sends them, which the crawl has not sent. */
  logouts?: readonly InventoryItem[];
  /** Links that were not followed because of what they say. */
  avoided?: readonly { url: string; effect: Effect }[];
}

/** A change at the target that is about to be made. */
export interface PendingChange {
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
  willChange(undo: readonly PointRequest[]): Promise<PendingChange>;
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
  /** What an attacker gains, in one sentence. */
  impact: string;
  /** Cheat sheet, testing guide and CWE. The link to the ASVS requirement is added. */
  references: readonly string[];
  /** Requirement of OWASP ASVS 5.0, for example "1.2.4", if it is another one than `texts/asvs.ts` has for the CWE. */
  asvs?: string;
  /** Fields of the request or response that the finding is about; the title names the first one. */
  fields?: readonly string[];
}

export interface CheckAbout<About extends keyof Subjects, Variant, Planned extends Plan = Plan> extends Texts {
  about: About;
  id: string;
  /** Name of the folder it was loaded from. */
  group?: string;
  /** A flaw that several checks can prove; one proof per place is enough. Lower ranks run first. */
  flaw?: { name: string; rank: number };
  /**
   * Checks of one family find the same flaw, either at the same place or, if several pages can show a value, where the
   * pages show it within the same text. Unlike with `flaw`, each of them runs, and their fingerprints differ. All have
   * the same severity: who accepts a finding must not accept a worse one with it.
   */
  family?: { name: string; by: 'place' | 'sink' };
  /** The flaw is in the code that writes the value into a page, such as the layout of many pages. */
  isInPage?: boolean;
  /** For request checks of a family: the parameter that the flaw is in. */
  familyParameterOf?(subject: Subjects[About]): Parameter | undefined;
  /**
   * The proof shows that an interpreter evaluates the value. A value has only one, so where one of these checks has
   * found its flaw, none of the others runs.
   */
  provesInterpreter?: boolean;
  /** CVSS 3.1 vector for what the proof demonstrates, without a login. */
  cvss: string;
  /** CVSS 4.0 vector for the same. */
  cvss4: string;
  /** The attacker needs no login, even if an account saw the request, for example because the victim has one. */
  needsNoAccount?: boolean;
  /** Harmless checks write nothing and cause no load. */
  risk: 'harmless' | 'intrusive';
  /** Writes under new names only, so that it may use requests that would otherwise change what exists. */
  namesOwn?: boolean;
  /** Registers accounts of the run's own, which is what visitors without an account do. */
  registersOwn?: boolean;
  /** Tries logins, few enough to avoid lockouts. Runs from the first depth that allows writes. */
  isForLogins?: boolean;
  /** Minimum depth. By default the risk alone decides. */
  depth?: 'STANDARD' | 'DEEP';
  /** For point checks. Defaults to query, path, form, JSON, XML, multipart and GraphQL. */
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
  /**
   * For checks that need callbacks, in place of `probe`: returns the variants of a subject, the same in every attempt.
   * Defaults to `variants`.
   */
  variantsFor?(subject: Subjects[About], known: Known): readonly Variant[];
  /** A cheap test that selects the variants worth a proof, or creates new ones. Without it all variants are tried. */
  probe?(subject: Subjects[About], nonce: Nonce, asking: Asking): Promise<readonly Variant[]>;
  /** Request limit per subject, including proofs. */
  maxRequests: number;
  /** For site checks: returns the URL that a variant concerns. */
  placeOf?(subject: Subjects[About], variant: Variant): string;
  /** Names the flaw of a variant, for checks that find several at one URL; part of the fingerprint. */
  aspectOf?(variant: Variant): string;
  /** Names the cause of a variant at a site, where the responses of the crawl can show it as well. */
  causeOf?(variant: Variant): string;
  /** For request checks: returns the parameter that a variant concerns. */
  parameterOf?(subject: Subjects[About], variant: Variant): Parameter;
  /** Returns texts that differ for this variant. */
  describe?(variant: Variant): Partial<Texts & { cvss: string; cvss4: string }>;
  proof: Proof<Subjects[About], Variant, Planned>;
  lab(tools?: LabTools): Labs[About];
}

export type PointCheck<Variant = unknown, Planned extends Plan = Plan> = CheckAbout<'point', Variant, Planned>;
export type RequestCheck<Variant = unknown, Planned extends Plan = Plan> = CheckAbout<'request', Variant, Planned>;
export type SiteCheck<Variant = unknown, Planned extends Plan = Plan> = CheckAbout<'site', Variant, Planned>;
export type ActiveCheck = PointCheck | RequestCheck | SiteCheck;

type Without<Check> = Omit<Check, 'about'>;

/** Variant and plan are inferred: the keys of the plan are those of the responses that `judge` receives. */
export function definePointCheck<Variant, Planned extends Plan>(
  check: Without<PointCheck<Variant, Planned>>,
): PointCheck<Variant, Planned> {
  return { ...check, about: 'point' };
}

/** Defines a check of a request as a whole, such as its authorization. */
export function defineRequestCheck<Variant, Planned extends Plan>(
  check: Without<RequestCheck<Variant, Planned>>,
): RequestCheck<Variant, Planned> {
  return { ...check, about: 'request' };
}

/** Defines a check of an origin, such as its exposed files. */
export function defineSiteCheck<Variant, Planned extends Plan>(
  check: Without<SiteCheck<Variant, Planned>>,
): SiteCheck<Variant, Planned> {
  return { ...check, about: 'site' };
}
