import { closeBrowser, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { openManyFindings, scrollToEnd } from '@sortie/testing/dashboard/many-findings.ts';
import type { World } from '@sortie/testing/world/world.ts';
import { inWorld } from './bench-world.ts';
import { median } from './side-by-side.ts';

const ROUNDS = 5;
const FEW = 500;
const MANY = 10_000;
/** Tasks below 50 ms are not reported by browsers, and nobody notices them. */
const UNNOTICED_MS = 50;

/** Scrolls a long and a short list of findings alternately: no task may grow with the number of rows. */
export const benchList = () => inWorld({}, measure);

async function measure(world: World): Promise<void> {
  try {
    const person = await visitDashboard(world.server.baseUrl);
    await person.signUp('list@example.com');
    const longest = async (count: number) => {
      await openManyFindings(person, count);
      const { longestTaskMs } = await scrollToEnd(person);
      return Math.max(longestTaskMs, UNNOTICED_MS);
    };
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [few, many] = [await longest(FEW), await longest(MANY)];
      ratios.push(many / few);
      console.log(`  longest task: ${Math.round(few)} ms of ${FEW} rows, ${Math.round(many)} ms of ${MANY} rows`);
    }
    console.log(`list of ${MANY} findings: median ratio ${median(ratios).toFixed(2)}`);
  } finally {
    await closeBrowser();
  }
}
