import type { Asking, CheckAbout, Known, Point, Subjects } from './active-check.ts';
import type { Evidence } from './finding.ts';
import { recordExchange } from './http/record.ts';
import { StopSending } from './http/sender.ts';
import { createSession } from './login/session.ts';
import { type Triage, triage } from './oracle/triage.ts';
import type { StepContext } from './pentest-attempt.ts';
import type { TestJob } from './plan-tests.ts';
import { fingerprintOf, type Place, placeOf, toFinding } from './to-finding.ts';
import { createNonce, type Exhibit, type Verifying, verify } from './verify.ts';

const MOST_NOTES = 20;
const MOST_CHARACTERS = 20_000;

/** What the first look at a point told is for all checks that come after it, also in later steps of a plan. */
const looks = new WeakMap<Point, Triage>();

/** A check that breaks is noted; it does not end the run. */
export async function runTests(jobs: readonly TestJob[], known: Known, context: StepContext): Promise<undefined> {
  for (const job of jobs) {
    const place = placeOf(job);
    try {
      await runTest(job as Job<keyof Subjects>, { place, known, context });
    } catch (error) {
      if (error instanceof StopSending) throw error;
      const { notes } = context.state;
      const note = `The check ${job.check.id} broke at ${place.item.url} and was left out there.`;
      if (notes.length < MOST_NOTES && !notes.includes(note)) notes.push(note);
    }
  }
}

interface Job<About extends keyof Subjects> {
  check: CheckAbout<About, unknown>;
  subject: Subjects[About];
}

interface Testing {
  place: Place;
  known: Known;
  context: StepContext;
}

async function runTest<About extends keyof Subjects>(job: Job<About>, testing: Testing): Promise<void> {
  const { check, subject } = job;
  const { place, context } = testing;
  if (check.flaw && isFound(fingerprintOf(check, place), context)) return;
  const verifying = verifyingAs(place.item.seenAs, testing);
  const asking = askingOf(verifying);
  if (!asking) return;
  const browser = check.needsBrowser ? await context.browser.open() : undefined;
  if (check.needsBrowser && !browser) return noteMissingBrowser(check.id, context);
  if (check.isWorthTrying && !check.isWorthTrying(await lookAt(subject as Point, asking))) return;
  const sentBefore = context.sender.requestsSent();
  const variants = (await check.probe?.(subject, createNonce(), asking)) ?? check.variants;
  for (const variant of variants) {
    if (context.sender.requestsSent() - sentBefore >= check.maxRequests) return;
    const verified = await verify(check, subject, variant, { ...verifying, browser });
    if (!verified) continue;
    const evidence = verified.exhibits.map((each) => toEvidence(each, context));
    const url = check.placeOf?.(subject, variant) ?? place.item.url;
    context.findings.push(toFinding(check, { ...place, item: { ...place.item, url } }, verified, evidence));
    if (check.about !== 'site') return;
  }
}

/** In this step or one before it: a flaw that was shown in one way is not shown in another one as well. */
function isFound(fingerprint: string, { findings, state }: StepContext): boolean {
  return state.findings.includes(fingerprint) || findings.some((finding) => finding.fingerprint === fingerprint);
}

function verifyingAs(as: string | null, { known, context }: Testing): Verifying {
  const { visitor, accounts, sender } = context;
  const sessionOf = (name: string | null) => (name === null ? visitor : accounts.get(name)?.session);
  return { sessionOf, newSession: () => createSession({ ...context, name: null }), as, known, renew: sender.renew };
}

/** Undefined when whoever has met the subject is not logged in any more. */
function askingOf({ sessionOf, as: usual, known }: Verifying): Asking | undefined {
  if (!sessionOf(usual)) return undefined;
  return {
    known,
    async ask(request, as = usual) {
      const session = sessionOf(as);
      if (!session) throw new Error(`nobody is logged in as ${as}`);
      return session.send(request);
    },
  };
}

async function lookAt(point: Point, asking: Asking): Promise<Triage> {
  const seen = looks.get(point) ?? (await triage(point, createNonce(), asking));
  looks.set(point, seen);
  return seen;
}

function noteMissingBrowser(checkId: string, { state }: StepContext): void {
  const note = `The check ${checkId} needs a browser, and there was none. Install chromium where the worker runs.`;
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
