import type { Severity } from '@sortie/contract';
import { placeOf, uriPath, webAddress } from './address.ts';
import { jsonText } from './ci-commands.ts';
import { bestExchange } from './evidence-text.ts';
import { readRequest, readResponse } from './http-message.ts';
import { type Prepared, prepare } from './prepare.ts';
import type { Report } from './report.ts';
import { parameterText, type ReportFinding } from './report-finding.ts';
import { cutText, oneLine } from './text.ts';
import { isJudged, standing, TOOL, untestedOf, untestedText } from './words.ts';

export interface SarifOptions {
  /** A file of the repository to pin the alerts to, instead of locations on the site. */
  anchor?: string;
}

/** GitHub rejects a file with more than 25,000 results and shows the first 5,000. */
const MOST_RESULTS = 5000;
const MOST_TAGS = 20;
const MOST_TEXT = 2000;

const levels = { CRITICAL: 'error', HIGH: 'error', MEDIUM: 'warning', LOW: 'note', INFO: 'note' } as const;
const precisions = { CONFIRMED: 'very-high', FIRM: 'high', TENTATIVE: 'low' } as const;
const scores: Record<Severity, string> = { CRITICAL: '9.5', HIGH: '8.0', MEDIUM: '5.5', LOW: '3.0', INFO: '0.0' };

const isScore = (text: string | null): text is string => text !== null && /^(?:10\.0|\d\.\d)$/.test(text);
const scoreOf = (finding: ReportFinding) => (isScore(finding.cvssScore) ? finding.cvssScore : scores[finding.severity]);

/** `A03:2021 Injection` becomes `external/owasp/a03-2021`. */
function owaspTags(category: string | null): string[] {
  const [, number, year] = /^(A\d{2}):(\d{4})\b/.exec(category ?? '') ?? [];
  return number === undefined ? [] : [`external/owasp/${number.toLowerCase()}-${year}`];
}

const cweTags = (cwe: number | null) => (cwe === null ? [] : [`external/cwe/cwe-${String(cwe).padStart(3, '0')}`]);

/** Describes the rule by its worst finding, which is sorted first. */
function toRule(finding: ReportFinding) {
  const { title, description } = finding.rule;
  const help = finding.remediation ?? description;
  const links = finding.references.filter((reference) => webAddress(reference)).slice(0, 1);
  return {
    id: finding.ruleId,
    name: finding.ruleId,
    shortDescription: { text: cutText(oneLine(title) || finding.ruleId, 250) },
    fullDescription: { text: cutText(description || finding.ruleId, 1000) },
    help: { text: cutText(help || finding.ruleId, MOST_TEXT) },
    ...(links[0] && { helpUri: new URL(links[0]).href }),
    defaultConfiguration: { level: levels[finding.severity] },
    properties: {
      'security-severity': scoreOf(finding),
      precision: precisions[finding.confidence],
      tags: ['security', 'dast', ...cweTags(finding.cwe), ...owaspTags(finding.owaspCategory)].slice(0, MOST_TAGS),
    },
  };
}

function describePlace(finding: ReportFinding): string {
  const place = [finding.method, finding.affectedUrl].filter((part) => part !== null).join(' ');
  const parameter = parameterText(finding);
  return [place, parameter === null ? '' : `parameter ${parameter}`].filter((part) => part !== '').join(', ');
}

/** The exchange that shows the finding, in the objects that SARIF has for web requests. */
function toExchange(finding: ReportFinding) {
  const exchange = bestExchange(finding);
  const request = exchange && readRequest(exchange);
  if (!request) return {};
  const response = readResponse(exchange);
  const { method, url } = request;
  return {
    webRequest: { method, target: url, ...messageParts(request) },
    webResponse: response ? { statusCode: response.status, ...messageParts(response) } : { noResponseReceived: true },
  };
}

function messageParts({ headers, body }: { headers: readonly (readonly [string, string])[]; body: string }) {
  const byName = Map.groupBy(headers, ([name]) => name);
  const joined = [...byName].map(([name, lines]) => [name, lines.map(([, value]) => value).join(', ')]);
  return { headers: Object.fromEntries(joined), ...(body !== '' && { body: { text: body } }) };
}

function toResult(finding: ReportFinding, ruleIndex: number, uri: string) {
  const place = oneLine(describePlace(finding));
  return {
    ruleId: finding.ruleId,
    ruleIndex,
    level: levels[finding.severity],
    message: { text: cutText([finding.title, place, finding.description].filter(Boolean).join('\n'), MOST_TEXT) },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
        ...(place !== '' && { logicalLocations: [{ fullyQualifiedName: cutText(place, MOST_TEXT) }] }),
      },
    ],
    ...(finding.morePlaces.length > 0 && {
      relatedLocations: finding.morePlaces.map((each) => ({
        logicalLocations: [{ fullyQualifiedName: cutText(oneLine(each), MOST_TEXT) }],
      })),
    }),
    // GitHub reads the second fingerprint only; without it, every upload opens the same alert again.
    partialFingerprints: {
      'sortieFinding/v1': finding.fingerprint,
      primaryLocationLineHash: `${finding.fingerprint}:1`,
    },
    ...toExchange(finding),
    properties: {
      confidence: finding.confidence,
      severity: finding.severity,
      ...(finding.history !== null && { history: finding.history }),
      ...(finding.evidence !== null && { evidence: cutText(finding.evidence, 1024) }),
    },
  };
}

function notesOf(report: Prepared, left: number) {
  return [
    ...(left > 0 ? [`${left} findings are omitted: the ${MOST_RESULTS} worst are listed.`] : []),
    ...(isJudged(report) ? [] : [standing(report)]),
    ...untestedOf(report).map(untestedText),
  ].map((text) => ({ level: 'warning', message: { text: cutText(text, MOST_TEXT) } }));
}

/** Returns a SARIF log. A clean run has an empty list of results, which closes the alerts of earlier runs. */
export function renderSarif(given: Report, { anchor }: SarifOptions = {}): string {
  const report = prepare(given);
  const listed = report.findings.slice(0, MOST_RESULTS);
  const rules = [...Map.groupBy(listed, ({ ruleId }) => ruleId).values()].flatMap((of) => of.slice(0, 1)).map(toRule);
  const places = new Map(rules.map(({ id }, index) => [id, index]));
  const pinned = anchor === undefined ? undefined : uriPath(anchor.replace(/^[./]+/, '')).replaceAll(':', '%3A');
  const toUri = (finding: ReportFinding) => pinned || placeOf(finding.affectedUrl, report.target);
  const notes = notesOf(report, report.findings.length - listed.length);
  const host = placeOf(report.target, report.target).split('/')[0];
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: TOOL, version: report.toolVersion, semanticVersion: report.toolVersion, rules } },
        automationDetails: { id: `sortie/${host}/` },
        invocations: [{ executionSuccessful: isJudged(report), toolExecutionNotifications: notes }],
        columnKind: 'utf16CodeUnits',
        results: listed.map((finding) => toResult(finding, places.get(finding.ruleId) ?? -1, toUri(finding))),
        properties: { runId: report.id, kind: report.kind, status: report.status },
      },
    ],
  };
  return jsonText(log);
}
