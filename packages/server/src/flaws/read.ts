import { confidences, fingerprintsOf, severities } from '@sortie/contract';
import { type Queries, serviceNow } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { type DecidedState, type FlawEvent, selectEvents, selectSiteOf } from './events.ts';
import { type Presence, readPresences } from './fixes.ts';
import { type Flaw, groupBySite, lastOf, type Seen, type SiteFlaws } from './group.ts';
import { type FlawReader, type Site, selectReadableRuns, selectSightingsOf } from './sightings.ts';

export interface KnownFlaw extends Site {
  /** As the latest run reports it. */
  last: Seen;
  /** Oldest first. */
  sightings: readonly Seen[];
  presences: readonly Presence[];
  /** Oldest first. */
  events: readonly FlawEvent[];
  state: DecidedState | 'FIXED';
  acceptedUntil: Date | null;
  assigneeId: string | null;
}

/** Resolves to the flaws that the reader may see, worst first, and the time at which their states hold. */
export async function readFlaws(
  queries: Queries,
  reader: FlawReader,
  only?: Site,
): Promise<{ flaws: KnownFlaw[]; now: Date }> {
  const runs = await selectReadableRuns(queries, reader, only);
  const [sightings, events, now] = await Promise.all([
    selectSightingsOf(
      queries,
      runs.map(({ id }) => id),
    ),
    selectEvents(queries, reader.accountId, { targetIds: [...new Set(runs.map(({ targetId }) => targetId))], only }),
    serviceNow(queries),
  ]);
  const sites = groupBySite(runs, sightings);
  const presences = await readPresences(queries, sites);
  const flaws = sites.flatMap((site) => describeSite(site, events, presences, now));
  return { flaws: flaws.toSorted(compareFlaws), now };
}

/** Resolves to one flaw. Throws the same NOT_FOUND for every finding that the reader may not see. */
export async function readFlaw(queries: Queries, reader: FlawReader, findingId: string): Promise<KnownFlaw> {
  const site = await selectSiteOf(queries, reader.accountId, findingId);
  const { flaws } = site ? await readFlaws(queries, reader, site) : { flaws: [] };
  const found = flaws.find(({ sightings }) => sightings.some(({ id }) => id === findingId));
  if (!found) throw new AppError('NOT_FOUND');
  return found;
}

function describeSite(
  { runs: [run], flaws }: SiteFlaws,
  allEvents: readonly FlawEvent[],
  presences: ReadonlyMap<Flaw, readonly Presence[]>,
  now: Date,
): KnownFlaw[] {
  if (!run) return [];
  const { targetId, site } = run;
  const byFingerprint = new Map<string, FlawEvent[]>();
  for (const event of allEvents.filter((each) => each.targetId === targetId && each.site === site)) {
    for (const print of event.fingerprints) {
      const known = byFingerprint.get(print);
      if (known) known.push(event);
      else byFingerprint.set(print, [event]);
    }
  }
  return flaws.map((flaw) => {
    const prints = new Set(flaw.sightings.flatMap(fingerprintsOf));
    const events = new Set([...prints].flatMap((print) => byFingerprint.get(print) ?? []));
    const own = [...events].toSorted((one, other) => one.id - other.id);
    const present = presences.get(flaw) ?? [];
    const decided = stateAt(own, now);
    const isFixed = present.at(-1)?.to != null;
    return {
      targetId,
      site,
      last: lastOf(flaw),
      sightings: flaw.sightings,
      presences: present,
      events: own,
      state: isFixed ? 'FIXED' : decided.state,
      acceptedUntil: isFixed ? null : decided.acceptedUntil,
      assigneeId: own.findLast(({ kind }) => kind === 'ASSIGNEE')?.assigneeId ?? null,
    };
  });
}

/** Returns what people had decided at a time. An acceptance ends on its date. */
export function stateAt(events: readonly FlawEvent[], at: Date): { state: DecidedState; acceptedUntil: Date | null } {
  const decision = events.findLast(({ kind, at: since }) => kind === 'STATE' && since <= at);
  const { state, acceptedUntil = null } = decision ?? {};
  if (!state || (acceptedUntil && acceptedUntil <= at)) return { state: 'OPEN', acceptedUntil: null };
  return { state, acceptedUntil };
}

function compareFlaws({ last: one }: KnownFlaw, { last: other }: KnownFlaw): number {
  return (
    severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
    confidences.indexOf(one.confidence) - confidences.indexOf(other.confidence) ||
    Number(other.cvssScore ?? 0) - Number(one.cvssScore ?? 0) ||
    other.run.createdAt.getTime() - one.run.createdAt.getTime() ||
    (one.id < other.id ? -1 : 1)
  );
}
