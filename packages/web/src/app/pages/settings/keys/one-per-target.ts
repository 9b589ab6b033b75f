import type { ManagedTarget } from '@sortie/contract';

/** Verifications of a target by several methods share its switch: returns one for each target, a verified one if any. */
export function onePerTarget<Each extends Pick<ManagedTarget, 'targetId' | 'verified'>>(
  targets: readonly Each[],
): Each[] {
  const verifiedFirst = targets.toSorted((one, other) => Number(other.verified) - Number(one.verified));
  const ids = [...new Set(targets.map(({ targetId }) => targetId))];
  return ids.flatMap((id) => verifiedFirst.find(({ targetId }) => targetId === id) ?? []);
}
