import { webAddress } from './address.ts';
import { jsonText } from './ci-commands.ts';
import { evidenceTexts } from './evidence-text.ts';
import { codeBlock, escapeMarkdown, markdownList } from './markdown-text.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Report } from './report.ts';
import type { ReportFinding } from './report-finding.ts';
import { cutText, oneLine } from './text.ts';
import { isCvss3Vector, severityWords, TOOL } from './words.ts';

const confidenceNumbers = { CONFIRMED: 1, FIRM: 4, TENTATIVE: 7 } as const;

/** Returns the score as a number, or undefined if the text is not a score. */
const scoreOf = (text: string | null) => (text !== null && /^\d{1,2}\.\d$/.test(text) ? Number(text) : undefined);

/** Returns the steps, the exchanges that prove the finding and the curl command. */
function stepsOf(finding: ReportFinding): string {
  const { stepsToReproduce, evidence, curl } = finding;
  return [
    ...markdownList(stepsToReproduce),
    ...(evidence === null ? [] : [codeBlock(evidence)]),
    ...evidenceTexts(finding).flatMap(({ title, text }) => [escapeMarkdown(title), codeBlock(text)]),
    ...(curl === null ? [] : [codeBlock(curl)]),
  ].join('\n\n');
}

/** DefectDojo rejects the whole import on an unknown key: check the importer's list before you add one. */
function toFinding(finding: ReportFinding, report: Prepared) {
  const url = webAddress(finding.affectedUrl);
  const score = scoreOf(finding.cvssScore);
  const steps = stepsOf(finding);
  return {
    title: cutText(oneLine(finding.title), 500),
    severity: severityWords[finding.severity] ?? 'Info',
    description: escapeMarkdown(finding.description),
    date: (report.completedAt ?? report.createdAt).slice(0, 10),
    ...(finding.cwe !== null && { cwe: finding.cwe }),
    ...(score !== undefined && { cvssv3_score: score }),
    ...(isCvss3Vector(finding.cvssVector) && { cvssv3: finding.cvssVector }),
    ...(finding.remediation !== null && { mitigation: escapeMarkdown(finding.remediation) }),
    ...(finding.impact !== null && { impact: escapeMarkdown(finding.impact) }),
    ...(steps !== '' && { steps_to_reproduce: steps }),
    ...(finding.references.length > 0 && { references: finding.references.join('\n') }),
    ...(finding.parameter !== null && { param: finding.parameter }),
    ...(url && { endpoints: [url.href] }),
    active: true,
    verified: finding.confidence === 'CONFIRMED',
    static_finding: false,
    dynamic_finding: true,
    scanner_confidence: confidenceNumbers[finding.confidence],
    unique_id_from_tool: finding.fingerprint,
    vuln_id_from_tool: finding.ruleId,
    service: webAddress(report.target)?.host ?? report.target,
    tags: ['dast', `sortie-${report.kind}`],
  };
}

/** Returns the report as a "Generic Findings Import" of DefectDojo. */
export function renderDefectDojo(given: Report): string {
  const report = prepare(given);
  const findings = report.findings.map((finding) => toFinding(finding, report));
  return jsonText({ name: `${TOOL} ${report.kind}`, type: TOOL, dynamic_tool: true, findings });
}
