import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inspect, type Run, readSteadily, type Script, startNode, startRun, waitForSteps } from './support/runs.ts';
import { cancel, manyRequests } from './support/starts.ts';
import { waitFor } from './support/up.ts';
import { createWorld, type World } from './support/world.ts';

const RUNS = 20;
const READS_PER_SECOND = 100;
const MOST_MS = 1_000;

let world: World;
before(async () => {
  world = await createWorld({ env: manyRequests });
});
after(() => world.end());

async function beginRuns(): Promise<Run[]> {
  const steps: Script['steps'] = Array.from({ length: 500 }, () => ({ phase: 'WEB_TEST', milliseconds: 50 }));
  const begun: Run[] = [];
  while (begun.length < RUNS) {
    // Three at once is what the plan of an account allows.
    const starter = begun.length % 3 === 0 ? undefined : begun.at(-1)?.starter;
    begun.push(await startRun(world, { steps }, starter && { starter }));
  }
  return begun;
}

describe(`a cancellation while two runs work and ${READS_PER_SECOND} reads a second go on`, () => {
  // A machine that stands still delays reads as well: a cancellation must not wait for anything but the machine.
  it(`answers within a second more than the slowest read, each of ${RUNS}`, async (t) => {
    const node = await startNode(world);
    t.after(() => node.stop('SIGKILL'));
    const begun = await beginRuns();
    const [one, other] = begun;
    assert.ok(one && other);
    for (const run of [one, other]) await waitForSteps(world, run, 1);
    const reads = readSteadily(world, one, READS_PER_SECOND);
    t.after(reads.stop);
    await waitFor(() => reads.statuses.length > READS_PER_SECOND, { what: 'the reads to go on' });

    const durations: number[] = [];
    // Those that work are the last, so that two of them do all the time.
    for (const run of begun.toReversed()) {
      const since = performance.now();
      const answer = await cancel(world.server.baseUrl, run.starter, run.id);
      durations.push(performance.now() - since);
      assert.deepEqual(answer.body, { success: true, status: 'CANCELLED' });
    }
    for (const run of [one, other]) assert.ok((await inspect(world, run)).steps.length > 1, 'it has worked');
    const { perSecond, slowestMs } = await reads.stop();
    const slowest = Math.round(Math.max(...durations));
    const readsText = `${Math.round(perSecond)} reads/s, slowest ${Math.round(slowestMs)} ms`;
    console.log(`      slowest of ${RUNS} cancellations: ${slowest} ms; ${readsText}`);
    assert.ok(reads.statuses.every((status) => status === 200));
    assert.ok(slowest < MOST_MS + slowestMs, durations.map(Math.round).join());
  });
});
