import { type Severity, severities } from '@sortie/contract';
import type { Prepared } from './prepare.ts';
import type { ReportFinding } from './report-finding.ts';
import { isJudged, severityWords, standing, untestedOf } from './words.ts';

interface Risk {
  /** Null if the run has no verdict, or no findings. */
  severity: Severity | null;
  word: string;
  /** How the rating follows from the findings. */
  reason: string;
}

/** A tentative finding is not proved, so it counts one level lower. */
function weightOf({ severity, confidence }: ReportFinding): number {
  const place = severities.indexOf(severity);
  return confidence === 'TENTATIVE' ? Math.min(place + 1, severities.length - 1) : place;
}

/** Whether checks that apply to the target have no result. */
function hasGaps(report: Prepared): boolean {
  if (report.kind === 'pentest') return untestedOf(report).length > 0;
  return (report.checks?.notRun ?? 0) > 0 || (report.notRunReasons ?? []).length > 0;
}

/** Returns the overall risk: the severity of the worst finding. */
export function overallRisk(report: Prepared): Risk {
  if (!isJudged(report)) return { severity: null, word: 'Not rated', reason: standing(report) };
  const [worst] = report.findings.toSorted((one, other) => weightOf(one) - weightOf(other));
  const gaps = hasGaps(report) ? ' Some checks could not run, so the risk may be higher.' : '';
  if (!worst) return { severity: null, word: 'No findings', reason: `The tests that ran found nothing.${gaps}` };
  const severity = severities[weightOf(worst)] ?? worst.severity;
  const count = report.findings.filter((finding) => severities[weightOf(finding)] === severity).length;
  const rated = `${count} ${count === 1 ? 'finding counts' : 'findings count'} as ${severityWords[severity].toLowerCase()}`;
  const rule =
    'The overall risk is the severity of the worst finding; a tentative finding counts one level lower than its severity.';
  return { severity, word: severityWords[severity], reason: `${rule} Here ${rated}.${gaps}` };
}

export interface Priority {
  /** What is wrong, without the location. */
  title: string;
  /** Positions of its findings in the report. */
  positions: readonly number[];
  reason: string;
  action: string;
}

const FIRST = 3;

/** The first sentences of a text, at most about `most` characters. */
function beginning(text: string, most: number): string {
  const sentences = text
    .split('\n\n', 1)
    .join('')
    .split(/(?<=[.!?])\s+/);
  const [first = '', ...others] = sentences;
  return others.reduce((told, next) => (told.length + next.length < most ? `${told} ${next}` : told), first);
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** Returns the three kinds of weakness to fix first, each with the reason: the worst, then the most frequent. */
export function prioritiesOf({ findings, kind }: Prepared): Priority[] {
  // Many checks of a scan share a CWE, and each has its own remedy.
  const kindOf = ({ cwe, ruleId }: ReportFinding) => (kind === 'pentest' ? (cwe ?? ruleId) : ruleId);
  const placed = findings.map((finding, position) => ({ finding, position }));
  const rated = placed.filter(({ finding }) => finding.severity !== 'INFO');
  const kinds = [...Map.groupBy(rated, ({ finding }) => kindOf(finding)).values()];
  return kinds
    .toSorted(
      (one, other) => (one[0] && other[0] ? compare(one[0].finding, other[0].finding) : 0) || other.length - one.length,
    )
    .slice(0, FIRST)
    .flatMap((kind) =>
      kind[0]
        ? [
            toPriority(
              kind[0].finding,
              kind.map(({ position }) => position),
            ),
          ]
        : [],
    );
}

function compare(one: ReportFinding, other: ReportFinding): number {
  return weightOf(one) - weightOf(other) || Number(other.cvssScore ?? 0) - Number(one.cvssScore ?? 0);
}

function toPriority(worst: ReportFinding, positions: readonly number[]): Priority {
  const facts = [
    severityWords[worst.severity],
    worst.confidence.toLowerCase(),
    worst.cvssScore && `CVSS ${worst.cvssScore}`,
    worst.scoreImpact && `${plural(worst.scoreImpact, 'point')} of the score`,
  ].filter(Boolean);
  const gain = worst.impact ?? beginning(worst.rule.description, 240);
  return {
    title: worst.rule.title,
    positions,
    reason: `${plural(positions.length, 'finding')}: ${facts.join(', ')}. ${gain}`,
    action: worst.remediation === null ? 'No remediation is given.' : beginning(worst.remediation, 200),
  };
}
