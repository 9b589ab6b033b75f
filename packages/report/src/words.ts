import type { Severity, Untested } from '@sortie/contract';
import type { Prepared } from './prepare.ts';

export const TOOL = 'Sortie';

export const severityWords: Record<Severity, 'Critical' | 'High' | 'Medium' | 'Low' | 'Info'> = {
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
  INFO: 'Info',
};

type Run = Pick<Prepared, 'kind' | 'status' | 'verdict'> & { released?: boolean; score?: number | null };

/** Returns whether the findings are complete: an empty list of a run that was not judged means nothing. */
export function isJudged(run: Run): boolean {
  // A released report may have been read only in part: it changed meanwhile, or was withdrawn.
  if (run.verdict?.outcome === 'undecided') return false;
  return run.status === 'COMPLETED' && (run.kind === 'scan' ? (run.score ?? null) !== null : run.released === true);
}

/** Returns the run's own summary with a heading. */
export function testedWords(report: Prepared): { title: string; words: string } | undefined {
  if (report.kind === 'scan' || !report.summary) return undefined;
  return { title: report.status === 'FAILED' ? 'Why it failed' : 'What was tested', words: report.summary };
}

/** Returns the check groups that could not run, each with whether the gate accepts it. */
export function untestedOf(report: Prepared): (Untested & { isAccepted: boolean })[] {
  if (report.kind === 'scan') return [];
  const { untested = [], acceptUntested = [], verdict } = report;
  const isAccepted = (group: string) => (verdict ? verdict.outcome === 'passed' : acceptUntested.includes(group));
  return untested.map((each) => ({ ...each, isAccepted: isAccepted(each.group) }));
}

/** Returns one entry for each reason, with all groups that it concerns. */
export function byReason<Each extends Untested>(untested: readonly Each[]): (Untested & { groups: readonly Each[] })[] {
  const byWords = Map.groupBy(untested, ({ reason, cure }) => `${reason} ${cure}`);
  return [...byWords.values()].flatMap((groups) => {
    const [first] = groups;
    return first
      ? [
          {
            ...first,
            group: groups
              .map(({ group }) => group)
              .toSorted()
              .join(', '),
            groups,
          },
        ]
      : [];
  });
}

export const untestedText = ({ group, reason, cure }: Untested) => `Not tested: ${group}. ${reason} ${cure}`;

/** Returns the state of the run in one sentence. */
export function standing(report: Prepared): string {
  if (report.kind === 'scan') {
    if (report.failure) return `The scan has no result: ${report.failure.message}`;
    if (report.status !== 'COMPLETED') return `The scan is in progress (${report.status}).`;
    if (report.verdict?.outcome === 'undecided') return 'The scan is over, but has no verdict.';
    return `The scan is over: score ${report.score} of 100, grade ${report.grade}.`;
  }
  if (report.status === 'FAILED') return 'The run failed: its findings are incomplete and were not reviewed.';
  if (report.status === 'CANCELLED') return 'The run was cancelled: its findings are incomplete and were not reviewed.';
  if (report.status !== 'COMPLETED') return unfinished(report.status);
  if (!report.released) return 'The run is over, but its report is not released: there is no result yet.';
  if (report.verdict?.outcome === 'undecided') return 'The run is over, but its report has no verdict.';
  return 'The run is over and its report is released.';
}

/** Of a status that this version does not know, it says only that the run is not over. */
function unfinished(status: string): string {
  switch (status) {
    case 'QUEUED':
      return 'The run has not started yet (QUEUED): there are no findings yet.';
    case 'AWAITING_PAYMENT':
      return 'The run waits for its payment (AWAITING_PAYMENT): there are no findings yet.';
    case 'PAUSED':
      return 'The run is paused until it is resumed in the dashboard (PAUSED): findings may be added.';
    default:
      return phases.includes(status)
        ? `The run is in progress (${status}): findings may be added.`
        : `The run is not over (${status}): findings may be added.`;
  }
}

const phases = ['VERIFYING', 'RECON', 'ENUMERATION', 'WEB_TEST', 'API_TEST', 'ANALYSIS', 'REPORTING'];

/** Returns what became of findings of earlier runs, one line each. */
export function earlierWords(report: Prepared): string[] {
  if (report.kind === 'scan') return [];
  const { fixed = [], notTested = [] } = report;
  return [
    ...fixed.map(({ title }) => `Fixed: ${title}`),
    ...notTested.map(({ title, reason }) => `Not tested again: ${title}. ${reason}`),
  ];
}

const histories: Record<string, string> = {
  NEW: 'new',
  OPEN: 'open since an earlier run',
  REGRESSION: 'regression: fixed before, and found again',
};

/** Returns how the finding compares with earlier runs; a value that this version does not know is shown as it is. */
export const historyWords = (history: string | null): string =>
  histories[history ?? ''] ?? history?.toLowerCase() ?? '';

/** Importers reject a whole report for a vector that they cannot read. */
export const isCvss3Vector = (text: string | null) =>
  text !== null && /^CVSS:3\.[01](?:\/[A-Z]{1,3}:[A-Z])+$/.test(text);
