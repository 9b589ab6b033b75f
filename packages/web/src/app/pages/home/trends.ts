import { type AccountFinding, type Scan, type Severity, severities, type UsageRecord } from '@sortie/contract';

const DAY_MS = 86_400_000;

type Known = Pick<AccountFinding, 'severity' | 'firstSeenAt' | 'closedAt'>;

export interface OpenAt {
  /** The end of a period, in milliseconds; the last one is now. */
  at: number;
  counts: Readonly<Record<Severity, number>>;
}

/**
 * How many findings were open at the end of each period. The last numbers are those of the list of open findings: both
 * count by the same state.
 */
export function openOverTime(findings: readonly Known[], now: number, periods: number, days: number): OpenAt[] {
  return Array.from({ length: periods }, (_, index) => {
    const at = now - (periods - 1 - index) * days * DAY_MS;
    const open = findings.filter(({ firstSeenAt, closedAt }) => {
      const isClosed = closedAt !== null && Date.parse(closedAt) <= at;
      return Date.parse(firstSeenAt) <= at && !isClosed;
    });
    const count = (severity: Severity) => open.filter((finding) => finding.severity === severity).length;
    return { at, counts: Object.fromEntries(severities.map((each) => [each, count(each)])) as OpenAt['counts'] };
  });
}

/** Credits charged in each of the last months (UTC), oldest first. */
export function chargedByMonth(
  records: readonly Pick<UsageRecord, 'type' | 'credits' | 'createdAt'>[],
  now: number,
  months: number,
): { month: string; credits: number }[] {
  const today = new Date(now);
  const names = Array.from({ length: months }, (_, index) =>
    new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (months - 1 - index), 1)).toISOString().slice(0, 7),
  );
  const charges = records.filter(({ type }) => type === 'CHARGE');
  return names.map((month) => ({
    month,
    credits: charges.reduce((sum, each) => (monthOf(each.createdAt) === month ? sum - each.credits : sum), 0),
  }));
}

const monthOf = (timestamp: string): string => timestamp.slice(0, 7);

/** The scores of the sites that were scanned most recently, by day, oldest first. The latest scan of a day counts. */
export function scoresOverTime(
  scans: readonly Pick<Scan, 'url' | 'score' | 'createdAt'>[],
  sites: number,
  days: number,
): { days: string[]; lines: { url: string; scores: (number | null)[] }[] } {
  const scored = scans
    .filter(({ score }) => score !== null)
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  const urls = [...new Set(scored.map(({ url }) => url))].slice(0, sites);
  const shown = scored.filter(({ url }) => urls.includes(url));
  const dates = [...new Set(shown.map(({ createdAt }) => createdAt.slice(0, 10)))].sort().slice(-days);
  const scoreOf = (url: string, date: string) =>
    shown.find((scan) => scan.url === url && scan.createdAt.startsWith(date))?.score ?? null;
  return { days: dates, lines: urls.map((url) => ({ url, scores: dates.map((date) => scoreOf(url, date)) })) };
}
