import { quoteLines, withoutCommands } from './ci-commands.ts';
import { evidenceTexts, shownCurl } from './evidence-text.ts';
import { codeBlock, codeSpan, escapeMarkdown, markdownList, markdownText } from './markdown-text.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Report } from './report.ts';
import { parameterText, type ReportFinding } from './report-finding.ts';
import { findingRow, findingsHead, headOf } from './summary.ts';
import { cutText, oneLine } from './text.ts';
import { earlierWords, historyWords, severityWords, testedWords } from './words.ts';

function proofOf(finding: ReportFinding): string[] {
  const { evidence, stepsToReproduce } = finding;
  const curl = shownCurl(finding);
  const steps = markdownList(stepsToReproduce);
  const exchanges = evidenceTexts(finding).flatMap(({ title, text }) => [
    `${escapeMarkdown(title)}:`,
    '',
    codeBlock(quoteLines(text)),
    '',
  ]);
  return [
    ...(steps.length === 0 ? [] : ['Steps to reproduce:', '', ...steps, '']),
    ...(evidence === null ? [] : ['Evidence:', '', codeBlock(quoteLines(evidence)), '']),
    ...exchanges,
    ...(curl === null ? [] : ['curl command:', '', codeBlock(curl), '']),
  ];
}

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
    finding.cvss4Vector && `CVSS 4.0 vector: ${codeSpan(finding.cvss4Vector)}`,
    finding.history && `History: ${escapeMarkdown(historyWords(finding.history))}`,
    `Fingerprint: ${codeSpan(finding.fingerprint)}`,
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  return [
    `### ${number}. ${markdownText(cutText(oneLine(finding.title), 300))}`,
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    markdownText(finding.description),
    '',
    ...(finding.morePlaces.length === 0
      ? []
      : ['Also at:', '', ...finding.morePlaces.map((place) => `- ${codeSpan(cutText(oneLine(place), 2000))}`), '']),
    ...(finding.impact === null ? [] : [`Impact: ${markdownText(finding.impact)}`, '']),
    ...proofOf(finding),
    ...(finding.remediation === null ? [] : ['Remediation:', '', markdownText(finding.remediation), '']),
    ...finding.references.map((reference) => `- ${escapeMarkdown(reference)}`),
    '',
  ];
}

function testedOf(report: Prepared): string[] {
  const tested = testedWords(report);
  if (!tested) return [];
  return [`### ${tested.title}`, '', ...tested.words.split('\n').map((line) => `- ${escapeMarkdown(line)}`), ''];
}

const MOST_EARLIER = 200;

function earlierOf(report: Prepared): string[] {
  const lines = earlierWords(report);
  const listed = lines.slice(0, MOST_EARLIER).map((line) => `- ${escapeMarkdown(cutText(oneLine(line), 600))}`);
  const rest = lines.length - listed.length;
  return lines.length === 0
    ? []
    : ['### Findings of earlier runs', '', ...listed, ...(rest > 0 ? [`- ${rest} more`] : []), ''];
}

/** Returns the whole report, including the evidence that summaries omit. */
export function renderMarkdown(given: Report): string {
  const report = prepare(given);
  const rows = report.findings.map((finding) => findingRow(finding, report.target));
  const table = rows.length > 0 ? [...findingsHead, ...rows, ''] : [];
  const sections = report.findings.flatMap((finding, index) => section(finding, index + 1));
  const lines = [...headOf(report), ...table, ...sections, ...earlierOf(report), ...testedOf(report)];
  return withoutCommands(lines.join('\n'));
}
