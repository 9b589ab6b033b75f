import { createHash } from 'node:crypto';
import { Confidence, Severity, titleWithoutPlace } from '@sortie/contract';
import { placeOf } from './address.ts';
import type { Exchange } from './exchange.ts';
import type { FindingPlace, PentestFinding, ScanFinding } from './report.ts';
import { cutText } from './text.ts';

/** Longer evidence helps no reader and slows down viewers. */
const MOST_EVIDENCE = 20_000;
const MOST_DESCRIPTION = 100_000;
/** A command is shown whole or not at all: half of one would send something else. */
const MOST_CURL = 4000;

/** A finding of a scan or pentest, with the fields that every format needs. */
export interface ReportFinding {
  id: string;
  /** The check, or the weakness if the check of a pentest finding is unknown. */
  ruleId: string;
  /** Null for a pentest finding of an earlier release. */
  checkId: string | null;
  title: string;
  description: string;
  /** Title and description of the rule, without the location of this finding and what was observed there. */
  rule: { title: string; description: string };
  severity: Severity;
  confidence: Confidence;
  affectedUrl: string | null;
  method: string | null;
  parameter: string | null;
  /** Where in the request the parameter is. */
  location: string | null;
  /** What a scan observed. */
  evidence: string | null;
  /** What proves a finding of a pentest. Undefined if it was not read. */
  exchanges: readonly Exchange[] | undefined;
  evidenceDeletedAt: string | null;
  curl: string | null;
  impact: string | null;
  stepsToReproduce: readonly string[];
  history: string | null;
  /** What the score of a scan lost by the finding. */
  scoreImpact: number | null;
  remediation: string | null;
  cvssScore: string | null;
  cvssVector: string | null;
  cvss4Vector: string | null;
  owaspCategory: string | null;
  /** The number without the `CWE-` prefix. */
  cwe: number | null;
  references: readonly string[];
  fingerprint: string;
  /** Further places with the same cause, one line each. */
  morePlaces: readonly string[];
}

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

/** The last paragraphs of a pentest finding's description: what was observed, and the location. */
const OBSERVED = /\n\nObserved here: [\s\S]*$/;
const FOUND = /\n\nFound (?:in|at) [^\n]*$/;

/** Returns the description without the location, for formats that show it on its own. */
export const withoutPlace = (description: string): string => description.replace(FOUND, '');

/** Fills in title and description: importers reject a finding without a title, and some reject an empty description. */
function commonOf(finding: ScanFinding | PentestFinding, ruleId: string) {
  const { unknown, ...weight } = weightOf(finding);
  const title = (orNull(finding.title) ?? ruleId) + unknown;
  const description = cutText(orNull(finding.description) ?? title, MOST_DESCRIPTION);
  const rule = { title: titleWithoutPlace(title), description: withoutPlace(description).replace(OBSERVED, '') };
  return { ...weight, ruleId, title, description, rule };
}

export function ofPentest(finding: PentestFinding): ReportFinding {
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
    exchanges: finding.evidence,
    evidenceDeletedAt: finding.evidenceDeletedAt ?? null,
    curl: (finding.curl ?? '').length > MOST_CURL ? null : orNull(finding.curl),
    impact: orNull(finding.impact),
    stepsToReproduce: finding.stepsToReproduce ?? [],
    history: orNull(finding.history),
    cvss4Vector: orNull(finding.cvss4Vector),
    scoreImpact: null,
    cvssVector: orNull(finding.cvssVector),
    owaspCategory: orNull(finding.owaspCategory),
    cwe,
    references: finding.references ?? [],
    morePlaces: (finding.places ?? []).slice(1).map(placeText).filter(Boolean),
  };
}

/**
 * Assigns fingerprints that are stable between scans. Findings of one check in one location are numbered in the order
 * of their evidence.
 */
export function ofScan(findings: readonly ScanFinding[], target: string): ReportFinding[] {
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
    exchanges: undefined,
    evidenceDeletedAt: null,
    curl: null,
    impact: null,
    stepsToReproduce: [],
    history: null,
    cvss4Vector: null,
    method: null,
    parameter: null,
    location: null,
    cvssScore: null,
    cvssVector: null,
    owaspCategory: null,
    cwe: cweNumber(finding.cweId),
    fingerprint: fingerprints.get(finding) ?? '',
    morePlaces: [],
  }));
}

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

function placeText({ method, url, accounts, ...place }: FindingPlace): string {
  const parameter = parameterText(place);
  const as = accounts.length > 0 && `as ${accounts.join(', ')}`;
  return [method, url, parameter && `parameter ${parameter}`, as].filter(Boolean).join(' ');
}

/** Returns the parameter with its location, for example `q (query)`, or null without one. */
export function parameterText({ parameter, location }: Pick<ReportFinding, 'parameter' | 'location'>): string | null {
  return parameter === null || location === null ? parameter : `${parameter} (${location})`;
}
