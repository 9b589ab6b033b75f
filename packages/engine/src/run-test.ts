import type { Asking, CheckAbout, Known, Point, Subjects, Triage } from './active-check.ts';
import type { PentestFinding } from './finding.ts';
import { createSession, type Session } from './login/session.ts';
import type { StepContext } from './pentest-attempt.ts';
import type { TestJob } from './plan-tests.ts';
import { fingerprintOf, placeOf, toEvidence, toFinding } from './to-finding.ts';
import { triage } from './triage.ts';
import { createNonce, verify } from './verify.ts';

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
  const as = place.item.seenAs;
  const visitors = { sessionOf: sessionsOf(context), newVisitor: () => createSession({ ...context, name: null }) };
  const asking = askingOf(visitors, as, known);
  if (!asking) return [];
  const browser = check.needsBrowser ? await context.browser.open() : undefined;
  if (check.needsBrowser === true && !browser) return noteMissingBrowser(check.id, context);
  if (check.isWorthTrying && !check.isWorthTrying(await lookAt(subject as Point, asking))) return [];
  const sentBefore = context.sender.requestsSent();
  const findings: PentestFinding[] = [];
  for (const variant of (await check.probe?.(subject, createNonce(), asking)) ?? check.variants) {
    if (context.sender.requestsSent() - sentBefore >= check.maxRequests) break;
    const verified = await verify(check, subject, variant, {
      ...visitors,
      as,
      known,
      browser,
      renew: context.sender.renew,
    });
    if (!verified) continue;
    const evidence = verified.exhibits.map((each) => toEvidence(each, context.redactor));
    const url = check.placeOf?.(subject, variant) ?? place.item.url;
    findings.push(
      toFinding(
        { ...check, ...check.describe?.(variant) },
        { ...place, item: { ...place.item, url } },
        verified,
        evidence,
      ),
    );
    if (check.about !== 'site') break;
  }
  return findings;
}

type SessionOf = (name: string | null) => Session | undefined;

function sessionsOf({ visitor, accounts }: StepContext): SessionOf {
  return (name) => (name === null ? visitor : accounts.get(name)?.session);
}

/** Undefined when whoever has met the subject is not logged in any more. */
function askingOf(
  { sessionOf, newVisitor }: { sessionOf: SessionOf; newVisitor(): Session },
  usual: string | null,
  known: Known,
): Asking | undefined {
  if (!sessionOf(usual)) return undefined;
  return {
    known,
    async ask(request, as = usual, showing) {
      const session = sessionOf(as);
      if (!session) throw new Error(`nobody is logged in as ${as}`);
      return session.send(request, showing);
    },
    askAsNewVisitor: (request) => newVisitor().send(request),
    credentialsOf: async (as, url) => (await sessionOf(as)?.credentials(url)) ?? [],
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
