import { type Confidence, confidences, type Severity, severities } from './contract.ts';
import type { OpenEnum } from './types.ts';

type AnyCase<Word extends string> = Word | Lowercase<Word>;

interface Judged {
  severity: OpenEnum<Severity>;
  confidence: OpenEnum<Confidence>;
}

/** Which findings a gate does not let through. */
export interface Policy<Finding extends Judged = Judged> {
  /** The mildest severity that counts; HIGH unless given. */
  failOn?: AnyCase<Severity> | undefined;
  /** The least confidence that counts; FIRM unless given. */
  minConfidence?: AnyCase<Confidence> | undefined;
  /** How many findings that count are let through; none unless given. */
  maxFindings?: number | undefined;
  /** Findings that somebody has accepted, which do not count. */
  accept?: ((finding: Finding) => boolean) | undefined;
  /** Groups of checks that may be untested in a run that passes; none by default. */
  acceptUntested?: readonly string[] | undefined;
}

export interface AppliedPolicy {
  failOn: Severity;
  minConfidence: Confidence;
  maxFindings: number;
  /** Missing where none are accepted. */
  acceptUntested?: string[];
}

function readWord<Word extends string>(name: string, given: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === given.toUpperCase());
  if (word === undefined) throw new RangeError(`${name} must be one of: ${words.join(', ')}`);
  return word;
}

/** The policy with its defaults; a RangeError for one that means nothing, before anything passes by it. */
export function readPolicy<Finding extends Judged>(policy: Policy<Finding> = {}): AppliedPolicy {
  const { maxFindings = 0, acceptUntested = [] } = policy;
  if (!Number.isInteger(maxFindings) || maxFindings < 0) {
    throw new RangeError('maxFindings must be a whole number from 0');
  }
  return {
    failOn: readWord('failOn', policy.failOn ?? 'HIGH', severities),
    minConfidence: readWord('minConfidence', policy.minConfidence ?? 'FIRM', confidences),
    maxFindings,
    ...(acceptUntested.length > 0 && { acceptUntested: [...acceptUntested] }),
  };
}

/** Lists are worst first and surest first; what is not in them is of an unknown weight, and counts. */
function counts({ severity, confidence }: Judged, { failOn, minConfidence }: AppliedPolicy): boolean {
  const severityRank = (severities as readonly string[]).indexOf(severity);
  const confidenceRank = (confidences as readonly string[]).indexOf(confidence);
  if (severityRank < 0 || confidenceRank < 0) return true;
  return severityRank <= severities.indexOf(failOn) && confidenceRank <= confidences.indexOf(minConfidence);
}

/** The findings that count by this policy. It is broken when they are more than `maxFindings`. */
export function countingFindings<Finding extends Judged>(
  findings: readonly Finding[],
  policy: Policy<Finding> = {},
): Finding[] {
  const applied = readPolicy(policy);
  return findings.filter((finding) => counts(finding, applied) && policy.accept?.(finding) !== true);
}
