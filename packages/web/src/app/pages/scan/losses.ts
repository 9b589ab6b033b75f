import type { ScanFindingsResponse } from '@sortie/contract';

type Finding = Pick<ScanFindingsResponse['findings'][number], 'category' | 'scoreImpact'>;

interface Loss {
  group: string;
  points: number;
  failed: number;
}

/** What each group of checks has cost, the most expensive first. */
export function lossesOf(findings: readonly Finding[]): Loss[] {
  const losses = new Map<string, Loss>();
  for (const { category: group, scoreImpact } of findings) {
    const loss = losses.get(group) ?? { group, points: 0, failed: 0 };
    losses.set(group, { group, points: loss.points + scoreImpact, failed: loss.failed + 1 });
  }
  return [...losses.values()].sort((left, right) => right.points - left.points || right.failed - left.failed);
}
