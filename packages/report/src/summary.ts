import { severities } from '@sortie/contract';
import { shownPlace } from './address.ts';
import { codeSpan, escapeMarkdown, tableRow } from './markdown-text.ts';
import { countBySeverity, type Prepared, prepare } from './prepare.ts';
import type { Report, Verdict } from './report.ts';
import type { ReportFinding } from './report-finding.ts';
import { cutText, oneLine } from './text.ts';
import { isJudged, severityWords, standing, TOOL, untestedOf, untestedText } from './words.ts';

/** Identifies our comment, so that each run updates it instead of adding another one. */
export const COMMENT_MARKER = '<!-- sortie-report -->';

/** GitHub drops a whole summary of more than 1,024 KiB, and rejects comments of more than 65,536 characters. */
const MOST_SUMMARY_BYTES = 900 * 1024;
const MOST_COMMENT_CHARACTERS = 60_000;
const COMMENTED_FINDINGS = 10;
const LISTED_GROUPS = 20;

const outcomes: Record<Verdict['outcome'], string> = {
  passed: 'Gate passed',
  failed: 'Gate failed',
  undecided: 'Gate undecided',
};

const text = (words: string, most: number) => escapeMarkdown(cutText(oneLine(words), most));

function countsOf({ findings }: Prepared): string[] {
  const counts = countBySeverity(findings);
  return [
    tableRow(severities.map((severity) => severityWords[severity])),
    tableRow(severities.map(() => '---:')),
    tableRow(severities.map((severity) => String(counts[severity]))),
    '',
  ];
}

/** Returns the heading of every Markdown report. */
export function headOf(report: Prepared): string[] {
  const { verdict, dashboardUrl } = report;
  return [
    `## ${TOOL} ${report.kind} of ${codeSpan(cutText(report.target, 300))}`,
    '',
    ...(verdict ? [`**${outcomes[verdict.outcome]}**: ${text(verdict.reason, 500)}`, ''] : []),
    text(standing(report), 500),
    '',
    ...(isJudged(report) || report.findings.length > 0 ? countsOf(report) : []),
    `Run ${codeSpan(report.id)}${dashboardUrl === undefined ? '' : `: ${codeSpan(dashboardUrl)}`}`,
    '',
  ];
}

/** Lists the untested groups in reports that do not include the whole run summary. */
function untestedIn(report: Prepared): string[] {
  const lines = untestedOf(report).map((each) => `- ${text(untestedText(each), 500)}`);
  return lines.length > 0 ? [...lines.slice(0, LISTED_GROUPS), ''] : [];
}

export const findingsHead = [
  tableRow(['Severity', 'Confidence', 'Finding', 'Location']),
  tableRow(['---', '---', '---', '---']),
];

/** Returns a table row without evidence, query and user info, because summaries and comments have many readers. */
export function findingRow(finding: ReportFinding, target: string): string {
  const place = [finding.method, shownPlace(finding.affectedUrl, target)].filter(Boolean).join(' ');
  const where = codeSpan(cutText(place, 200));
  return tableRow([severityWords[finding.severity], finding.confidence.toLowerCase(), text(finding.title, 200), where]);
}

function details(finding: ReportFinding): string {
  const remediation = text(finding.remediation ?? 'No remediation is given.', 2000);
  return `<details><summary>${severityWords[finding.severity]}: ${text(finding.title, 200)}</summary>\n\n${remediation}\n\n</details>\n`;
}

/** Returns as many of the leading parts as fit. */
function fit(parts: readonly string[], most: number, measure: (part: string) => number): string[] {
  let left = most;
  const fitting = parts.findIndex((part) => {
    left -= measure(part) + 1;
    return left < 0;
  });
  return fitting < 0 ? [...parts] : parts.slice(0, fitting);
}

const note = (listed: number, all: number) => (listed < all ? [`… and ${all - listed} more findings.`, ''] : []);
const bytes = (part: string) => Buffer.byteLength(part);

/** Returns the report as Markdown for the job summary of GitHub, cut to its limit. */
export function renderStepSummary(given: Report): string {
  const report = prepare(given);
  const head = [...headOf(report), ...untestedIn(report)];
  const room = MOST_SUMMARY_BYTES - bytes(head.join('\n')) - 1024;
  const rows = fit(
    report.findings.map((finding) => findingRow(finding, report.target)),
    room / 2,
    bytes,
  );
  const more = fit(report.findings.map(details), room / 2, bytes);
  const table = rows.length > 0 ? [...findingsHead, ...rows, '', ...note(rows.length, report.findings.length)] : [];
  const left = report.findings.length - more.length;
  return [...head, ...table, ...more, ...(left > 0 ? [`Details of ${left} findings are omitted.`] : [])].join('\n');
}

/** Returns the report as Markdown for a comment on a pull request, without evidence. */
export function renderComment(given: Report): string {
  const report = prepare(given);
  const head = [COMMENT_MARKER, ...headOf(report), ...untestedIn(report)];
  const worst = report.findings.slice(0, COMMENTED_FINDINGS).map((finding) => findingRow(finding, report.target));
  const rows = fit(worst, MOST_COMMENT_CHARACTERS - head.join('\n').length - 1024, (row) => row.length);
  const table = rows.length > 0 ? [...findingsHead, ...rows, '', ...note(rows.length, report.findings.length)] : [];
  return [...head, ...table].join('\n');
}
