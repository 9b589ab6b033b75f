import { type Confidence, confidences, type Severity, severities } from './contract.ts';
import type { OpenEnum } from './types.ts';

type AnyCase<Word extends string> = Word | Lowercase<Word>;

interface Judged {
  severity: OpenEnum<Severity>;
  confidence: OpenEnum<Confidence>;
  /** Absent for scans, and in the answers of earlier releases, as are the fingerprints. */
  history?: string | undefined;
  fingerprint?: string | undefined;
  formerFingerprints?: readonly string[] | undefined;
}

/** Which findings fail a gate. */
export interface Policy<Finding extends Judged = Judged> {
  /** The lowest severity that counts; HIGH by default. */
  failOn?: AnyCase<Severity> | undefined;
  /** The lowest confidence that counts; FIRM by default. */
  minConfidence?: AnyCase<Confidence> | undefined;
  /** How many counting findings a passing run may have; 0 by default. */
  maxFindings?: number | undefined;
  /** Returns true for accepted findings, which do not count. Compare any of `fingerprintsOf(finding)`. */
  accept?: ((finding: Finding) => boolean) | undefined;
  /**
   * Whether only new findings and regressions count: those whose `history` is OPEN do not. With a `baseline`, those that
   * it lacks count.
   */
  newOnly?: boolean | undefined;
  /** Fingerprints of known findings, which do not count; `readBaseline` reads those of a run. */
  baseline?: ReadonlySet<string> | undefined;
  /** Check groups that may be untested in a passing run; none by default. */
  acceptUntested?: readonly string[] | undefined;
}

/** A policy with its defaults filled in. */
export interface AppliedPolicy {
  failOn: Severity;
  minConfidence: Confidence;
  maxFindings: number;
  /** Absent unless only new findings count. */
  newOnly?: true;
  /** Absent when no group is accepted. */
  acceptUntested?: string[];
}

function readWord<Word extends string>(name: string, given: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === given.toUpperCase());
  if (word === undefined) throw new RangeError(`${name} must be one of: ${words.join(', ')}`);
  return word;
}

/** Returns the policy with its defaults. Throws a RangeError for invalid values, before a run is judged by them. */
export function readPolicy<Finding extends Judged>(policy: Policy<Finding> = {}): AppliedPolicy {
  const { maxFindings = 0, acceptUntested = [] } = policy;
  if (!Number.isInteger(maxFindings) || maxFindings < 0) {
    throw new RangeError('maxFindings must be a whole number, at least 0');
  }
  return {
    failOn: readWord('failOn', policy.failOn ?? 'HIGH', severities),
    minConfidence: readWord('minConfidence', policy.minConfidence ?? 'FIRM', confidences),
    maxFindings,
    ...(policy.newOnly && { newOnly: true as const }),
    ...(acceptUntested.length > 0 && { acceptUntested: [...acceptUntested] }),
  };
}

/**
 * A severity or confidence that this version does not know counts. The lists are sorted worst first and surest first.
 */
function counts({ severity, confidence }: Judged, { failOn, minConfidence }: AppliedPolicy): boolean {
  const severityRank = (severities as readonly string[]).indexOf(severity);
  const confidenceRank = (confidences as readonly string[]).indexOf(confidence);
  if (severityRank < 0 || confidenceRank < 0) return true;
  return severityRank <= severities.indexOf(failOn) && confidenceRank <= confidences.indexOf(minConfidence);
}

/**
 * Returns whether a finding is known from the baseline or, if only new findings count, from earlier runs. A finding
 * whose history the service does not tell is not known.
 */
export function isKnown(finding: Judged, { newOnly, baseline }: Pick<Policy, 'newOnly' | 'baseline'>): boolean {
  if (!baseline) return newOnly === true && finding.history === 'OPEN';
  const { fingerprint, formerFingerprints = [] } = finding;
  return [fingerprint, ...formerFingerprints].some((each) => each !== undefined && baseline.has(each));
}

/** Returns the findings that count under this policy. The policy is broken when there are more than `maxFindings`. */
export function countingFindings<Finding extends Judged>(
  findings: readonly Finding[],
  policy: Policy<Finding> = {},
): Finding[] {
  const applied = readPolicy(policy);
  return findings.filter(
    (finding) => counts(finding, applied) && !isKnown(finding, policy) && policy.accept?.(finding) !== true,
  );
}

/**
 * Returns all fingerprints of a finding: its own, and those by which earlier releases and single places of it are known.
 * A finding is known if one of them is in a baseline.
 */
export function fingerprintsOf(finding: {
  fingerprint: string;
  /** Absent in the answers of earlier releases. */
  formerFingerprints?: readonly string[];
}): string[] {
  return [finding.fingerprint, ...(finding.formerFingerprints ?? [])];
}

/** Returns what the baseline has of a finding. Without former fingerprints: earlier releases gave one to several findings. */
export function ownFingerprintsOf(finding: {
  fingerprint: string;
  /** Absent in the answers of earlier releases. */
  places?: readonly { fingerprints?: readonly string[] }[];
}): string[] {
  return [finding.fingerprint, ...(finding.places ?? []).flatMap(({ fingerprints = [] }) => fingerprints)];
}
