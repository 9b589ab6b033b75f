import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { nonce, observed } from '@sortie/testing/engine/judging.ts';
import { fingerprintsOf } from '@sortie/testing/engine/pentest-orders.ts';
import { headerPointsOf, pointsOf, readState, triage } from '@sortie/testing/inside/engine.ts';
import { createKilledRuns, kindOf, type Survived } from '@sortie/testing/real-runs/killed-runs.ts';
import { createRandom } from '@sortie/testing/start-once/random.ts';
import { teaHouse } from '@sortie/testing/targets/tea-house.ts';

const KILLS = 50;
/** So that most of them meet a run that has something to lose. */
const KILLS_PER_RUN = 10;
const seed = Number(process.env.SORTIE_TEST_SEED ?? randomInt(2 ** 31));

let compiled: string;
let runs: Awaited<ReturnType<typeof createKilledRuns>>;
let undisturbed: Survived;
const killed: Survived[] = [];
before(async () => {
  compiled = await mkdtemp(join(tmpdir(), 'sortie-compiled-'));
  runs = await createKilledRuns(teaHouse, { random: createRandom(seed), compiled });
  undisturbed = await runs.survive(0);
  const sum = (key: 'kills' | 'inTheMiddle') => killed.reduce((all, run) => all + run[key], 0);
  while (sum('kills') < KILLS) killed.push(await runs.survive(Math.min(KILLS_PER_RUN, KILLS - sum('kills'))));
  console.log(
    `seed ${seed}: ${sum('kills')} kills of ${killed.length} runs, ${sum('inTheMiddle')} in the middle of a step`,
  );
  assert.ok(sum('inTheMiddle') >= KILLS / 10, 'too few kills have met a step');
});
after(async () => {
  await runs.target.close();
  await rm(compiled, { recursive: true });
});

const namesOf = ({ steps }: Survived) => steps.map(({ name }) => name);

/** The first look at a value is for all steps, and is taken again by a process that has not seen it. */
async function firstLooks({ steps }: Survived): Promise<Set<string>> {
  const { inventory } = readState(steps.at(-1)?.state ?? null, runs.target.url);
  const looks = new Set<string>();
  for (const point of inventory.flatMap((item) => [...pointsOf(item), ...headerPointsOf(item)])) {
    await triage(point, nonce, {
      async ask({ method, url, headers = [], body = '' }) {
        const { pathname, search } = new URL(url);
        looks.add(kindOf({ method, place: pathname + search, headers, body: body.toString() }));
        return observed({});
      },
    });
  }
  return looks;
}

const SENT = /^Sent (\d+) requests/m;
const summaryOf = ({ ended }: Survived) => ended.summary?.replace(SENT, 'Sent requests');

/** The requests that arrived during attempts that saved their step. */
const savedRequestsOf = ({ segments }: Survived) =>
  segments.flatMap(({ step, asked }, index) => (segments[index + 1]?.step === step + 1 ? asked : [])).length;

describe('a run whose engine is killed at random moments', () => {
  it('ends as one that was left alone, with the same steps, each saved once', () => {
    for (const run of killed) {
      assert.equal(run.ended.outcome, 'COMPLETED');
      assert.deepEqual(namesOf(run), namesOf(undisturbed));
      assert.equal(summaryOf(run), summaryOf(undisturbed));
    }
  });

  it('counts the requests of its saved steps', () => {
    for (const run of [undisturbed, ...killed])
      assert.equal(Number(SENT.exec(run.ended.summary ?? '')?.[1]), savedRequestsOf(run));
  });

  it('has the same coverage', () => {
    assert.ok(undisturbed.ended.coverage?.groups.some(({ status }) => status === 'TESTED'));
    for (const run of killed) assert.deepEqual(run.ended.coverage, undisturbed.ended.coverage);
  });

  it('finds the same flaws', () => {
    // The four of the tea house, and two headers that its responses lack.
    assert.equal(fingerprintsOf(undisturbed.steps).length, 6);
    for (const run of killed) assert.deepEqual(fingerprintsOf(run.steps), fingerprintsOf(undisturbed.steps));
  });

  it('sends what belongs to the step it is at, all of it before the step is saved, and nothing of a finished one', async () => {
    const looks = await firstLooks(undisturbed);
    const expected = undisturbed.segments.map(({ asked }) => asked.filter((kind) => !looks.has(kind)).toSorted());
    assert.ok(expected.flat().length > 100, `${expected.flat().length} requests tell steps apart`);
    for (const { segments } of killed) {
      for (const [index, { step, asked }] of segments.entries()) {
        const own = asked.filter((kind) => !looks.has(kind)).toSorted();
        const isFinished = segments[index + 1]?.step === step + 1;
        if (isFinished) assert.deepEqual(own, expected[step], `step ${step}`);
        else
          assert.deepEqual(
            own.filter((kind) => !expected[step]?.includes(kind)),
            [],
            `step ${step}`,
          );
      }
    }
  });
});
