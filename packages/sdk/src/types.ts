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

export type Query<Name extends keyof Queries> = {
  [Parameter in keyof Queries[Name]]?: QueryValue<Queries[Name][Parameter]>;
};

export type AnswerOf<Name extends keyof Answers> = Open<Answers[Name]>;

export type CreditsBalance = AnswerOf<'getCreditsBalance'>;
export type CreditsUsage = AnswerOf<'getCreditsUsage'>;
export type UsageRecord = CreditsUsage['usage'][number];
export type Levels = AnswerOf<'listLevels'>;
export type Level = Levels['levels'][number];
export type StartedScan = AnswerOf<'startScan'>;
export type ScanList = AnswerOf<'listScans'>;
export type Scan = AnswerOf<'getScan'>;
export type ScanFindings = AnswerOf<'listScanFindings'>;
export type ScanFinding = ScanFindings['findings'][number];
export type StartedPentest = AnswerOf<'startPentest'>;
export type PentestList = AnswerOf<'listPentests'>;
export type Pentest = AnswerOf<'getPentest'>;
export type PentestFindings = AnswerOf<'listPentestFindings'>;
export type PentestFinding = PentestFindings['findings'][number];
export type PentestFindingDetails = AnswerOf<'getPentestFinding'>;
export type Exchange = PentestFindingDetails['evidence'][number];
export type PentestSummary = AnswerOf<'getPentestSummary'>;
export type Coverage = NonNullable<PentestSummary['coverage']>;
export type Untested = PentestSummary['untested'][number];
export type TargetList = AnswerOf<'listTargets'>;
export type Target = AnswerOf<'getTarget'>;
export type ApiKey = AnswerOf<'getKey'>;
export type CancelledPentest = AnswerOf<'cancelPentest'>;

export type StartScan = Bodies['startScan'];

type PlainCredential = NonNullable<Bodies['startPentest']['credentials']>[number];

/** A test account. Wrap confidential values with `createSecret` to keep them out of logs. */
export type Credential = {
  [Field in keyof PlainCredential]: Field extends 'user' | 'pass' | 'totpSecret'
    ? PlainCredential[Field] | Secret
    : PlainCredential[Field];
};

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

export interface Answer<Data> {
  data: Data;
  /** Null when the response has no rate limit headers. */
  rateLimit: RateLimit | null;
  requestId: string | null;
}

export interface StartAnswer<Data> extends Answer<Data> {
  /** Keep it: the same key with the same body never starts a second run. */
  idempotencyKey: string;
  /** Whether an earlier request with this key started the run. The run may have ended since. */
  replayed: boolean;
}
