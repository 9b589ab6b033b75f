import type { Depth } from '@sortie/contract';
import { mayTest } from './active/may-test.ts';
import { pointsOf, requestWith, sharedPointsOf } from './active/point.ts';
import type { ActiveCheck, Point } from './active-check.ts';
import type { InventoryItem, PointLocation } from './crawl/inventory.ts';
import type { Evidence } from './finding.ts';
import { recordExchange } from './http/record.ts';
import { StopSending } from './http/sender.ts';
import type { StepContext } from './pentest-attempt.ts';
import { toFinding } from './to-finding.ts';
import { createNonce, type Exhibit, verify } from './verify.ts';

/** One check at one point. */
export interface TestJob {
  check: ActiveCheck;
  point: Point;
}

export interface TestStep {
  phase: 'WEB_TEST' | 'API_TEST';
  jobs: TestJob[];
}

/** Some twenty seconds at the usual pace: what a crash costs is not more, and findings are shown after each step. */
const REQUESTS_PER_STEP = 200;
/** Each may find something, and a step is saved with so many findings at most. */
const JOBS_PER_STEP = 100;
const MOST_NOTES = 20;
const MOST_CHARACTERS = 20_000;

interface Planning {
  depth?: Depth;
  /** That the target is known to set, and that are no secrets. */
  cookies?: readonly (readonly [name: string, value: string])[];
}

/** Which check goes where, cut into steps; the same for the same inventory. Pages first, then what programs use. */
export function planTests(
  checks: readonly ActiveCheck[],
  inventory: readonly InventoryItem[],
  planning: Planning = {},
): TestStep[] {
  const isForPrograms = ({ contentType, body }: InventoryItem) =>
    /json|xml(?!.*html)/i.test(contentType || (body?.type ?? ''));
  const sendable = inventory.filter(({ url }) => /^https?:/.test(url));
  const pages = sendable.filter((item) => !isForPrograms(item));
  return [
    ...cut('WEB_TEST', jobsFor(checks, pages, planning)),
    ...cut('API_TEST', jobsFor(checks, sendable.filter(isForPrograms), planning)),
  ];
}

const USUAL: readonly PointLocation[] = ['query', 'path', 'form', 'json', 'multipart', 'graphql'];
/** What every request has is tried at few of them: most read it in one place for all. */
const MOST_WITH_SHARED_POINTS = 15;

function jobsFor(checks: readonly ActiveCheck[], items: readonly InventoryItem[], planning: Planning): TestJob[] {
  const { depth = 'LEAD', cookies = [] } = planning;
  const shared = items.slice(0, MOST_WITH_SHARED_POINTS).flatMap((item) => sharedPointsOf(item, cookies));
  const points = [...items.flatMap(pointsOf), ...shared];
  const isFor = ({ locations = USUAL }: ActiveCheck, { parameter }: Point) => locations.includes(parameter.location);
  const jobsOf = (check: ActiveCheck) =>
    points.filter((point) => isFor(check, point) && mayTest(check, point, depth) && check.appliesTo(point));
  return checks.flatMap((check) => jobsOf(check).map((point) => ({ check, point })));
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

/** A check that breaks is noted; it does not end the run. */
export async function runTests(jobs: readonly TestJob[], context: StepContext): Promise<undefined> {
  for (const job of jobs) {
    try {
      await runTest(job, context);
    } catch (error) {
      if (error instanceof StopSending) throw error;
      const { notes } = context.state;
      const note = `The check ${job.check.id} broke at ${job.point.item.url} and was left out there.`;
      if (notes.length < MOST_NOTES && !notes.includes(note)) notes.push(note);
    }
  }
}

async function runTest({ check, point }: TestJob, context: StepContext): Promise<void> {
  const { visitor, accounts, sender, findings } = context;
  const { seenAs } = point.item;
  const session = seenAs === null ? visitor : accounts.get(seenAs)?.session;
  if (!session) return;
  const browser = check.needsBrowser ? await context.browser.open() : undefined;
  if (check.needsBrowser && !browser) return noteMissingBrowser(check, context);
  const sentBefore = sender.requestsSent();
  const ask = (value: string, isRaw?: boolean) => session.send(requestWith(point, value, isRaw));
  const variants = check.probe ? await check.probe(point, createNonce(), ask) : check.variants;
  for (const variant of variants) {
    if (sender.requestsSent() - sentBefore >= check.maxRequests) return;
    const verified = await verify(check, point, variant, { session, browser, renew: sender.renew });
    if (!verified) continue;
    findings.push(
      toFinding(
        check,
        point,
        verified,
        verified.exhibits.map((each) => toEvidence(each, context)),
      ),
    );
    return;
  }
}

function noteMissingBrowser({ id }: ActiveCheck, { state }: StepContext): void {
  const note = `The check ${id} needs a browser, and there was none. Install chromium where the worker runs.`;
  if (!state.notes.includes(note)) state.notes.push(note);
}

/** As text, in the order of the wire. */
function toEvidence({ label, exchange }: Exhibit, { redactor }: StepContext): Evidence {
  const recorded = recordExchange(exchange, redactor);
  const { method, url, requestHeaders, requestBody, status, responseHeaders, responseBody, failure } = recorded;
  const lines = (headers: typeof requestHeaders) => headers.map((pair) => pair.join(': '));
  const request = [`${method} ${url}`, ...lines(requestHeaders), '', requestBody ?? ''].join('\n');
  const response = failure
    ? `No answer: ${failure.message}`
    : [`${status}`, ...lines(responseHeaders), '', responseBody ?? ''].join('\n');
  const cutText = (text: string) => text.trimEnd().slice(0, MOST_CHARACTERS);
  return { label, request: cutText(request), response: cutText(response) };
}
