import { webAddress } from './address.ts';
import { escapeMarkdown } from './markdown-text.ts';
import { prepare, type ReportFinding } from './prepare.ts';
import type { Report } from './report.ts';
import { cutText, oneLine } from './text.ts';
import { isJudged, severityWords, standing, TOOL, untestedOf, untestedText } from './words.ts';

const SCHEMA_VERSION = '15.0.7';

/** Returns the UTC time without a zone designator, as the schema requires. */
const toTime = (timestamp: string) => new Date(timestamp).toISOString().slice(0, 19);

function toLocation(finding: ReportFinding, target: string) {
  const url = webAddress(finding.affectedUrl) ?? webAddress(target);
  return {
    hostname: url?.origin ?? target,
    method: finding.method ?? 'GET',
    param: finding.parameter ?? '',
    path: url ? url.pathname + url.search : '/',
  };
}

function toIdentifiers({ ruleId, cwe, owaspCategory }: ReportFinding) {
  const own = { type: 'sortie', name: `${TOOL} ${ruleId}`, value: ruleId };
  const url = `https://cwe.mitre.org/data/definitions/${cwe}.html`;
  return [
    own,
    ...(cwe === null ? [] : [{ type: 'cwe', name: `CWE-${cwe}`, value: String(cwe), url }]),
    ...(owaspCategory === null
      ? []
      : [{ type: 'owasp', name: owaspCategory, value: owaspCategory.split(' ', 1).join('') }]),
  ];
}

function toVulnerability(finding: ReportFinding, target: string) {
  return {
    id: finding.fingerprint || finding.id,
    name: cutText(oneLine(finding.title), 255),
    description: escapeMarkdown(finding.description),
    severity: severityWords[finding.severity] ?? 'Unknown',
    ...(finding.remediation !== null && { solution: cutText(escapeMarkdown(finding.remediation), 7000) }),
    identifiers: toIdentifiers(finding),
    // Required by importers of this format, even when empty.
    links: finding.references.filter((reference) => webAddress(reference)).map((url) => ({ url })),
    location: toLocation(finding, target),
    ...(finding.evidence !== null && { evidence: { summary: finding.evidence } }),
  };
}

export function renderGitlabDast(given: Report): string {
  const report = prepare(given);
  const program = { id: 'sortie', name: TOOL, version: report.toolVersion, vendor: { name: TOOL } };
  const judged = isJudged(report);
  const messages = [...(judged ? [] : [standing(report)]), ...untestedOf(report).map(untestedText)];
  const document = {
    version: SCHEMA_VERSION,
    scan: {
      analyzer: program,
      scanner: program,
      start_time: toTime(report.startedAt ?? report.createdAt),
      end_time: toTime(report.completedAt ?? report.startedAt ?? report.createdAt),
      status: judged ? 'success' : 'failure',
      type: 'dast',
      scanned_resources: [{ method: 'GET', url: report.target, type: 'url' }],
      ...(messages.length > 0 && { messages: messages.map((value) => ({ level: 'warn', value: oneLine(value) })) }),
    },
    vulnerabilities: report.findings.map((finding) => toVulnerability(finding, report.target)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
