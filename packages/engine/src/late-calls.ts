import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckAbout, Known, Subjects } from './active-check.ts';
import type { StepContext } from './pentest-attempt.ts';
import { addNote } from './pentest-state.ts';
import type { TestJob } from './plan-tests.ts';
import { tagsOf } from './provoke.ts';
import { runTests } from './run-tests.ts';
import { fingerprintOf, placeOf } from './to-finding.ts';

/** Each may wait for a call, and for another one. */
const MOST_LATE = 20;

/** Calls that came when the test was over are proved now, with more patience. */
export async function hearLateCalls(jobs: readonly TestJob[], known: Known, context: StepContext): Promise<undefined> {
  const { outside, state } = context;
  const calling = jobs.filter(({ check }) => check.needsOutside);
  if (calling.length === 0 || !outside) return undefined;
  await sleep(outside.patienceMs);
  const tags = calling.map((job) => tagsFor(job, known, outside));
  const heard = await outside.heard(tags.flat());
  const isHeard = (index: number) => tags[index]?.some((tag) => (heard.get(tag) ?? []).length > 0);
  if (!calling.some((_, index) => isHeard(index))) {
    addNote(
      state,
      'The listener heard nothing of the target. If the target cannot reach it, flaws that call it are hidden.',
    );
  }
  const late = calling.filter((job, index) => isHeard(index) && !state.findings.includes(fingerprintFor(job)));
  return runTests(late.slice(0, MOST_LATE), known, { ...context, outside: outside.patiently() });
}

const fingerprintFor = (job: TestJob) => fingerprintOf(job.check, placeOf(job));

function tagsFor(job: TestJob, known: Known, outside: NonNullable<StepContext['outside']>): string[] {
  const { check, subject } = job as { check: CheckAbout<keyof Subjects, unknown>; subject: Subjects[keyof Subjects] };
  return tagsOf(check, subject, fingerprintFor(job), { known, outside });
}
