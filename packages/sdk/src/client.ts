import { type BaselineOptions, readBaseline } from './baseline.ts';
import { createCaller } from './call.ts';
import { type Credits, createCredits } from './credits.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { createPentests, type Pentests } from './pentests.ts';
import { type Proofs, type ProofsOptions, readProofs } from './read-proofs.ts';
import { createScans, type Scans } from './scans.ts';
import { createTargets, type Targets } from './targets.ts';
import type { Answer, ApiKey, Levels, PentestFinding } from './types.ts';
import { type Judgement, type JudgementOptions, waitForJudgement } from './wait-for-judgement.ts';
import { type ScanJudgement, type ScanWaitOptions, waitForScan } from './wait-for-scan.ts';

/** A client of one service with one API key. A request that fails rejects with an `ApiError` or a `TransportError`. */
export interface Client {
  readonly credits: Credits;
  readonly levels: {
    /** Resolves to the price and limits of each depth. */
    list(options?: CallOptions): Promise<Answer<Levels>>;
  };
  readonly key: {
    /** Resolves to the API key of this client: its account, environment, permissions and budget. */
    get(options?: CallOptions): Promise<Answer<ApiKey>>;
  };
  readonly scans: Scans;
  readonly pentests: Pentests;
  readonly targets: Targets;
  /**
   * Waits for a scan and judges it by a policy. Rejects when the service refuses a request, or is unreachable at the
   * end.
   */
  waitForScan(id: string, options?: ScanWaitOptions): Promise<ScanJudgement>;
  /**
   * Waits for a pentest and judges it by a policy. Rejects when the service refuses a request, or is unreachable at the
   * end.
   */
  waitForJudgement(id: string, options?: JudgementOptions): Promise<Judgement>;
  /**
   * Resolves to the fingerprints of a completed run, for the `baseline` of a policy. Rejects for any other run, for one of
   * another origin than the judged run, and for that run itself.
   */
  readBaseline(id: string, options?: BaselineOptions): Promise<ReadonlySet<string>>;
  /**
   * Resolves to the findings of a pentest, the 100 worst of them with their evidence, for a report. Reads one finding at
   * a time; those whose evidence cannot be read stay without it.
   */
  readProofs(id: string, findings: readonly PentestFinding[], options?: ProofsOptions): Promise<Proofs>;
}

/** Returns a client. Sends nothing. Throws a TypeError if the base URL or the API key is malformed. */
export function createClient(options: ClientOptions): Client {
  const caller = createCaller(options);
  const scans = createScans(caller);
  const pentests = createPentests(caller);
  return {
    credits: createCredits(caller),
    levels: { list: (callOptions) => caller.call('listLevels', {}, callOptions) },
    key: { get: (callOptions) => caller.call('getKey', {}, callOptions) },
    scans,
    pentests,
    targets: createTargets(caller),
    waitForScan: (id, waitOptions) => waitForScan(caller, scans, id, waitOptions),
    waitForJudgement: (id, waitOptions) => waitForJudgement(caller, pentests, id, waitOptions),
    readBaseline: (id, baselineOptions) => readBaseline(pentests, id, baselineOptions),
    readProofs: (id, findings, proofsOptions) => readProofs(pentests, id, findings, proofsOptions),
  };
}
