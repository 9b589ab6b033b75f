import { codeBlock, codeSpan, escapeMarkdown } from './markdown-text.ts';
import { type Prepared, parameterText, prepare, type ReportFinding } from './prepare.ts';
import type { Report } from './report.ts';
import { findingRow, findingsHead, headOf } from './summary.ts';
import { cutText, oneLine } from './text.ts';
import { severityWords, testedWords } from './words.ts';

function section(finding: ReportFinding, number: number): string[] {
  const place = [finding.method, finding.affectedUrl].filter(Boolean).join(' ');
  const facts = [
    `Severity: ${severityWords[finding.severity]}, confidence: ${finding.confidence.toLowerCase()}`,
    place && `Location: ${codeSpan(cutText(place, 2000))}`,
    finding.parameter && `Parameter: ${codeSpan(parameterText(finding) ?? '')}`,
    finding.checkId && `Check: ${codeSpan(finding.checkId)}`,
    finding.cwe !== null && `Weakness: CWE-${finding.cwe}`,
    finding.owaspCategory && `OWASP Top 10: ${escapeMarkdown(finding.owaspCategory)}`,
    finding.cvssScore && `CVSS 3.1: ${escapeMarkdown(finding.cvssScore)}`,
    finding.cvssVector && `CVSS vector: ${codeSpan(finding.cvssVector)}`,
    `Fingerprint: ${codeSpan(finding.fingerprint)}`,
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  return [
    `### ${number}. ${escapeMarkdown(cutText(oneLine(finding.title), 300))}`,
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    escapeMarkdown(finding.description),
    '',
    ...(finding.evidence === null ? [] : ['Evidence:', '', codeBlock(finding.evidence), '']),
    ...(finding.remediation === null ? [] : ['Remediation:', '', escapeMarkdown(finding.remediation), '']),
    ...finding.references.map((reference) => `- ${escapeMarkdown(reference)}`),
    '',
  ];
}

function testedOf(report: Prepared): string[] {
  const tested = testedWords(report);
  if (!tested) return [];
  return [`### ${tested.title}`, '', ...tested.words.split('\n').map((line) => `- ${escapeMarkdown(line)}`), ''];
}

/** Returns the whole report, including the evidence that summaries omit. */
export function renderMarkdown(given: Report): string {
  const report = prepare(given);
  const rows = report.findings.map((finding) => findingRow(finding, report.target));
  const table = rows.length > 0 ? [...findingsHead, ...rows, ''] : [];
  const sections = report.findings.flatMap((finding, index) => section(finding, index + 1));
  return [...headOf(report), ...table, ...sections, ...testedOf(report)].join('\n');
}
