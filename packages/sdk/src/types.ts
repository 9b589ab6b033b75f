import type { Answers, Bodies, Queries } from './contract.ts';
import type { Secret } from './secret.ts';

/** A known value, or one that the service introduced later: never treat an unknown value as a success. */
export type OpenEnum<Known extends string> = Known | (string & {});

/** A response type with every enumeration open. */
type Open<T> = T extends string
  ? string extends T
    ? T
    : OpenEnum<T>
  : T extends readonly (infer Item)[]
    ? Open<Item>[]
    : T extends object
      ? { [Field in keyof T]: Open<T[Field]> }
      : T;

type QueryValue<T> = T extends Date
  ? Date | string
  : T extends readonly (infer Item extends string)[]
    ? readonly OpenEnum<Uppercase<Item> | Lowercase<Item>>[]
    : T;

/** The query parameters of an endpoint. */
export type Query<Name extends keyof Queries> = {
  [Parameter in keyof Queries[Name]]?: QueryValue<Queries[Name][Parameter]>;
};

export type AnswerOf<Name extends keyof Answers> = Open<Answers[Name]>;

/** Available and held credits, and the next expiry. */
export type CreditsBalance = AnswerOf<'getCreditsBalance'>;
/** One page of the credit history. */
export type CreditsUsage = AnswerOf<'getCreditsUsage'>;
/** One operation on the credits of the account. */
export type UsageRecord = CreditsUsage['usage'][number];
/** All levels, cheapest first. */
export type Levels = AnswerOf<'listLevels'>;
/** Price and limits of one level. */
export type Level = Levels['levels'][number];
/** The id and status of a started scan. */
export type StartedScan = AnswerOf<'startScan'>;
/** One page of scans. */
export type ScanList = AnswerOf<'listScans'>;
/** A scan: status, score and grade. */
export type Scan = AnswerOf<'getScan'>;
/** One page of the findings of a scan. */
export type ScanFindings = AnswerOf<'listScanFindings'>;
/** A finding of a scan. */
export type ScanFinding = ScanFindings['findings'][number];
/** The id and status of a started pentest. */
export type StartedPentest = AnswerOf<'startPentest'>;
/** One page of pentests. */
export type PentestList = AnswerOf<'listPentests'>;
/** A pentest: status, level, times, finding counts and credits. */
export type Pentest = AnswerOf<'getPentest'>;
/** One page of the findings of a pentest. */
export type PentestFindings = AnswerOf<'listPentestFindings'>;
/** A finding of a pentest, without its evidence. */
export type PentestFinding = PentestFindings['findings'][number];
/** A finding of a pentest with the requests and responses that prove it. */
export type PentestFindingDetails = AnswerOf<'getPentestFinding'>;
/** A masked request of a proof, and its response. */
export type Exchange = PentestFindingDetails['evidence'][number];
/** What a run tested, left out and left behind, and what has become of earlier findings. */
export type PentestSummary = AnswerOf<'getPentestSummary'>;
/** What a run tested: requests, groups of checks and accounts. */
export type Coverage = NonNullable<PentestSummary['coverage']>;
/** A group of checks that applied but could not run, with reason and remedy. */
export type Untested = PentestSummary['untested'][number];
/** One page of targets. */
export type TargetList = AnswerOf<'listTargets'>;
/** A verification of a target, and the rules under which it may be tested. */
export type Target = AnswerOf<'getTarget'>;
/** The API key of the client: account, environment, permissions and budget. */
export type ApiKey = AnswerOf<'getKey'>;
/** The outcome of a cancel. */
export type CancelledPentest = AnswerOf<'cancelPentest'>;

/** The URL to scan. */
export type StartScan = Bodies['startScan'];

type PlainCredential = NonNullable<Bodies['startPentest']['credentials']>[number];

/** A test account. Wrap confidential values with `createSecret` to keep them out of logs. */
export type Credential = {
  [Field in keyof PlainCredential]: Field extends 'user' | 'pass' | 'totpSecret'
    ? PlainCredential[Field] | Secret
    : PlainCredential[Field];
};

/** Target, level, test accounts and API description of a pentest. */
export type StartPentest = Omit<Bodies['startPentest'], 'credentials'> & {
  credentials?: readonly Credential[] | undefined;
};

/** The state of the limit that is closest to being exceeded. */
export interface RateLimit {
  limit: number;
  remaining: number;
  /** Seconds until the window restarts. */
  resetSeconds: number;
}

/** The response to a call. */
export interface Answer<Data> {
  data: Data;
  /** Null when the response has no rate limit headers. */
  rateLimit: RateLimit | null;
  requestId: string | null;
}

/** The response to a start. */
export interface StartAnswer<Data> extends Answer<Data> {
  /** Keep it: the same key with the same body never starts a second run. */
  idempotencyKey: string;
  /** Whether an earlier request with this key started the run. The run may have ended since. */
  replayed: boolean;
}
