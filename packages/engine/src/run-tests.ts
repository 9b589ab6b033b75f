import type { Known } from './active-check.ts';
import type { PentestFinding } from './finding.ts';
import { StopSending } from './http/sender.ts';
import type { Account } from './login/account.ts';
import { createTrials } from './login/trials.ts';
import type { StepContext } from './pentest-attempt.ts';
import { addUntested } from './pentest-state.ts';
import type { TestJob } from './plan-tests.ts';
import { runTest, type Testing } from './run-test.ts';
import { placeOf } from './to-finding.ts';
import { BROWSER_ENDED, CHECK_BROKE, loginLost, sessionEnded } from './untested.ts';

const MOST_NOTES = 20;
/** More than the sender takes to give a target up. */
const MOST_TRIES = 12;

/** A check that breaks is noted; it does not end the run. */
export async function runTests(jobs: readonly TestJob[], known: Known, context: StepContext): Promise<undefined> {
  const { accounts, findings } = context;
  // Those that wait for a look at their account, too.
  const found = new Set([...context.state.findings, ...findings.map(({ fingerprint }) => fingerprint)]);
  const keep = (proved: readonly PentestFinding[]) => void findings.push(...proved);
  const run = (job: TestJob) => runUnbroken(job, { known, context, found });
  const trials = createTrials({ run, keep, leaveOut: (job, account) => noteLoggedOut(job, account, context) });
  try {
    for (const job of jobs) {
      const { seenAs } = placeOf(job).item;
      const account = seenAs === null ? undefined : accounts.get(seenAs);
      if (account) await trials.run(account, job);
      else if (seenAs === null) keep(await run(job));
      else addUntested(context.state, job.check, loginLost(seenAs));
    }
    await trials.finish();
    await makeSure(context);
  } catch (error) {
    // Proved, but not certainly by somebody who was logged in.
    keep(
      trials
        .unsettled()
        .flat()
        .map((proved) => ({ ...proved, confidence: 'FIRM' })),
    );
    throw error;
  }
}

/** Whoever is not there shows no flaws: the target is asked until it answers, or it is certain that it is gone. */
async function makeSure({ sender, visitor, order }: StepContext): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES && sender.isInDoubt(); tries++) {
    await visitor.send({ method: 'GET', url: order.targetUrl });
  }
}

async function runUnbroken(job: TestJob, testing: Testing): Promise<PentestFinding[]> {
  try {
    const findings = await runInBrowser(job, testing);
    for (const { fingerprint } of findings) testing.found.add(fingerprint);
    return findings;
  } catch (error) {
    if (error instanceof StopSending) throw error;
    testing.context.tellFault?.(error);
    addUntested(testing.context.state, job.check, CHECK_BROKE);
    note(testing.context, `The check ${job.check.id} broke at ${placeOf(job).item.url} and was left out there.`);
    return [];
  }
}

/** A check during which the browser crashed has shown nothing: it runs once more. */
async function runInBrowser(job: TestJob, testing: Testing): Promise<PentestFinding[]> {
  const { browser, state } = testing.context;
  const isVoid = (found: PentestFinding[]) => job.check.needsBrowser === true && found.length === 0 && browser.isGone();
  const first = await runTest(job, testing);
  if (!isVoid(first)) return first;
  const second = await runTest(job, testing);
  if (isVoid(second)) addUntested(state, job.check, BROWSER_ENDED);
  return second;
}

function note({ state: { notes } }: StepContext, text: string): void {
  if (notes.length < MOST_NOTES && !notes.includes(text)) notes.push(text);
}

function noteLoggedOut(job: TestJob, account: Account, context: StepContext): void {
  const name = account.session.name ?? '';
  const failed = account.failure();
  addUntested(context.state, job.check, failed ? loginLost(name) : sessionEnded(name));
  const text = failed
    ? `The account "${name}" was logged out in the course of the run. ${failed.reason} What was left to test as it was left out.`
    : `The check ${job.check.id} at ${placeOf(job).item.url} ended the session of "${name}" and was left out there.`;
  note(context, text);
}
