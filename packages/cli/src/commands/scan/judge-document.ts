import { type AppliedPolicy, countingFindings, readPolicy, type ScanPolicy } from '@sortie/sdk';
import type { ContractScanFinding } from './findings-text.ts';
import type { ScanDocument } from './scan-document.ts';

interface Verdict {
  isBroken: boolean;
  isScoreTooLow: boolean;
  failing: ContractScanFinding[];
  policy: AppliedPolicy & { minScore: number };
}

/** Judges a local scan like a scan of the service: without a score it never passes. */
export function judgeDocument({ score, findings }: ScanDocument, given: ScanPolicy): Verdict {
  const { minScore = 0, failOn, minConfidence, maxFindings } = given;
  const named = { failOn, minConfidence, maxFindings };
  const policy = { ...readPolicy(named), minScore };
  const failing = countingFindings(findings, named);
  const isScoreTooLow = score === null || score < minScore;
  return { isBroken: isScoreTooLow || failing.length > policy.maxFindings, isScoreTooLow, failing, policy };
}
