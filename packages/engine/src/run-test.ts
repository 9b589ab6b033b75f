import type { Asking, CheckAbout, Known, Point, Subjects, Triage } from './active-check.ts';
import type { PentestFinding } from './finding.ts';
import { createSession } from './login/session.ts';
import type { StepContext } from './pentest-attempt.ts';
import type { TestJob } from './plan-tests.ts';
import { provoke } from './provoke.ts';
import { fingerprintOf, placeOf, toEvidence, toFinding } from './to-finding.ts';
import { triage } from './triage.ts';
import { askingOf, createNonce, type Visitors, verify } from './verify.ts';

export interface Testing {
  known: Known;
  context: StepContext;
  /** Fingerprints: a flaw that was shown in one way is not shown in another one as well. */
  found: Set<string>;
}

/** What the first look at a point told is for all checks that come after it, also in later steps of a plan. */
const looks = new WeakMap<Point, Triage>();

/** All kinds of checks are run in the same way. */
interface Job<About extends keyof Subjects = keyof Subjects> {
  check: CheckAbout<About, unknown>;
  subject: Subjects[About];
}

/** Answers what was found: one thing at most, but of a site one for each variant. */
export async function runTest(job: TestJob, testing: Testing): Promise<PentestFinding[]> {
  const { check, subject } = job as Job;
  const { known, context, found } = testing;
  const place = placeOf(job);
  if (check.flaw && found.has(fingerprintOf(check, place))) return [];
  const browser = check.needsBrowser ? await context.browser.open() : undefined;
  if (check.needsBrowser === true && !browser) return noteMissingBrowser(check.id, context);
  const { outside } = context;
  if (check.needsOutside && !outside) return [];
  const { renew } = context.sender;
  const verifying = { ...visitorsOf(context), as: place.item.seenAs, known, browser, outside, renew };
  const asking = askingOf(verifying);
  if (!asking) return [];
  if (check.isWorthTrying && !check.isWorthTrying(await lookAt(subject as Point, asking))) return [];
  const sentBefore = context.sender.requestsSent();
  const findings: PentestFinding[] = [];
  const likely =
    check.needsOutside && outside
      ? provoke(check, subject, fingerprintOf(check, place), { ...verifying, outside })
      : check.probe?.(subject, createNonce(), asking);
  for (const variant of (await likely) ?? check.variants) {
    if (context.sender.requestsSent() - sentBefore >= check.maxRequests) break;
    const verified = await verify(check, subject, variant, verifying);
    if (!verified) continue;
    const evidence = verified.exhibits.map((each) => toEvidence(each, context.redactor));
    const url = check.placeOf?.(subject, variant) ?? place.item.url;
    const parameter = check.parameterOf?.(subject, variant);
    const shown = { ...place, item: { ...place.item, url }, ...(parameter && { parameter }) };
    findings.push(toFinding({ ...check, ...check.describe?.(variant) }, shown, verified, evidence));
    if (check.about !== 'site') break;
  }
  return findings;
}

function visitorsOf(context: StepContext): Visitors {
  const { visitor, accounts } = context;
  return {
    sessionOf: (name) => (name === null ? visitor : accounts.get(name)?.session),
    newVisitor: () => createSession({ ...context, name: null }),
  };
}

async function lookAt(point: Point, asking: Asking): Promise<Triage> {
  const seen = looks.get(point) ?? (await triage(point, createNonce(), asking));
  looks.set(point, seen);
  return seen;
}

function noteMissingBrowser(checkId: string, { state }: StepContext): PentestFinding[] {
  const note = `The check ${checkId} needs a browser, and there was none. Install chromium where the worker runs.`;
  if (!state.notes.includes(note)) state.notes.push(note);
  return [];
}
