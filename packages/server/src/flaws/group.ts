import { fingerprintsOf, ownFingerprintsOf } from '@sortie/contract';
import type { ReadableRun, Sighting } from './sightings.ts';

export interface Seen extends Sighting {
  run: ReadableRun;
}

/** A weakness at one site of a target, over all runs that report it. */
export interface Flaw {
  /** Oldest first; never empty. */
  sightings: Seen[];
}

/** Returns the finding of the newest run. */
export const lastOf = ({ sightings }: Flaw): Seen => sightings.at(-1) as Seen;

/**
 * Groups findings into flaws by their fingerprints, former ones included, oldest run first. Findings of one run stay
 * separate, and flaws that a run reports as one finding are merged.
 */
export function groupBySite(runs: readonly ReadableRun[], sightings: readonly Sighting[]): SiteFlaws[] {
  const ofRun = Map.groupBy(sightings, ({ runId }) => runId);
  const sites = Map.groupBy(runs, ({ targetId, site }) => `${targetId} ${site}`);
  return [...sites.values()].map((ofSite) => {
    const known = new Known();
    const excludedIn = new Map<string, Set<string>>();
    for (const run of ofSite) {
      const all = ofRun.get(run.id) ?? [];
      const reported = all.filter(({ isExcluded }) => !isExcluded);
      for (const sighting of reported) known.add({ ...sighting, run });
      const excluded = all.filter(({ isExcluded }) => isExcluded).flatMap(ownFingerprintsOf);
      if (excluded.length > 0) excludedIn.set(run.id, new Set(excluded));
    }
    return { runs: ofSite, flaws: [...known.flaws], excludedIn };
  });
}

export interface SiteFlaws {
  /** Oldest first. */
  runs: readonly ReadableRun[];
  flaws: readonly Flaw[];
  /**
   * Fingerprints that reviewers excluded from a run's report. The run found them, so it does not show that they are
   * fixed.
   */
  excludedIn: ReadonlyMap<string, ReadonlySet<string>>;
}

class Known {
  readonly flaws = new Set<Flaw>();
  readonly #byFingerprint = new Map<string, Flaw>();

  add(seen: Seen): void {
    const matching = new Set(fingerprintsOf(seen).flatMap((print) => this.#byFingerprint.get(print) ?? []));
    const earlier = [...matching].filter((flaw) => lastOf(flaw).run !== seen.run);
    const [first, ...others] = earlier.toSorted((one, other) => timeOf(other) - timeOf(one));
    const flaw = first ?? { sightings: [] };
    for (const other of others) this.#absorb(flaw, other);
    flaw.sightings.push(seen);
    this.flaws.add(flaw);
    for (const print of ownFingerprintsOf(seen)) this.#byFingerprint.set(print, flaw);
  }

  #absorb(flaw: Flaw, other: Flaw): void {
    flaw.sightings = [...flaw.sightings, ...other.sightings].toSorted(
      (one, next) => one.run.createdAt.getTime() - next.run.createdAt.getTime(),
    );
    this.flaws.delete(other);
    for (const print of other.sightings.flatMap(ownFingerprintsOf)) this.#byFingerprint.set(print, flaw);
  }
}

const timeOf = (flaw: Flaw) => lastOf(flaw).run.createdAt.getTime();
