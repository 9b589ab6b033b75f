import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { openDatabase } from '../db/database.ts';
import { createLog, type Log } from '../platform/log.ts';
import { type RecurringJob, type RecurringJobs, startRecurringJobs } from './recurring.ts';

const HOUR = 3_600;

let testDatabase: TestDatabase;
let lines: string[];
let log: Log;
let nodes: RecurringJobs[];

before(async () => {
  testDatabase = await createTestDatabase();
});

after(() => testDatabase.drop());

beforeEach(async () => {
  lines = [];
  nodes = [];
  log = createLog('info', { write: (line) => void lines.push(line) });
  await testDatabase.database.queries.deleteFrom('recurring_job').execute();
});

afterEach(() => Promise.all(nodes.map((node) => node.stop())));

async function startNode(...jobs: RecurringJob[]): Promise<RecurringJobs> {
  const node = await startRecurringJobs(testDatabase.database, jobs, { log, lookEveryMs: 10 });
  nodes.push(node);
  return node;
}

function countingJob(name: string, everySeconds = HOUR): RecurringJob & { runs(): number } {
  let runs = 0;
  return {
    name,
    everySeconds,
    runs: () => runs,
    async run() {
      runs++;
    },
  };
}

/** Long enough for every node to poll several times. */
const aFewLooks = () => new Promise((resolve) => setTimeout(resolve, 150));

const advanceClock = (interval: string) =>
  testDatabase.database.pool.query('update service set clock_shift = clock_shift + $1::interval', [interval]);

test('a job is due once when it is new, then again when the service clock has gone its time', async () => {
  const job = countingJob('sweep');
  await startNode(job);
  await waitFor(() => job.runs() === 1, { what: 'the first run' });
  await aFewLooks();
  await advanceClock('59 minutes');
  await aFewLooks();
  assert.equal(job.runs(), 1);
  await advanceClock('1 minute');
  await waitFor(() => job.runs() === 2, { what: 'the run after an hour' });
  await aFewLooks();
  assert.equal(job.runs(), 2);
});

test('of several nodes exactly one runs a due job, also while it runs', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let started = 0;
  const job: RecurringJob = {
    name: 'sweep',
    everySeconds: HOUR,
    async run() {
      started++;
      await gate;
    },
  };
  await Promise.all([startNode(job), startNode(job), startNode(job)]);
  await waitFor(() => started > 0, { what: 'the run' });
  await aFewLooks();
  open();
  await aFewLooks();
  assert.equal(started, 1);
});

test('more jobs than the pool has connections all run, although each holds one and uses another', async () => {
  const small = openDatabase(testDatabase.connection, { connections: 6 });
  let runs = 0;
  const jobs = Array.from({ length: 12 }, (_, number) => ({
    name: `job ${number}`,
    everySeconds: HOUR,
    async run() {
      await aFewLooks();
      await small.pool.query('select 1');
      runs++;
    },
  }));
  const node = await startRecurringJobs(small, jobs, { log, lookEveryMs: 10 });
  await waitFor(() => runs === 12, { what: 'all of them' });
  await node.stop();
  await small.close();
  assert.deepEqual(lines, []);
});

test('a job that fails is tried again and does not hold up the others, nor does one that takes long', async () => {
  let attempts = 0;
  const failing: RecurringJob = {
    name: 'failing',
    everySeconds: HOUR,
    async run() {
      attempts++;
      if (attempts < 3) throw new RangeError('canary');
    },
  };
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const slow: RecurringJob = { name: 'slow', everySeconds: HOUR, run: () => gate };
  const other = countingJob('other', 0);
  await startNode(slow, failing, other);
  await waitFor(() => lines.length === 1 && other.runs() > 3, { what: 'the first attempt' });
  await advanceClock('5 seconds');
  await waitFor(() => lines.length === 2, { what: 'the second attempt' });
  await advanceClock('10 seconds');
  await waitFor(() => attempts === 3, { what: 'the third attempt' });
  await aFewLooks();
  open();
  assert.equal(attempts, 3);
  const failures = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    failures.map(({ job, errorName }) => [job, errorName]),
    [
      ['failing', 'RangeError'],
      ['failing', 'RangeError'],
    ],
  );
  assert.ok(!lines.join('').includes('canary'));
});

/** A job that always fails. Counted by log entries, which are written after the time of the next attempt is stored. */
const hopelessJob = (everySeconds: number): RecurringJob => ({
  name: 'hopeless',
  everySeconds,
  run: () => Promise.reject(new Error('again')),
});

const failed = (times: number) => waitFor(() => lines.length === times, { what: `failure ${times}` });

test('a job that goes on failing is tried ever later, up to five minutes', async () => {
  await startNode(hopelessJob(24 * HOUR));
  const delays = [5, 10, 20, 40, 80, 160, 300, 300];
  for (const [index, seconds] of delays.entries()) {
    await failed(index + 1);
    await advanceClock(`${seconds - 2} seconds`);
    await aFewLooks();
    assert.equal(lines.length, index + 1);
    await advanceClock('2 seconds');
  }
  await failed(delays.length + 1);
});

test('a job that failed on one node is not tried sooner by another', async () => {
  await startNode(hopelessJob(24 * HOUR));
  await failed(1);
  await startNode(hopelessJob(24 * HOUR));
  await aFewLooks();
  assert.equal(lines.length, 1);
});

test('a frequent job that fails is tried again in its own time', async () => {
  await startNode(hopelessJob(2));
  for (let times = 1; times <= 5; times++) {
    await failed(times);
    await advanceClock('2 seconds');
  }
});

test('a stop waits for the job that runs and starts none any more', async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let finished = 0;
  let isRunning = false;
  const job: RecurringJob = {
    name: 'sweep',
    everySeconds: 0,
    async run() {
      isRunning = true;
      await gate;
      finished++;
    },
  };
  const node = await startNode(job);
  await waitFor(() => isRunning, { what: 'the run' });
  let isStopped = false;
  const stopped = node.stop().then(() => {
    isStopped = true;
  });
  await aFewLooks();
  assert.equal(isStopped, false);
  open();
  await stopped;
  await aFewLooks();
  assert.equal(finished, 1);
});
