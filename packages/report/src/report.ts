import type {
  Confidence,
  Coverage,
  Pentest,
  PentestFindingDetails,
  PentestFindingsResponse,
  PentestSummaryResponse,
  Scan,
  ScanFindingsResponse,
  Severity,
  Target,
  Untested,
} from '@sortie/contract';

/** An API response in which these fields may have values that this version does not know. */
type Open<Answer, Words extends keyof Answer> = Omit<Answer, Words> & {
  [Word in Words]: string | Extract<Answer[Word], null>;
};

export type ScanFinding = Open<ScanFindingsResponse['findings'][number], 'severity' | 'confidence'>;

type AnsweredFinding = PentestFindingsResponse['findings'][number];
/** Fields of the first release. A service of an earlier release does not answer the others. */
type Core =
  | 'id'
  | 'title'
  | 'description'
  | 'severity'
  | 'confidence'
  | 'affectedUrl'
  | 'remediation'
  | 'cvssScore'
  | 'cweId'
  | 'method'
  | 'parameter'
  | 'fingerprint';
/** Read for each finding on its own, and therefore not for all of them. */
type Proof = Pick<PentestFindingDetails, 'evidence' | 'evidenceDeletedAt' | 'curl'>;
export type FindingPlace = Open<Omit<AnsweredFinding['places'][number], 'fingerprints'>, 'location'>;
type Later = Open<Omit<AnsweredFinding, Core | 'places'>, 'location' | 'history'> & { places: readonly FindingPlace[] };
export type PentestFinding = Open<Pick<AnsweredFinding, Core>, 'severity' | 'confidence'> & Partial<Later & Proof>;

export type CoverageOfRun = Omit<Coverage, 'groups'> & {
  groups: readonly Open<Coverage['groups'][number], 'status'>[];
};

/** How the target is verified, and the owner's rules of engagement. */
export type Engagement = Open<
  Pick<Target, 'method' | 'coveredName' | 'coveredOrigin' | 'verifiedAt' | 'expiresAt' | 'rules'>,
  'method'
>;

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

/** A scan with its findings. */
export interface ScanReport extends AnyRun {
  kind: 'scan';
  score: number | null;
  grade: string | null;
  failure: Scan['failure'];
  /** How many checks passed, failed, do not apply or have no result. */
  checks?: Scan['checks'];
  /** Why checks have no result. */
  notRunReasons?: Scan['notRunReasons'];
  findings: readonly ScanFinding[];
}

/** What the summary of a pentest and the verifications of its target tell. */
interface ToldOfPentest {
  /** What was tested and what was not, or why the run failed, line by line; null until it is known. */
  summary?: string | null;
  /** Check groups that apply to the target but could not run. */
  untested?: readonly Untested[];
  /** Groups that may be untested when there is no verdict. */
  acceptUntested?: readonly string[];
  /** Ids of findings that are not new, and do not fail a gate when there is no verdict. */
  known?: readonly string[];
  /** What was tested with each request, group of checks and account; null if it is not known. */
  coverage?: CoverageOfRun | null;
  /** Verifications that cover the target when the report is written. */
  engagements?: readonly Engagement[];
  /** What became of findings of earlier runs that this one does not have. */
  fixed?: readonly Open<PentestSummaryResponse['fixed'][number], 'severity'>[];
  notTested?: readonly Open<PentestSummaryResponse['notTested'][number], 'severity'>[];
}

/** A pentest with its findings and what else a report tells of it. */
export interface PentestReport extends AnyRun, ToldOfPentest {
  kind: 'pentest';
  depth: string;
  /** If false, the findings are not available, and the target must not be reported as clean. */
  released: boolean;
  findings: readonly PentestFinding[];
}

/** A run with everything its report contains: all pages of findings, as the API returns them. */
export type Report = ScanReport | PentestReport;

interface Told {
  toolVersion: string;
  verdict?: Verdict;
  dashboardUrl?: string;
}

type AnyScan = Open<Omit<Scan, 'checks' | 'notRunReasons'>, 'status' | 'grade'> &
  Partial<Pick<Scan, 'checks' | 'notRunReasons'>>;

/** Returns the report of a scan. */
export function reportOfScan(scan: AnyScan, findings: readonly ScanFinding[], told: Told): ScanReport {
  const { id, status, score, grade, failure, createdAt, completedAt, checks = null, notRunReasons = [] } = scan;
  const run = { id, target: scan.url, status, score, grade, failure, checks, notRunReasons };
  return { kind: 'scan', ...run, createdAt, startedAt: createdAt, completedAt, findings, ...told };
}

type AnyPentest = Omit<Open<Pentest, 'status' | 'depth'>, 'credits'>;

/** Returns the report of a pentest. */
export function reportOfPentest(
  pentest: AnyPentest,
  findings: readonly PentestFinding[],
  told: Told & ToldOfPentest,
): PentestReport {
  const { id, status, depth, createdAt, startedAt, completedAt } = pentest;
  const run = { id, target: pentest.targetUrl, status, depth, released: pentest.reportReleased };
  return { kind: 'pentest', ...run, createdAt, startedAt, completedAt, findings, ...told };
}
