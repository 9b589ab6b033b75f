import type { Prepared } from '../prepare.ts';
import { TOOL } from '../words.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Chapter } from './parts.ts';
import { sayingsOf } from './sayings.ts';
import { termsIn } from './terms.ts';

const severityRows = [
  ['CRITICAL', '9.0 to 10.0', 'Full control of the application or its data, usually without an account.'],
  ['HIGH', '7.0 to 8.9', "Access to other users' data or functions, or a major step towards it."],
  ['MEDIUM', '4.0 to 6.9', 'Limited gain, or a gain that needs a victim or special conditions.'],
  ['LOW', '0.1 to 3.9', 'Little gain by itself; it makes other attacks easier.'],
  ['INFO', '0.0', 'No direct risk; for information.'],
] as const;

const confidenceRows = [
  [
    'confirmed',
    'The proof held twice: the second time with new random values, over a new connection, with all controls.',
  ],
  ['firm', 'The proof held once, or it rests on strong signs.'],
  ['tentative', 'Signs of a weakness without a proof: verify it by hand.'],
];

const scanConfidenceRows = [
  ['confirmed', 'Observed directly.'],
  ['firm', 'It follows from what was observed.'],
  ['tentative', 'Signs of a weakness: verify it by hand. It deducts no points.'],
];

export function appendixOf(report: Prepared): Chapter {
  const isPentest = report.kind === 'pentest';
  const confidence = isPentest ? confidenceRows : scanConfidenceRows;
  const content = html`<h3>A. Severity and confidence</h3>
<table class="small"><caption>Severity</caption><thead><tr><th scope="col">Severity</th>${isPentest && html`<th scope="col">CVSS 3.1</th>`}<th scope="col">Meaning</th></tr></thead>
<tbody>${severityRows.map(([severity, score, words]) => html`<tr><th scope="row">${badge(severity)}</th>${isPentest && html`<td>${score}</td>`}<td>${words}</td></tr>`)}</tbody></table>
<table class="small"><caption>Confidence</caption><thead><tr><th scope="col">Confidence</th><th scope="col">Meaning</th></tr></thead>
<tbody>${confidence.map(([name = '', words = '']) => html`<tr><th scope="row">${name}</th><td>${words}</td></tr>`)}</tbody></table>
${isPentest && checksOf(report)}${termsOf(report)}${isPentest && repeatOf(report)}`;
  return { id: 'appendix', title: 'Appendix', content };
}

function checksOf(report: Prepared): Markup {
  const { checks } = sayingsOf(report);
  return html`<h3>B. Checks</h3>${checks.map(
    ({ title, ids }) => html`<p><strong>${title}:</strong> <span class="small">${ids.join(', ')}</span></p>`,
  )}${checks.length === 0 && html`<p>The summary of the run names no checks.</p>`}`;
}

function termsOf(report: Prepared): Markup {
  const letter = report.kind === 'pentest' ? 'C' : 'B';
  return html`<h3>${letter}. Terms</h3><dl class="terms">${termsIn(report).map(
    ({ name, meaning }) => html`<div class="together"><dt>${name}</dt><dd>${meaning}</dd></div>`,
  )}</dl>`;
}

function repeatOf({ id, findings }: Prepared): Markup {
  const finding = findings[0]?.id ?? 'FINDING';
  return html`<h3>D. Repeat a proof</h3><div class="together"><p>${TOOL} keeps the proof of a finding as a signed experiment. These commands show and repeat the proof of finding 1:</p>
<pre>sortie finding view ${id} ${finding}
sortie finding replay ${id} ${finding}</pre>
<p>Exit code 0: the weakness is gone. 1: it is still there. 6: the replay decided nothing, for example because the target did not respond.</p></div>`;
}
