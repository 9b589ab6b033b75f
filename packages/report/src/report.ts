import type {
  Confidence,
  Depth,
  Pentest,
  PentestFindingsResponse,
  Scan,
  ScanFindingsResponse,
  Severity,
} from '@sortie/contract';

export type ScanFinding = ScanFindingsResponse['findings'][number];
export type PentestFinding = PentestFindingsResponse['findings'][number];

/** What a gate made of a run, and by which policy. */
export interface Verdict {
  outcome: 'passed' | 'failed' | 'undecided';
  /** One sentence for people. */
  reason: string;
  failOn: Severity;
  minimumConfidence: Confidence;
}

interface AnyRun {
  id: string;
  /** The URL that was scanned or tested. */
  target: string;
  /** As the API answers it; a pentest may have values that this version does not know. */
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
  grade: Scan['grade'];
  failure: Scan['failure'];
  findings: readonly ScanFinding[];
}

export interface PentestReport extends AnyRun {
  kind: 'pentest';
  depth: Depth;
  /** Without it the findings are not there to be read, and nobody may call the target clean. */
  released: boolean;
  findings: readonly PentestFinding[];
}

/** A run with everything that a report says of it: the findings as the API answers them, all pages. */
export type Report = ScanReport | PentestReport;

interface Told {
  toolVersion: string;
  verdict?: Verdict;
  dashboardUrl?: string;
}

export function reportOfScan(scan: Scan, findings: readonly ScanFinding[], told: Told): ScanReport {
  const { id, status, score, grade, failure, createdAt, completedAt } = scan;
  const times = { createdAt, startedAt: createdAt, completedAt };
  return { kind: 'scan', id, target: scan.url, status, score, grade, failure, ...times, findings, ...told };
}

export function reportOfPentest(pentest: Pentest, findings: readonly PentestFinding[], told: Told): PentestReport {
  const { id, status, depth, createdAt, startedAt, completedAt } = pentest;
  const run = { id, target: pentest.targetUrl, status, depth, released: pentest.reportReleased };
  return { kind: 'pentest', ...run, createdAt, startedAt, completedAt, findings, ...told };
}
