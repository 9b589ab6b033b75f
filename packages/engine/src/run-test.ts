import type { Asking, CheckAbout, Known, Point, Subjects } from './active-check.ts';
import type { Evidence, PentestFinding } from './finding.ts';
import { recordExchange } from './http/record.ts';
import { type Triage, triage } from './oracle/triage.ts';
import type { StepContext } from './pentest-attempt.ts';
import type { TestJob } from './plan-tests.ts';
import { placeOf, toFinding } from './to-finding.ts';
import { askingOf, createNonce, type Exhibit, type Verifying, verify } from './verify.ts';

interface Testing {
  known: Known;
  context: StepContext;
  /** What the first look at a point told is for all checks that come after it. */
  looks: Map<Point, Triage>;
}

/** All kinds of checks are run in the same way. */
interface Job<About extends keyof Subjects = keyof Subjects> {
  check: CheckAbout<About, unknown>;
  subject: Subjects[About];
}

/** Answers what was found: one thing at most, but of a site one for each variant. */
export async function runTest(job: TestJob, testing: Testing): Promise<PentestFinding[]> {
  const { check, subject } = job as Job;
  const { context, looks } = testing;
  const place = placeOf(job);
  const browser = check.needsBrowser ? await context.browser.open() : undefined;
  if (check.needsBrowser && !browser) return noteMissingBrowser(check.id, context);
  const verifying: Verifying = { ...verifyingAs(place.item.seenAs, testing), browser };
  const asking = askingOf(verifying);
  if (!asking) return [];
  if (check.isWorthTrying && !check.isWorthTrying(await lookAt(subject as Point, looks, asking))) return [];
  const sentBefore = context.sender.requestsSent();
  const findings: PentestFinding[] = [];
  for (const variant of (await check.probe?.(subject, createNonce(), asking)) ?? check.variants) {
    if (context.sender.requestsSent() - sentBefore >= check.maxRequests) break;
    const verified = await verify(check, subject, variant, verifying);
    if (!verified) continue;
    const evidence = verified.exhibits.map((each) => toEvidence(each, context));
    const url = check.placeOf?.(subject, variant) ?? place.item.url;
    const parameter = check.parameterOf?.(subject, variant);
    const found = { ...place, item: { ...place.item, url }, ...(parameter && { parameter }) };
    findings.push(toFinding(check, found, verified, evidence));
    if (check.about !== 'site') break;
  }
  return findings;
}

function verifyingAs(as: string | null, { known, context }: Testing): Verifying {
  const { visitor, accounts, sender } = context;
  const sessionOf = (name: string | null) => (name === null ? visitor : accounts.get(name)?.session);
  return { sessionOf, as, known, renew: sender.renew };
}

async function lookAt(point: Point, looks: Map<Point, Triage>, asking: Asking): Promise<Triage> {
  const seen = looks.get(point) ?? (await triage(point, createNonce(), asking));
  looks.set(point, seen);
  return seen;
}

function noteMissingBrowser(checkId: string, { state }: StepContext): PentestFinding[] {
  const note = `The check ${checkId} needs a browser, and there was none. Install chromium where the worker runs.`;
  if (!state.notes.includes(note)) state.notes.push(note);
  return [];
}

const MOST_CHARACTERS = 20_000;

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
