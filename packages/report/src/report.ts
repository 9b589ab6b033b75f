import type {
  Confidence,
  Pentest,
  PentestFindingsResponse,
  Scan,
  ScanFindingsResponse,
  Severity,
  Untested,
} from '@sortie/contract';

/** An answer of the API in which these words may be newer than this version. */
type Open<Answer, Words extends keyof Answer> = Omit<Answer, Words> & {
  [Word in Words]: string | Extract<Answer[Word], null>;
};

export type ScanFinding = Open<ScanFindingsResponse['findings'][number], 'severity' | 'confidence'>;
export type PentestFinding = Open<PentestFindingsResponse['findings'][number], 'severity' | 'confidence'>;

/** What a gate made of a run, and by which policy. */
export interface Verdict {
  outcome: 'passed' | 'failed' | 'undecided';
  /** One sentence for people. */
  reason: string;
  failOn: Severity;
  minConfidence: Confidence;
  /** Ids of findings that somebody has accepted: they are told, but fail nothing. */
  accepted?: readonly string[];
}

interface AnyRun {
  id: string;
  /** The URL that was scanned or tested. */
  target: string;
  status: string;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  /** The version of the program that writes the report. */
  toolVersion: string;
  verdict?: Verdict;
  dashboardUrl?: string;
}

export interface ScanReport extends AnyRun {
  kind: 'scan';
  score: number | null;
  grade: string | null;
  failure: Scan['failure'];
  findings: readonly ScanFinding[];
}

export interface PentestReport extends AnyRun {
  kind: 'pentest';
  depth: string;
  /** Without it the findings are not there to be read, and nobody may call the target clean. */
  released: boolean;
  findings: readonly PentestFinding[];
  /** What was tested and what was not, or why the run failed, line by line; null while that is not known. */
  summary?: string | null;
  /** Groups of checks that apply to the target and could not run. */
  untested?: readonly Untested[];
  /** Groups that may be untested when there is no verdict to say so. */
  acceptUntested?: readonly string[];
}

/** A run with everything that a report says of it: the findings as the API answers them, all pages. */
export type Report = ScanReport | PentestReport;

interface Told {
  toolVersion: string;
  verdict?: Verdict;
  dashboardUrl?: string;
}

type AnyScan = Open<Scan, 'status' | 'grade'>;

export function reportOfScan(scan: AnyScan, findings: readonly ScanFinding[], told: Told): ScanReport {
  const { id, status, score, grade, failure, createdAt, completedAt } = scan;
  const times = { createdAt, startedAt: createdAt, completedAt };
  return { kind: 'scan', id, target: scan.url, status, score, grade, failure, ...times, findings, ...told };
}

type AnyPentest = Omit<Open<Pentest, 'status' | 'depth'>, 'credits'>;

export function reportOfPentest(
  pentest: AnyPentest,
  findings: readonly PentestFinding[],
  told: Told & Pick<PentestReport, 'summary' | 'untested' | 'acceptUntested'>,
): PentestReport {
  const { id, status, depth, createdAt, startedAt, completedAt } = pentest;
  const run = { id, target: pentest.targetUrl, status, depth, released: pentest.reportReleased };
  return { kind: 'pentest', ...run, createdAt, startedAt, completedAt, findings, ...told };
}
