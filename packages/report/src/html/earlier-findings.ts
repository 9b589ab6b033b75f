import { Severity } from '@sortie/contract';
import { shownPlace } from '../address.ts';
import type { Prepared } from '../prepare.ts';
import type { PentestReport } from '../report.ts';
import { cutText, oneLine } from '../text.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Chapter, cutList, withCode } from './parts.ts';

const MOST_FINDINGS = 60;

type Earlier = NonNullable<PentestReport['fixed']>[number] & { reason?: string };

/** What became of findings of earlier runs that this run does not have. */
export function earlierFindingsOf(report: Prepared): Chapter | undefined {
  if (report.kind === 'scan') return undefined;
  const { fixed = [], notTested = [] } = report;
  if (fixed.length + notTested.length === 0) return undefined;
  const content = html`<p>Findings of earlier runs on the target that this run does not have.</p>
${table('Fixed', 'This run tested the same requests with the same group of checks, and did not find them.', fixed, report)}
${table('Not tested again', 'They may still exist: this run did not test everything that would show them.', notTested, report)}`;
  return { id: 'earlier-findings', title: 'Findings of earlier runs', content, isShort: true };
}

function table(title: string, meaning: string, findings: readonly Earlier[], { target }: Prepared): Markup | false {
  if (findings.length === 0) return false;
  const { listed, rest } = cutList(findings, MOST_FINDINGS);
  const hasReason = listed.some(({ reason }) => reason !== undefined);
  return html`<h3>${title} (${findings.length})</h3><p>${meaning}</p>
<table class="small"><thead><tr><th scope="col">Severity</th><th scope="col">Finding</th>${hasReason && html`<th scope="col">Why</th>`}<th scope="col">Last found in run</th></tr></thead>
<tbody>${listed.map((each) => row(each, target, hasReason))}</tbody></table>${rest > 0 && html`<p class="soft">${rest} more are left out.</p>`}`;
}

function row(
  { title, severity, affectedUrl, method, pentestId, reason }: Earlier,
  target: string,
  hasReason: boolean,
): Markup {
  const known = Severity.safeParse(severity).data;
  const place = [method, shownPlace(affectedUrl, target)].filter(Boolean).join(' ');
  return html`<tr><td>${known ? badge(known) : severity}</td>
<td dir="auto">${withCode(cutText(oneLine(title), 300))}<br><code dir="ltr">${cutText(place, 200)}</code></td>
${hasReason && html`<td>${cutText(oneLine(reason ?? ''), 500)}</td>`}<td><code>${pentestId}</code></td></tr>`;
}
