import { confidences, type Severity, severities } from '@sortie/contract';
import { safeExchange, safeText } from './exchange.ts';
import type { PentestReport, Report, ScanReport, Verdict } from './report.ts';
import { ofPentest, ofScan, type ReportFinding } from './report-finding.ts';

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

/** Masking is the most expensive part, and a command may write a report in several formats. */
const safeReports = new WeakMap<Report, Report>();

/** Returns the report masked and cleaned, for formats that copy the API's data. */
export function safeReport(report: Report): Report {
  const safe = safeReports.get(report) ?? (report.kind === 'scan' ? safeCopy(report) : safePentest(report));
  safeReports.set(report, safe);
  return safe;
}

const safeCopy = <Value>(value: Value) => eachText(value, safeText) as Value;

function safePentest({ findings, ...run }: PentestReport): Report {
  const safe = findings.map(({ evidence, ...finding }) => ({
    ...safeCopy(finding),
    ...(evidence && { evidence: evidence.map(safeExchange) }),
  }));
  return { ...safeCopy(run), findings: safe };
}

const severityPlace = (finding: ReportFinding) => severities.indexOf(finding.severity);
const confidencePlace = (finding: ReportFinding) => confidences.indexOf(finding.confidence);

/** Returns the report as all formats read it: masked, its findings sorted and in one form. */
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
