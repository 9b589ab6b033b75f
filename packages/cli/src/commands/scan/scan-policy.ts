import { confidences, severities } from '@sortie/contract';
import type { AppliedPolicy, ScanPolicy } from '@sortie/sdk';
import { orHigher } from '../../pentest/policy-text.ts';
import { usageError } from '../../terminal/command-error.ts';
import type { Paint } from '../../terminal/paint.ts';
import { readCount, readWord } from '../../terminal/read-values.ts';

export interface PolicyFlags {
  failOn?: string;
  minConfidence?: string;
  minScore?: string;
}

/** Returns the policy of the flags. Without flags no scan fails. */
export function readScanPolicy({ failOn, minConfidence, minScore }: PolicyFlags): ScanPolicy {
  return {
    minScore: minScore === undefined ? 0 : readScore(minScore),
    ...(failOn === undefined
      ? { maxFindings: Number.MAX_SAFE_INTEGER }
      : { failOn: readWord('--fail-on', failOn, severities) }),
    ...(minConfidence === undefined ? {} : { minConfidence: readWord('--min-confidence', minConfidence, confidences) }),
  };
}

function readScore(text: string): number {
  const score = readCount('--min-score', text);
  if (score > 100) throw usageError(`--min-score must be at most 100: ${text}`);
  return score;
}

interface Broken {
  failing: readonly unknown[];
  isScoreTooLow: boolean;
  policy: AppliedPolicy & { minScore: number };
}

export function failureText(paint: Paint, { failing, policy, isScoreTooLow }: Broken): string {
  const reasons = [
    ...(isScoreTooLow ? [`the score is below ${policy.minScore}`] : []),
    ...(failing.length > policy.maxFindings
      ? [`${failing.length} ${failing.length === 1 ? 'finding' : 'findings'} of ${orHigher(policy.failOn)}`]
      : []),
  ];
  return `\n${paint.bad('✗ Failed')}: ${reasons.join(', ')}\n`;
}
