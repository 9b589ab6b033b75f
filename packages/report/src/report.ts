import type {
  Confidence,
  Pentest,
  PentestFindingsResponse,
  Scan,
  ScanFindingsResponse,
  Severity,
  Untested,
} from '@sortie/contract';

/** An API response in which these fields may have values that this version does not know. */
type Open<Answer, Words extends keyof Answer> = Omit<Answer, Words> & {
  [Word in Words]: string | Extract<Answer[Word], null>;
};

export type ScanFinding = Open<ScanFindingsResponse['findings'][number], 'severity' | 'confidence'>;

type AnsweredFinding = PentestFindingsResponse['findings'][number];
/** Fields that a service of an earlier release does not answer. */
type Identity = Pick<AnsweredFinding, 'checkId' | 'owaspCategory' | 'cvssVector' | 'location' | 'references'>;
export type PentestFinding = Open<Omit<AnsweredFinding, keyof Identity>, 'severity' | 'confidence'> &
  Partial<Open<Identity, 'location'>>;

/** The decision of a gate about a run, and the policy it applied. */
export interface Verdict {
  outcome: 'passed' | 'failed' | 'undecided';
  /** One sentence for display. */
  reason: string;
  failOn: Severity;
  minConfidence: Confidence;
  /** Ids of accepted findings: reported, but never failing the gate. */
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
  /** If false, the findings are not available, and the target must not be reported as clean. */
  released: boolean;
  findings: readonly PentestFinding[];
  /** What was tested and what was not, or why the run failed, line by line; null until it is known. */
  summary?: string | null;
  /** Check groups that apply to the target but could not run. */
  untested?: readonly Untested[];
  /** Groups that may be untested when there is no verdict. */
  acceptUntested?: readonly string[];
}

/** A run with everything its report contains: all pages of findings, as the API returns them. */
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
