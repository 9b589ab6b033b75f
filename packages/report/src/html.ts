import { createHash } from 'node:crypto';
import { webAddress } from './address.ts';
import { scoreGauge, severityBars } from './html-charts.ts';
import { asMarkup, html, type Markup } from './html-markup.ts';
import { style } from './html-style.ts';
import { countBySeverity, type Prepared, parameterText, prepare, type ReportFinding } from './prepare.ts';
import type { Report } from './report.ts';
import { cutText, oneLine } from './text.ts';
import { severityWords, standing, TOOL, testedWords } from './words.ts';

/**
 * The Content-Security-Policy allows this style sheet only, so that injected markup of a finding cannot load or run
 * anything.
 */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const fact = (name: string, value: string | number | null | undefined): Markup =>
  html`${value !== null && value !== undefined && value !== '' && html`<dt>${name}</dt><dd>${value}</dd>`}`;

const badge = ({ severity }: ReportFinding) =>
  html`<span class="badge ${severity.toLowerCase()}">${severityWords[severity]}</span>`;

function factsOf(report: Prepared): Markup {
  return html`<dl>${[
    fact('Target', report.target),
    fact('Run', report.id),
    fact('Status', report.status),
    fact('Level', report.kind === 'pentest' ? report.depth : null),
    fact('Begun', report.startedAt ?? report.createdAt),
    fact('Ended', report.completedAt),
    fact('Written by', `${TOOL} ${report.toolVersion}`),
  ]}</dl>`;
}

function verdictOf({ verdict }: Prepared): Markup | false {
  return (
    verdict !== undefined &&
    html`<p class="verdict ${verdict.outcome}"><strong>Gate ${verdict.outcome}.</strong> ${verdict.reason}</p>`
  );
}

function row(finding: ReportFinding, index: number): Markup {
  return html`<tr><td>${badge(finding)}</td><td>${finding.confidence.toLowerCase()}</td>
<td><a href="#finding-${index + 1}">${cutText(oneLine(finding.title), 300)}</a></td></tr>`;
}

function overview(findings: readonly ReportFinding[]): Markup {
  if (findings.length === 0) return html`<p>No findings are listed.</p>`;
  return html`<table><caption>The worst first</caption><thead><tr><th scope="col">Severity</th><th scope="col">Confidence</th>
<th scope="col">Finding</th></tr></thead><tbody>${findings.map(row)}</tbody></table>`;
}

/** References come from our own checks. The URL of a finding is not a link, because it may contain the payload. */
function reference(text: string): Markup {
  const url = webAddress(text);
  return url ? html`<li><a href="${url.href}" rel="noreferrer noopener">${text}</a></li>` : html`<li>${text}</li>`;
}

function article(finding: ReportFinding, index: number): Markup {
  const { evidence, remediation, references } = finding;
  return html`<article class="${finding.severity.toLowerCase()}" id="finding-${index + 1}">
<h3 dir="auto">${index + 1}. ${cutText(oneLine(finding.title), 500)}</h3>
<p>${badge(finding)} <span class="soft">${finding.confidence.toLowerCase()}</span></p>
<dl>${[
    fact('Where', [finding.method, finding.affectedUrl].filter(Boolean).join(' ')),
    fact('Parameter', parameterText(finding)),
    fact('Check', finding.checkId),
    fact('Weakness', finding.cwe === null ? null : `CWE-${finding.cwe}`),
    fact('OWASP Top 10', finding.owaspCategory),
    fact('CVSS 3.1', finding.cvssScore),
    fact('CVSS vector', finding.cvssVector),
    fact('Fingerprint', finding.fingerprint),
  ]}</dl>
<p class="words" dir="auto">${finding.description}</p>
${evidence !== null && html`<h4>What was seen</h4><pre dir="ltr">${evidence}</pre>`}
${remediation !== null && html`<h4>What to do</h4><p class="words">${remediation}</p>`}
${references.length > 0 && html`<h4>References</h4><ul>${references.map(reference)}</ul>`}
</article>`;
}

function testedOf(report: Prepared): Markup | false {
  const tested = testedWords(report);
  return tested !== undefined && html`<h2>${tested.title}</h2><p class="words" dir="auto">${tested.words}</p>`;
}

export function renderHtml(given: Report): string {
  const report = prepare(given);
  const title = `${TOOL} ${report.kind} of ${report.target}`;
  const gauge = report.kind === 'scan' && report.score !== null && scoreGauge(report.score, report.grade ?? '–');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${asMarkup(style)}</style></head>
<body><header><h1>${title}</h1><p>${standing(report)}</p>${verdictOf(report)}${factsOf(report)}</header>
<main><section class="charts">${gauge}${severityBars(countBySeverity(report.findings))}</section>
<h2>Findings (${report.findings.length})</h2>${overview(report.findings)}
${report.findings.length > 0 && html`<h2>Details</h2>`}${report.findings.map(article)}${testedOf(report)}</main></body></html>
`.markup;
}
