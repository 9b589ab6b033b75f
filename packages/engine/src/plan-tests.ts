import { type Depth, depths } from '@sortie/contract';
import { mayTest, mayTestSite } from './active/may-test.ts';
import type { ActiveCheck, Known, Point, PointCheck, RequestCheck, Site, SiteCheck } from './active-check.ts';
import type { InventoryItem, PointLocation } from './crawl/inventory.ts';
import { pointsOf, sharedPointsOf } from './point.ts';

/** One check and what it is about. */
export type TestJob =
  | { check: PointCheck; subject: Point }
  | { check: RequestCheck; subject: InventoryItem }
  | { check: SiteCheck; subject: Site };

export interface TestStep {
  phase: 'WEB_TEST' | 'API_TEST';
  jobs: TestJob[];
}

/**
 * At most a minute at the usual pace, and mostly a fifth of that, as most checks give up early: what a crash costs is not
 * more, and findings are shown after each step.
 */
const REQUESTS_PER_STEP = 600;
/** Each may find something, and a step is saved with so many findings at most. */
const JOBS_PER_STEP = 100;

interface Planning {
  depth?: Depth;
  /** That the target is known to set, and that are no secrets. */
  cookies?: readonly (readonly [name: string, value: string])[];
}

/** Which check goes where, cut into steps; the same for the same inventory. Pages first, then what programs use. */
export function planTests(checks: readonly ActiveCheck[], known: Known, planning: Planning = {}): TestStep[] {
  const { depth = 'LEAD' } = planning;
  // What is no http is known, and nothing is sent there.
  const inventory = known.inventory.filter(({ url }) => /^https?:/.test(url));
  const ofLevel = checks
    .filter((check) => isAtLeast(depth, check.depth ?? 'LEAD'))
    .toSorted((a, b) => (a.flaw?.rank ?? 0) - (b.flaw?.rank ?? 0));
  const isForPrograms = ({ contentType, body }: InventoryItem) =>
    /json|xml(?!.*html)/i.test(contentType || (body?.type ?? ''));
  const jobsFor = (items: readonly InventoryItem[]) => [
    ...requestJobs(ofLevel, items, known, depth),
    ...pointJobs(ofLevel, items, known, planning),
  ];
  const pages = inventory.filter((item) => !isForPrograms(item));
  return [
    ...cut('WEB_TEST', [...siteJobs(ofLevel, known, depth), ...jobsFor(pages)]),
    ...cut('API_TEST', jobsFor(inventory.filter(isForPrograms))),
  ];
}

const isAtLeast = (depth: Depth, least: Depth) => depths.indexOf(depth) >= depths.indexOf(least);

const USUAL: readonly PointLocation[] = ['query', 'path', 'form', 'json', 'multipart', 'graphql'];
/** What every request has is tried at few of them, most read it in one place for all; and not at the cheapest level. */
const WITH_SHARED_POINTS: Record<Depth, number> = { LEAD: 0, STANDARD: 10, DEEP: 40, EXTENDED: 60, MAXIMUM: 100 };
/** Files that are the same for everybody: no program reads what is sent along. */
const isFile = ({ contentType }: InventoryItem) =>
  /css|javascript|^(?:image|font|video|audio)\/|octet-stream|pdf|markdown/i.test(contentType);

/** Point by point: what the first look at one tells is for all checks. */
function pointJobs(
  checks: readonly ActiveCheck[],
  items: readonly InventoryItem[],
  known: Known,
  { depth = 'LEAD', cookies = [] }: Planning,
): TestJob[] {
  const ofPoints = checks.filter((check): check is PointCheck => check.about === 'point');
  const shared = items
    .filter((item) => !isFile(item))
    .slice(0, WITH_SHARED_POINTS[depth])
    .flatMap((item) => sharedPointsOf(item, cookies));
  const points = [...items.flatMap(pointsOf), ...shared];
  const isFor = ({ locations = USUAL }: PointCheck, { parameter }: Point) => locations.includes(parameter.location);
  return points.flatMap((subject) =>
    ofPoints
      .filter((check) => isFor(check, subject) && mayTest(check, subject, depth) && check.appliesTo(subject, known))
      .map((check) => ({ check, subject })),
  );
}

function requestJobs(
  checks: readonly ActiveCheck[],
  items: readonly InventoryItem[],
  known: Known,
  depth: Depth,
): TestJob[] {
  const ofRequests = checks.filter((check): check is RequestCheck => check.about === 'request');
  return ofRequests.flatMap((check) =>
    (check.risk === 'intrusive' ? items.map(asAccount) : items)
      .filter((item) => mayTest(check, { item }, depth) && check.appliesTo(item, known))
      .map((subject) => ({ check, subject })),
  );
}

/** What leaves traces is done as an account, where one has met it as well. */
function asAccount(item: InventoryItem): InventoryItem {
  const account = item.sightings?.find(({ as, url }) => as !== null && url === item.url)?.as ?? null;
  return item.seenAs === null && item.effect === 'changes' && account !== null ? { ...item, seenAs: account } : item;
}

function siteJobs(checks: readonly ActiveCheck[], known: Known, depth: Depth): TestJob[] {
  const ofSites = checks.filter((check): check is SiteCheck => check.about === 'site');
  const origins = new Set(known.inventory.map(({ url }) => new URL(url).origin));
  return [...origins].flatMap((origin) =>
    ofSites
      .filter((check) => mayTestSite(check, depth) && check.appliesTo({ origin }, known))
      .map((check) => ({ check, subject: { origin } })),
  );
}

function cut(phase: TestStep['phase'], jobs: readonly TestJob[]): TestStep[] {
  const steps: TestStep[] = [];
  let left = 0;
  for (const job of jobs) {
    if (left < job.check.maxRequests || (steps.at(-1)?.jobs.length ?? JOBS_PER_STEP) >= JOBS_PER_STEP) {
      steps.push({ phase, jobs: [] });
      left = REQUESTS_PER_STEP;
    }
    steps.at(-1)?.jobs.push(job);
    left -= job.check.maxRequests;
  }
  return steps;
}
