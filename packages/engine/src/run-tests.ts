import { pointsOf, requestWith } from './active/point.ts';
import type { ActiveCheck, Point } from './active-check.ts';
import type { InventoryItem } from './crawl/inventory.ts';
import type { Evidence, PentestFinding } from './finding.ts';
import { recordExchange } from './http/record.ts';
import { StopSending } from './http/sender.ts';
import type { Account } from './login/account.ts';
import { createTrials } from './login/trials.ts';
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

/** Which check goes where, cut into steps; the same for the same inventory. Pages first, then what programs use. */
export function planTests(checks: readonly ActiveCheck[], inventory: readonly InventoryItem[]): TestStep[] {
  const isForPrograms = ({ contentType }: InventoryItem) => /json|xml(?!.*html)/i.test(contentType);
  const pages = inventory.filter((item) => !isForPrograms(item));
  return [
    ...cut('WEB_TEST', jobsFor(checks, pages)),
    ...cut('API_TEST', jobsFor(checks, inventory.filter(isForPrograms))),
  ];
}

function jobsFor(checks: readonly ActiveCheck[], items: readonly InventoryItem[]): TestJob[] {
  const points = items.flatMap(pointsOf);
  // What a form sends may be stored, mailed or paid for: that is not harmless, whatever the value.
  const isAllowed = ({ risk }: ActiveCheck, { item }: Point) => risk !== 'harmless' || item.method === 'GET';
  const jobsOf = (check: ActiveCheck) => points.filter((point) => isAllowed(check, point) && check.appliesTo(point));
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
  const { accounts, findings } = context;
  const keep = (found: PentestFinding | undefined) => void (found && findings.push(found));
  const run = (job: TestJob) => runUnbroken(job, context);
  const trials = createTrials({ run, keep, leaveOut: (job, account) => noteLoggedOut(job, account, context) });
  try {
    for (const job of jobs) {
      const { seenAs } = job.point.item;
      const account = seenAs === null ? undefined : accounts.get(seenAs);
      if (account) await trials.run(account, job);
      else if (seenAs === null) keep(await run(job));
    }
    await trials.finish();
  } catch (error) {
    // Proved, but not certainly by somebody who was logged in.
    for (const found of trials.unsettled()) keep(found && { ...found, confidence: 'FIRM' });
    throw error;
  }
}

async function runUnbroken(job: TestJob, context: StepContext): Promise<PentestFinding | undefined> {
  try {
    return await runTest(job, context);
  } catch (error) {
    if (error instanceof StopSending) throw error;
    note(context, `The check ${job.check.id} broke at ${job.point.item.url} and was left out there.`);
    return undefined;
  }
}

function note({ state: { notes } }: StepContext, text: string): void {
  if (notes.length < MOST_NOTES && !notes.includes(text)) notes.push(text);
}

function noteLoggedOut({ check, point }: TestJob, account: Account, context: StepContext): void {
  const { name } = account.session;
  const failed = account.failure();
  const text = failed
    ? `The account "${name}" was logged out in the course of the run. ${failed.reason} What was left to test as it was left out.`
    : `The check ${check.id} at ${point.item.url} ended the session of "${name}" and was left out there.`;
  note(context, text);
}

async function runTest({ check, point }: TestJob, context: StepContext): Promise<PentestFinding | undefined> {
  const { visitor, accounts, sender } = context;
  const { seenAs } = point.item;
  const session = seenAs === null ? visitor : accounts.get(seenAs)?.session;
  if (!session) return undefined;
  const browser = check.needsBrowser ? await context.browser.open() : undefined;
  if (check.needsBrowser && !browser) {
    noteMissingBrowser(check, context);
    return undefined;
  }
  const sentBefore = sender.requestsSent();
  const ask = (value: string) => session.send(requestWith(point, value));
  const variants = check.probe ? await check.probe(point, createNonce(), ask) : check.variants;
  for (const variant of variants) {
    if (sender.requestsSent() - sentBefore >= check.maxRequests) return undefined;
    const verified = await verify(check, point, variant, { session, browser, renew: sender.renew });
    if (!verified) continue;
    const evidence = verified.exhibits.map((each) => toEvidence(each, context));
    return toFinding(check, point, verified, evidence);
  }
  return undefined;
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
