import { confidences, severities } from '@sortie/contract';
import type { Prepared } from '../prepare.ts';
import { overallRisk, type Priority, prioritiesOf } from '../risk.ts';
import { cutText, oneLine } from '../text.ts';
import { byReason, isJudged, severityWords, standing, untestedOf, untestedText } from '../words.ts';
import { countFindings, scoreGauge, severityBars } from './charts.ts';
import { html, type Markup } from './markup.ts';
import { type Chapter, cutList, toFinding, withCode } from './parts.ts';

const MOST_LINKS = 8;
const MOST_GROUPS = 20;

export function executiveSummary(report: Prepared): Chapter {
  const { severity, word, reason } = overallRisk(report);
  const gauge = report.kind === 'scan' && report.score !== null && scoreGauge(report.score, report.grade ?? '–');
  // Zeros of a run without a result would read as a clean target.
  const hasCounts = isJudged(report) || report.findings.length > 0;
  const content = html`<p class="lead">${standing(report)}</p>${verdictOf(report)}
<div class="rating together"><p class="risk ${severity?.toLowerCase() ?? 'none'}"><span>Overall risk</span><strong>${word}</strong></p><p>${reason}</p></div>
${gapsOf(report)}${changedOf(report)}
${hasCounts && html`<div class="charts">${gauge}${severityBars(report.findings)}${countsOf(report)}</div>`}
${firstOf(report)}`;
  return { id: 'summary', title: 'Executive summary', content };
}

function verdictOf({ verdict }: Prepared): Markup | false {
  return (
    verdict !== undefined &&
    html`<p class="verdict ${verdict.outcome}"><strong>Gate ${verdict.outcome}.</strong> ${verdict.reason}</p>`
  );
}

function gapsOf(report: Prepared): Markup | false {
  const { listed, rest } = cutList(byReason(untestedOf(report)), MOST_GROUPS);
  if (listed.length === 0) return false;
  return html`<div class="verdict undecided"><p><strong>Incomplete:</strong> checks that apply to the target could not run.</p>
<ul>${listed.map((each) => html`<li>${cutText(untestedText(each), 500)}</li>`)}${rest > 0 && html`<li>${rest} more</li>`}</ul></div>`;
}

/** Compared with earlier runs, where the service answers it. */
function changedOf(report: Prepared): Markup | false {
  if (report.kind === 'scan') return false;
  const { fixed = [], notTested = [] } = report;
  const known = report.findings.filter(({ history }) => history !== null);
  if (known.length + fixed.length + notTested.length === 0) return false;
  const count = (word: string) => known.filter(({ history }) => history === word).length;
  const found = `${count('NEW')} new, ${count('OPEN')} open before, ${count('REGRESSION')} back after a fix`;
  const earlier = `${fixed.length} fixed, ${notTested.length} not tested again`;
  return html`<p>Compared with earlier runs on the target: ${found}. Findings of earlier runs: ${earlier}.</p>`;
}

function countsOf({ findings }: Prepared): Markup | false {
  if (findings.length === 0) return false;
  const counts = countFindings(findings);
  const cells = (numbers: readonly number[]) => numbers.map((number) => html`<td class="number">${number}</td>`);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const rows = severities.map(
    (severity) =>
      html`<tr><th scope="row">${severityWords[severity]}</th>${cells([...counts[severity], sum(counts[severity])])}</tr>`,
  );
  const totals = confidences.map((_, index) => sum(severities.map((severity) => counts[severity][index] ?? 0)));
  return html`<table class="small"><caption>Findings by severity and confidence</caption><thead><tr><th scope="col">Severity</th>
${confidences.map((each) => html`<th scope="col" class="number">${each.toLowerCase()}</th>`)}<th scope="col" class="number">all</th></tr></thead>
<tbody>${rows}</tbody><tfoot><tr><th scope="row">All</th>${cells([...totals, sum(totals)])}</tr></tfoot></table>`;
}

function firstOf(report: Prepared): Markup | false {
  const priorities = prioritiesOf(report);
  if (priorities.length === 0) return false;
  const title =
    priorities.length === 1
      ? 'What to do first'
      : `The ${['', '', 'two', 'three'][priorities.length]} things to do first`;
  return html`<h3>${title}</h3><ol class="priorities">${priorities.map((each) => priority(each, report))}</ol>`;
}

function priority({ title, positions, reason, action }: Priority, { findings }: Prepared): Markup {
  const tone = findings[positions[0] ?? 0]?.severity.toLowerCase() ?? 'none';
  const { listed, rest } = cutList(positions, MOST_LINKS);
  const links = listed.map((at, index) => html`${index > 0 && ','} ${toFinding(at + 1, html`${at + 1}`)}`);
  return html`<li class="${tone}"><p class="title" dir="auto">${withCode(cutText(oneLine(title), 200))}</p><p dir="auto">${withCode(action)}</p>
<p class="soft" dir="auto">Why: ${withCode(cutText(oneLine(reason), 600))} See ${positions.length === 1 ? 'finding' : 'findings'}${links}${rest > 0 && html` and ${rest} more`}.</p></li>`;
}
