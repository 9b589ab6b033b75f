import { createHash } from 'node:crypto';
import { Confidence, confidences, Severity, severities, titleWithoutPlace } from '@sortie/contract';
import { placeOf } from './address.ts';
import { mask } from './mask.ts';
import type { PentestFinding, PentestReport, Report, ScanFinding, ScanReport, Verdict } from './report.ts';
import { cleanText, cutText } from './text.ts';

/** Longer evidence helps no reader and slows down viewers. */
const MOST_EVIDENCE = 20_000;
const MOST_DESCRIPTION = 100_000;

/** A finding of a scan or pentest, with the fields that every format needs. */
export interface ReportFinding {
  id: string;
  /** The check, or the weakness if the check of a pentest finding is unknown. */
  ruleId: string;
  /** Null for a pentest finding of an earlier release. */
  checkId: string | null;
  title: string;
  description: string;
  /** Title and description of the rule, without the location of this finding. */
  rule: { title: string; description: string };
  severity: Severity;
  confidence: Confidence;
  affectedUrl: string | null;
  method: string | null;
  parameter: string | null;
  /** Where in the request the parameter is. */
  location: string | null;
  evidence: string | null;
  remediation: string | null;
  cvssScore: string | null;
  cvssVector: string | null;
  owaspCategory: string | null;
  /** The number without the `CWE-` prefix. */
  cwe: number | null;
  references: readonly string[];
  fingerprint: string;
}

/** A report that is safe to publish: secrets masked, unprintable characters escaped, findings sorted worst first. */
export type Prepared = (Omit<ScanReport, 'findings'> | Omit<PentestReport, 'findings'>) & {
  findings: readonly ReportFinding[];
};

/** Applies `change` to every string at any depth, so that fields added later are masked as well. */
function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, eachText(each, change)]));
}

/** Returns the report masked and cleaned, for formats that copy the API's data. */
export const safeReport = (report: Report): Report => eachText(report, (text) => cleanText(mask(text))) as Report;

const cweNumber = (cweId: string | null) => {
  const digits = /^(?:CWE-)?(\d{1,6})$/i.exec(cweId ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
};

const digest = (...parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const orNull = (text: string | null | undefined) => (text == null || text.trim() === '' ? null : text);

/** Treats an unknown severity or confidence as the worst, and notes it in the title. */
function weightOf({ severity, confidence }: ScanFinding | PentestFinding) {
  const known = { severity: Severity.safeParse(severity).data, confidence: Confidence.safeParse(confidence).data };
  const unknown = known.severity && known.confidence ? '' : ` (rated ${severity}, ${confidence} by the service)`;
  return { severity: known.severity ?? 'CRITICAL', confidence: known.confidence ?? 'CONFIRMED', unknown } as const;
}

/** The last sentence of a pentest finding's description, which names the location. */
const FOUND = /\n\nFound (?:in|at) [^\n]*$/;

/** Fills in title and description: importers reject a finding without a title, and some reject an empty description. */
function commonOf(finding: ScanFinding | PentestFinding, ruleId: string) {
  const { unknown, ...weight } = weightOf(finding);
  const title = (orNull(finding.title) ?? ruleId) + unknown;
  const description = cutText(orNull(finding.description) ?? title, MOST_DESCRIPTION);
  const rule = { title: titleWithoutPlace(title), description: description.replace(FOUND, '') };
  return { ...weight, ruleId, title, description, rule };
}

function ofPentest(finding: PentestFinding): ReportFinding {
  const cwe = cweNumber(finding.cweId);
  const checkId = orNull(finding.checkId);
  return {
    ...finding,
    ...commonOf(finding, checkId ?? (cwe === null ? 'sortie-finding' : `CWE-${cwe}`)),
    checkId,
    affectedUrl: orNull(finding.affectedUrl),
    method: orNull(finding.method),
    parameter: orNull(finding.parameter),
    location: orNull(finding.location),
    remediation: orNull(finding.remediation),
    evidence: null,
    cvssVector: orNull(finding.cvssVector),
    owaspCategory: orNull(finding.owaspCategory),
    cwe,
    references: finding.references ?? [],
  };
}

/**
 * Assigns fingerprints that are stable between scans. Findings of one check in one location are numbered in the order
 * of their evidence.
 */
function ofScan(findings: readonly ScanFinding[], target: string): ReportFinding[] {
  const seen = new Map<string, number>();
  const byEvidence = [...findings].sort((one, other) => compareText(one.evidence ?? '', other.evidence ?? ''));
  const fingerprints = new Map(
    byEvidence.map((finding) => {
      const place = digest(placeOf(target, target), finding.checkId, placeOf(finding.affectedUrl, target));
      const before = seen.get(place) ?? 0;
      seen.set(place, before + 1);
      return [finding, before === 0 ? place : digest(place, String(before))] as const;
    }),
  );
  return findings.map((finding) => ({
    ...finding,
    ...commonOf(finding, finding.checkId),
    affectedUrl: orNull(finding.affectedUrl),
    remediation: orNull(finding.remediation),
    evidence: finding.evidence && cutText(finding.evidence, MOST_EVIDENCE),
    method: null,
    parameter: null,
    location: null,
    cvssScore: null,
    cvssVector: null,
    owaspCategory: null,
    cwe: cweNumber(finding.cweId),
    fingerprint: fingerprints.get(finding) ?? '',
  }));
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Returns the parameter with its location, for example `q (query)`, or null without one. */
export function parameterText({ parameter, location }: Pick<ReportFinding, 'parameter' | 'location'>): string | null {
  return parameter === null || location === null ? parameter : `${parameter} (${location})`;
}

const severityPlace = (finding: ReportFinding) => severities.indexOf(finding.severity);
const confidencePlace = (finding: ReportFinding) => confidences.indexOf(finding.confidence);

export function prepare(report: Report): Prepared {
  const safe = safeReport(report);
  const findings = safe.kind === 'scan' ? ofScan(safe.findings, safe.target) : safe.findings.map(ofPentest);
  return {
    ...safe,
    findings: findings.sort(
      (one, other) =>
        severityPlace(one) - severityPlace(other) ||
        confidencePlace(one) - confidencePlace(other) ||
        Number(other.cvssScore ?? 0) - Number(one.cvssScore ?? 0),
    ),
  };
}

type Policy = Pick<Verdict, 'failOn' | 'minConfidence' | 'accepted'>;

export const defaultPolicy: Policy = { failOn: 'HIGH', minConfidence: 'FIRM' };

/** Returns whether a gate fails on the finding. */
export function isOverPolicy(finding: ReportFinding, policy: Policy): boolean {
  return (
    !policy.accepted?.includes(finding.id) &&
    severityPlace(finding) <= severities.indexOf(policy.failOn) &&
    confidencePlace(finding) <= confidences.indexOf(policy.minConfidence)
  );
}

export function countBySeverity(findings: readonly ReportFinding[]): Record<Severity, number> {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return Object.fromEntries(severities.map((severity) => [severity, count(severity)])) as Record<Severity, number>;
}
