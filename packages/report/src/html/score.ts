import type { Prepared } from '../prepare.ts';
import type { ScanReport } from '../report.ts';
import type { ReportFinding } from '../report-finding.ts';
import { cutText, oneLine } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Chapter, cutList, toFinding, withCode } from './parts.ts';

const MOST_REASONS = 60;

/** Explains the score of a scan: which findings cost how many points. */
export function scoreOf(report: Prepared): Chapter | undefined {
  if (report.kind === 'pentest') return undefined;
  const content = html`${report.score !== null && pointsOf(report.findings, report.score, report.grade)}
${report.checks && countsOf(report.checks)}${withoutResult(report.notRunReasons ?? [])}`;
  return { id: 'score', title: 'How the score is calculated', content, isShort: true };
}

function pointsOf(findings: readonly ReportFinding[], score: number, grade: string | null): Markup {
  const costly = findings
    .map((finding, index) => ({ finding, number: index + 1 }))
    .filter(({ finding }) => (finding.scoreImpact ?? 0) > 0)
    .toSorted(
      (one, other) => (other.finding.scoreImpact ?? 0) - (one.finding.scoreImpact ?? 0) || one.number - other.number,
    );
  const free = findings.length - costly.length;
  const row = ({ finding, number }: (typeof costly)[number]) => html`<tr><td>${badge(finding.severity)}</td>
<td dir="auto">${toFinding(number, withCode(cutText(oneLine(finding.title), 200)))}</td><td class="number">−${finding.scoreImpact}</td></tr>`;
  return html`<p>A scan starts at 100 points. Each failed check deducts points by its severity, once and by its worst finding.
The checks of a group together deduct no more than the limit of the group.${
    free > 0 &&
    html` ${free} ${free === 1 ? 'finding deducts' : 'findings deduct'} nothing: informational and tentative findings never do, and a check or group may have reached its limit.`
  }</p>
<table class="small"><caption>Points by finding</caption><thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col" class="number">Points</th></tr></thead>
<tbody><tr><td></td><td>Start</td><td class="number">100</td></tr>${costly.map(row)}</tbody>
<tfoot><tr><td></td><th scope="row">Score${grade !== null && `, grade ${grade}`}</th><td class="number">${score}</td></tr></tfoot></table>`;
}

function countsOf({ passed, failed, notApplicable, notRun }: NonNullable<ScanReport['checks']>): Markup {
  const parts = [
    `${passed} checks passed`,
    `${failed} failed`,
    notApplicable !== null && `${notApplicable} do not apply to this site`,
    `${notRun} have no result`,
  ];
  return html`<p>${parts.filter(Boolean).join(', ')}.</p>`;
}

function withoutResult(reasons: NonNullable<ScanReport['notRunReasons']>): Markup | false {
  const { listed, rest } = cutList(reasons, MOST_REASONS);
  if (listed.length === 0) return false;
  const row = ({ checkId, reason }: (typeof listed)[number]) =>
    html`<tr><th scope="row">${checkId}</th><td>${cutText(reason, 500)}</td></tr>`;
  return html`<h3>Checks without a result</h3><table class="small"><thead><tr><th scope="col">Check</th><th scope="col">Why</th></tr></thead>
<tbody>${listed.map(row)}</tbody></table>${rest > 0 && html`<p class="soft">${rest} more checks have no result.</p>`}`;
}
