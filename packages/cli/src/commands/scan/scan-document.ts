import { createHash } from 'node:crypto';
import { confidences, type Scan, type ScanFindingsResponse, severities } from '@sortie/contract';
import { ALGORITHM_VERSION, type JudgedScan } from '@sortie/engine';
import { hintFor } from './network.ts';

type ContractScanFinding = ScanFindingsResponse['findings'][number];

/** A scan and its findings as the API returns them, in one document. */
export interface ScanDocument extends Scan {
  findings: ContractScanFinding[];
}

export function toDocument({ scan, result }: JudgedScan): ScanDocument {
  const { id, url, domain, createdAt, completedAt } = scan;
  const findings = 'findings' in result ? toFindings(id, result.findings) : [];
  return {
    id,
    url,
    domain,
    status: 'COMPLETED',
    ...('failure' in result ? NOT_JUDGED : { score: result.score, grade: result.grade }),
    algorithmVersion: ALGORITHM_VERSION,
    findingCounts: 'failure' in result ? null : countsOf(findings),
    checks: 'failure' in result ? null : toCounts(result.checks),
    notRunReasons: ('notRun' in result && result.notRun) || [],
    apiKeyId: null,
    failure: 'failure' in result ? { ...result.failure, message: result.failure.message + hintFor(scan) } : null,
    createdAt,
    completedAt,
    findings,
  };
}

const NOT_JUDGED = { score: null, grade: null };

type Judgement = Extract<JudgedScan['result'], { findings: unknown }>;
type Judged = Judgement['findings'];

const toCounts = ({ passed, failed, notApplicable, notRun }: Judgement['checks']) => ({
  run: passed + failed,
  passed,
  failed,
  notApplicable: notApplicable ?? null,
  notRun,
});

/** Sorts as the API does: by severity, confidence, score impact, check, title and URL. */
function toFindings(scanId: string, found: Judged): ContractScanFinding[] {
  const sorted = found.toSorted(
    (left, right) =>
      severities.indexOf(left.severity) - severities.indexOf(right.severity) ||
      confidences.indexOf(left.confidence) - confidences.indexOf(right.confidence) ||
      right.scoreImpact - left.scoreImpact ||
      compareText(left.checkId, right.checkId) ||
      compareText(left.title, right.title) ||
      compareText(left.affectedUrl ?? '', right.affectedUrl ?? ''),
  );
  return sorted.map(({ cwe, scoreImpact, references, ...finding }, index) => ({
    id: findingId(scanId, index),
    ...finding,
    cweId: cwe === null ? null : `CWE-${cwe}`,
    scoreImpact,
    references,
  }));
}

/** Compares by code unit, so that the order does not depend on the locale. */
const compareText = (left: string, right: string) => (left < right ? -1 : Number(left > right));

/** Deterministic, so that a replayed scan has the same ids. */
const findingId = (scanId: string, index: number) =>
  `fnd_${createHash('sha256').update(`${scanId} ${index}`).digest('hex').slice(0, 20)}`;

function countsOf(findings: readonly ContractScanFinding[]): NonNullable<Scan['findingCounts']> {
  const of = (wanted: ContractScanFinding['severity']) => findings.filter(({ severity }) => severity === wanted).length;
  return {
    critical: of('CRITICAL'),
    high: of('HIGH'),
    medium: of('MEDIUM'),
    low: of('LOW'),
    info: of('INFO'),
    total: findings.length,
  };
}
