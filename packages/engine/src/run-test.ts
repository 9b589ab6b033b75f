import type { Asking, CheckAbout, Known, Point, Subjects, Triage } from './active-check.ts';
import { effectOf } from './crawl/danger.ts';
import type { PentestFinding } from './finding.ts';
import { createSession } from './login/session.ts';
import type { StepContext } from './pentest-attempt.ts';
import { addUntested } from './pentest-state.ts';
import type { TestJob } from './plan-tests.ts';
import { provoke } from './provoke.ts';
import { fingerprintOf, type Place, placeOf, toEvidence, toFinding } from './to-finding.ts';
import { triage } from './triage.ts';
import { NO_LISTENER, NO_ZONE, type Obstacle } from './untested.ts';
import { askingOf, createNonce, type Verifying, type Visitors, verify } from './verify.ts';

export interface Testing {
  known: Known;
  context: StepContext;
  /** Fingerprints: a flaw that was shown in one way is not shown in another one as well. */
  found: Set<string>;
}

/** What the first look at a point told is for all checks that come after it, also in later steps of a plan. */
const looks = new WeakMap<Point, Triage>();

/** Flaws of what reads a value: a value that one of them reads is not read by another. */
const INTERPRETERS = [
  'sql-injection',
  'code-injection',
  'command-injection',
  'path-traversal',
  'ldap-injection',
  'xpath-injection',
  'nosql-operator',
  'server-side-includes',
];
const isInterpreter = ({ id, flaw }: Pick<Job['check'], 'id' | 'flaw'>) => INTERPRETERS.includes(flaw?.name ?? id);

/** All kinds of checks are run in the same way. */
interface Job<About extends keyof Subjects = keyof Subjects> {
  check: CheckAbout<About, unknown>;
  subject: Subjects[About];
}

/** Answers what was found: one thing at most, but of a site one for each variant, and of a request one for each value. */
export async function runTest(job: TestJob, testing: Testing): Promise<PentestFinding[]> {
  const { check, subject } = job as Job;
  const { known, context, found } = testing;
  const place = placeOf(job);
  if (check.flaw && found.has(fingerprintOf(check, place))) return [];
  if (isInterpreter(check) && INTERPRETERS.some((id) => found.has(fingerprintOf({ id }, place)))) return [];
  const browser = check.needsBrowser ? await context.browser.open() : undefined;
  const { traces, sender, outside, state } = context;
  const obstacle = obstacleTo(check, context, browser);
  if (obstacle) addUntested(state, check, obstacle);
  if (obstacle) return [];
  if (!state.ran.includes(check.id)) state.ran.push(check.id);
  const willChange: Verifying['willChange'] = (as, undo) => traces.add({ by: check.id, as, request: place.item, undo });
  const who = { ...visitorsOf(context), as: place.item.seenAs };
  const verifying = { ...who, known, browser, outside, renew: sender.renew, willChange };
  const asking = askingOf(verifying);
  if (!asking) return [];
  const look = check.isWorthTrying && (await lookAt(subject as Point, asking));
  if (look && !check.isWorthTrying?.(look, subject as Point)) return [];
  if (check.about === 'point' && writes(place)) await willChange(place.item.seenAs, []);
  const sentBefore = sender.requestsSent();
  const findings: PentestFinding[] = [];
  const named = new Set<string | undefined>();
  const likely =
    check.needsOutside && outside
      ? provoke(check, subject, fingerprintOf(check, place), { ...verifying, outside })
      : check.probe?.(subject, createNonce(), { ...asking, ...(look && { look }) });
  for (const variant of (await likely) ?? check.variants) {
    if (sender.requestsSent() - sentBefore >= check.maxRequests) break;
    const parameter = check.parameterOf?.(subject, variant);
    if (parameter && named.has(parameter.name)) continue;
    const verified = await verify(check, subject, variant, verifying);
    if (!verified) continue;
    const evidence = verified.exhibits.map((each) => toEvidence(each, context.redactor));
    const url = check.placeOf?.(subject, variant) ?? place.item.url;
    const shown = { ...place, item: { ...place.item, url }, ...(parameter && { parameter }) };
    findings.push(toFinding({ ...check, ...check.describe?.(variant) }, shown, verified, evidence));
    named.add(parameter?.name);
    if (check.about !== 'site' && !parameter) break;
  }
  return findings;
}

/** Values in a request that writes are stored, most of them, and nobody knows where. */
const writes = ({ item: { effect, method, url } }: Place) => (effect ?? effectOf(method, url)) !== 'reads';

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

function obstacleTo(
  { needsBrowser, needsOutside }: Job['check'],
  context: StepContext,
  browser: Verifying['browser'],
): Obstacle | undefined {
  if (needsBrowser === true && !browser) return context.browser.obstacle();
  if (needsOutside && !context.outside) return NO_LISTENER;
  return needsOutside === 'dns' && !context.outside?.hasZone ? NO_ZONE : undefined;
}
