import { waitFor } from '@sortie/testing/server/up.ts';
import { ENDLESS_MS, type Run, readSteadily, startNode, startRun, waitForSteps } from '@sortie/testing/world/runs.ts';
import { cancel, manyRequests } from '@sortie/testing/world/starts.ts';
import type { World } from '@sortie/testing/world/world.ts';
import { inWorld } from './bench-world.ts';
import { median } from './side-by-side.ts';

const RUNS = 20;
const READS_PER_SECOND = 100;

/** Cancels runs, two of which work, among steady reads of a run: the baseline is a read of the same moment. */
export const benchCancels = () => inWorld(manyRequests, measure);

async function measure(world: World): Promise<void> {
  const node = await startNode(world);
  try {
    const runs: Run[] = [];
    while (runs.length < RUNS) {
      const steps = Array.from({ length: 2 }, (_, index) => ({
        phase: 'WEB_TEST' as const,
        milliseconds: index * ENDLESS_MS,
      }));
      // Three at once is what the plan of an account allows.
      const starter = runs.length % 3 === 0 ? undefined : runs.at(-1)?.starter;
      runs.push(await startRun(world, { steps }, starter && { starter }));
    }
    const [first] = runs;
    if (!first) throw new Error('no run');
    await waitForSteps(world, first, 1);
    const reads = readSteadily(world, first, READS_PER_SECOND);
    await waitFor(() => reads.durations.length > READS_PER_SECOND, { what: 'the reads to go on' });
    const cancels: number[] = [];
    for (const { starter, id } of runs.toReversed()) {
      const since = performance.now();
      const { status } = await cancel(world.server.baseUrl, starter, id);
      cancels.push(performance.now() - since);
      if (status !== 200) throw new Error(`a cancellation was answered with ${status}: the figures do not count`);
    }
    const { perSecond } = await reads.stop();
    const [read, cancelled] = [median(reads.durations), median(cancels)];
    console.log(
      `  ${Math.round(perSecond)} reads/s, median ${read.toFixed(1)} ms; cancel median ${cancelled.toFixed(1)} ms`,
    );
    console.log(`POST /v1/pentests/{id}/cancel: median ratio ${(cancelled / read).toFixed(2)}`);
  } finally {
    await node.stop('SIGKILL');
  }
}
