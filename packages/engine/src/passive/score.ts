import { type Confidence, confidences, type Severity, severities } from '@sortie/contract';

/** Version of the scoring rules, incremented when the same findings would produce a different score. */
export const ALGORITHM_VERSION = 2;

const points: Record<Severity, number> = { CRITICAL: 55, HIGH: 25, MEDIUM: 8, LOW: 3, INFO: 0 };

/** Maximum deduction per group. The worst check of a group counts in full even if it exceeds the limit. */
export const groupLimits = {
  transport: 55,
  certificate: 55,
  headers: 25,
  // Equals the deduction for a missing policy, so that a weak policy never scores below none.
  csp: 8,
  cookies: 25,
  cors: 25,
  content: 30,
  exposure: 80,
  disclosure: 12,
  dns: 15,
  email: 20,
  hygiene: 12,
} as const;

export type Group = keyof typeof groupLimits;
export type Grade = 'A+' | 'A' | 'B' | 'C' | 'D' | 'F';

/** The fields of a finding that determine its deduction. */
export interface Scorable {
  checkId: string;
  group: Group;
  severity: Severity;
  confidence: Confidence;
}

export interface ScoredFindings<Finding> {
  score: number;
  grade: Grade;
  /** Sorted by severity, worst first. The impacts add up to 100 minus the score. */
  findings: (Finding & { scoreImpact: number })[];
}

/** Tentative findings are reported but deduct nothing. */
const costOf = ({ severity, confidence }: Scorable) => (confidence === 'TENTATIVE' ? 0 : points[severity]);

function worstFirst(left: Scorable, right: Scorable): number {
  return (
    severities.indexOf(left.severity) - severities.indexOf(right.severity) ||
    costOf(right) - costOf(left) ||
    compareText(left.checkId, right.checkId) ||
    confidences.indexOf(left.confidence) - confidences.indexOf(right.confidence)
  );
}

/** Compares by code unit, because the order must not depend on the locale. */
const compareText = (left: string, right: string) => (left < right ? -1 : Number(left > right));

/** Returns, per check, the finding with the highest deduction. */
function payersOf<Finding extends Scorable>(sorted: readonly Finding[]): Map<string, Finding> {
  const payers = new Map<string, Finding>();
  for (const finding of sorted) {
    const payer = payers.get(finding.checkId);
    if (!payer || costOf(finding) > costOf(payer)) payers.set(finding.checkId, finding);
  }
  return payers;
}

/** Scores findings by the rules of docs/scoring.md. The order of the input changes neither score nor grade. */
export function judge<Finding extends Scorable>(found: readonly Finding[]): ScoredFindings<Finding> {
  const sorted = found.map((finding) => ({ ...finding })).sort(worstFirst);
  const payers = [...payersOf(sorted).values()].sort(
    (left, right) => costOf(right) - costOf(left) || worstFirst(left, right),
  );
  const impacts = new Map<Finding, number>();
  const takenOfGroup = new Map<Group, number>();
  let score = 100;
  for (const payer of payers) {
    const taken = takenOfGroup.get(payer.group) ?? 0;
    const remaining = taken === 0 ? Infinity : Math.max(0, groupLimits[payer.group] - taken);
    const impact = Math.min(costOf(payer), remaining, score);
    impacts.set(payer, impact);
    takenOfGroup.set(payer.group, taken + impact);
    score -= impact;
  }
  const findings = sorted.map((finding) => ({ ...finding, scoreImpact: impacts.get(finding) ?? 0 }));
  return { score, grade: gradeOf(score), findings };
}

/** Returns the grade of a score. */
export function gradeOf(score: number): Grade {
  if (score >= 97) return 'A+';
  if (score >= 90) return 'A';
  if (score >= 80) return 'B';
  if (score >= 65) return 'C';
  return score >= 50 ? 'D' : 'F';
}
