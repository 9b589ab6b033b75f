import { STATUS_CODES } from 'node:http';
import { webAddress } from './address.ts';
import { jsonText } from './ci-commands.ts';
import { bestExchange } from './evidence-text.ts';
import { type Exchange, labelOf } from './exchange.ts';
import { readRequest, readResponse } from './http-message.ts';
import { escapeMarkdown } from './markdown-text.ts';
import { prepare } from './prepare.ts';
import type { Report } from './report.ts';
import type { ReportFinding } from './report-finding.ts';
import { cutText, oneLine } from './text.ts';
import { isCvss3Vector, isJudged, severityWords, standing, TOOL, untestedOf, untestedText } from './words.ts';

const SCHEMA_VERSION = '15.0.7';
const MOST_SUPPORTING = 4;

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

const toHeaders = (headers: readonly (readonly [string, string])[]) =>
  headers.map(([name, value]) => ({ name, value }));

/** Returns request and response as the schema describes them; a response has a reason phrase in it, also of HTTP/2. */
function toMessages(exchange: Exchange) {
  const request = readRequest(exchange);
  const response = readResponse(exchange);
  if (!request || !webAddress(request.url)) return {};
  const { method, url, body } = request;
  return {
    request: { method, url, headers: toHeaders(request.headers), ...(body !== '' && { body }) },
    ...(response && {
      response: {
        status_code: response.status,
        reason_phrase: STATUS_CODES[response.status] ?? 'Unknown',
        headers: toHeaders(response.headers),
        ...(response.body !== '' && { body: response.body }),
      },
    }),
  };
}

function toEvidence(finding: ReportFinding) {
  if (finding.evidence !== null) return { evidence: { summary: finding.evidence } };
  const best = bestExchange(finding);
  if (!best) return {};
  const others = (finding.exchanges ?? []).filter((exchange) => exchange !== best).slice(0, MOST_SUPPORTING);
  const supporting = others.map((exchange) => ({
    name: labelOf(exchange).trimStart() || 'exchange',
    ...toMessages(exchange),
  }));
  return {
    evidence: {
      summary: labelOf(best),
      ...toMessages(best),
      ...(supporting.length > 0 && { supporting_messages: supporting }),
    },
  };
}

function toVulnerability(finding: ReportFinding, target: string) {
  return {
    id: finding.fingerprint || finding.id,
    name: cutText(oneLine(finding.title), 255),
    description: escapeMarkdown(
      [finding.description, finding.impact && `Impact: ${finding.impact}`].filter(Boolean).join('\n\n'),
    ),
    severity: severityWords[finding.severity] ?? 'Unknown',
    ...(finding.remediation !== null && { solution: cutText(escapeMarkdown(finding.remediation), 7000) }),
    identifiers: toIdentifiers(finding),
    ...(isCvss3Vector(finding.cvssVector) && { cvss_vectors: [{ vendor: TOOL, vector: finding.cvssVector }] }),
    // Required by importers of this format, even when empty.
    links: finding.references.filter((reference) => webAddress(reference)).map((url) => ({ url })),
    location: toLocation(finding, target),
    ...toEvidence(finding),
  };
}

/** Returns the report in GitLab's DAST schema. */
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
  return jsonText(document);
}
