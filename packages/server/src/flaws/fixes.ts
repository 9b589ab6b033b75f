import { ownFingerprintsOf } from '@sortie/contract';
import type { Queries } from '../db/database.ts';
import { isRetested } from '../pentests/pentests.ts';
import type { Flaw, Seen, SiteFlaws } from './group.ts';
import { type ReadableRun, selectCoverageKeys, selectRetested } from './sightings.ts';

/** A period in which a flaw existed, as far as the runs show. */
export interface Presence {
  from: Date;
  /** When a run showed that it was fixed; null while none has. */
  to: Date | null;
}

interface Gap {
  flaw: Flaw;
  seen: Seen;
  /** The runs before its next sighting that could have seen it. */
  runs: ReadableRun[];
}

/**
 * Resolves to the periods of each flaw. A run ends a period if it repeats every test of a sighting without seeing the
 * flaw.
 */
export async function readPresences(
  queries: Queries,
  sites: readonly SiteFlaws[],
): Promise<ReadonlyMap<Flaw, readonly Presence[]>> {
  const gaps = sites.flatMap(gapsOf);
  const [keys, retested] = await Promise.all([
    selectCoverageKeys(queries, [...new Set(gaps.map(({ seen }) => seen.id))]),
    selectRetested(queries, [...new Set(gaps.flatMap(({ runs }) => runs.map(({ id }) => id)))]),
  ]);
  const fixedAt = new Map<Seen, Date>();
  for (const { seen, runs } of gaps) {
    const tested = { coverageKeys: keys.get(seen.id) ?? [], depth: seen.run.depth };
    const fixing = runs.find(({ id, depth }) => isRetested(tested, { depth, retested: retested.get(id) ?? null }));
    if (fixing?.completedAt) fixedAt.set(seen, fixing.completedAt);
  }
  return new Map(sites.flatMap(({ flaws }) => flaws.map((flaw) => [flaw, presencesOf(flaw, fixedAt)] as const)));
}

function gapsOf({ runs, flaws, excludedIn }: SiteFlaws): Gap[] {
  const indexes = new Map(runs.map(({ id }, index) => [id, index]));
  const indexOf = ({ run }: Seen) => indexes.get(run.id) ?? 0;
  return flaws.flatMap((flaw) =>
    flaw.sightings.flatMap((seen, index) => {
      const next = flaw.sightings[index + 1];
      const between = runs
        .slice(indexOf(seen) + 1, next ? indexOf(next) : undefined)
        .filter((run) => isAfter(run, seen.run) && !isExcludedFrom(excludedIn.get(run.id), seen));
      return between.length > 0 ? [{ flaw, seen, runs: between }] : [];
    }),
  );
}

/**
 * Only a run that started after the earlier one ended, and is over itself, can show that something was fixed in
 * between.
 */
const isAfter = ({ startedAt, completedAt }: ReadableRun, earlier: ReadableRun): boolean =>
  completedAt !== null && startedAt !== null && earlier.completedAt !== null && startedAt >= earlier.completedAt;

const isExcludedFrom = (excluded: ReadonlySet<string> | undefined, seen: Seen): boolean =>
  excluded !== undefined && ownFingerprintsOf(seen).some((print) => excluded.has(print));

function presencesOf({ sightings }: Flaw, fixedAt: ReadonlyMap<Seen, Date>): Presence[] {
  const presences: Presence[] = [];
  for (const seen of sightings) {
    const current = presences.at(-1);
    const to = fixedAt.get(seen) ?? null;
    if (current && current.to === null) current.to = to;
    else presences.push({ from: seenAt(seen), to });
  }
  return presences;
}

/** Findings of a run in progress count as seen since its start. */
export const seenAt = ({ run }: Seen): Date => run.completedAt ?? run.startedAt ?? run.createdAt;
