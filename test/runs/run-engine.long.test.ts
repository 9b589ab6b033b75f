import assert from 'node:assert/strict';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { checkInvariants, findSystemUser } from '@sortie/testing/inside/server.ts';
import { casesOf, isFull } from '@sortie/testing/runner/test-size.ts';
import { read as readNow } from '@sortie/testing/server/processes.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import {
  childrenOf,
  ENDLESS_MS,
  inspect,
  isAlive,
  play,
  type Run,
  type Script,
  startNode,
  startRun,
  waitForStatus,
  waitUntilOver,
} from '@sortie/testing/world/runs.ts';
import { createScanning } from '@sortie/testing/world/scans.ts';
import { cancel, manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** Less than the time that a step may take here. */
const FEW_SECONDS_MS = 3_000;

let world: World;
let node: TestServer;
const runs: Run[] = [];

before(async () => {
  world = await createWorld({ env: manyRequests });
  node = await startNode(world, {
    env: {
      SORTIE_LEASE_MS: '4000',
      SORTIE_PENTEST_SLOTS: '4',
      SORTIE_ENGINE_MEMORY_MB: '150',
      // Later than the other reasons to end an engine, on a busy machine too.
      SORTIE_STEP_LIMIT_MS: '6000',
    },
  });
});
after(async () => {
  await node.stop('SIGKILL');
  await world.end();
});

async function begin(script: Script, depth: 'LEAD' | 'STANDARD' | 'DEEP' = 'LEAD'): Promise<Run> {
  const run = await startRun(world, script, { depth });
  runs.push(run);
  return run;
}

const endless: Script = { steps: [{ phase: 'RECON' }, { phase: 'WEB_TEST', milliseconds: ENDLESS_MS }] };

/** The only process of the node that was not there before; the node has seen it work. */
async function beginWithEngine(): Promise<{ run: Run; pid: number }> {
  const others = await childrenOf(node);
  const run = await begin(endless);
  await waitForStatus(world, run, 'WEB_TEST');
  let added: number[] = [];
  const look = async () => {
    added = (await childrenOf(node)).filter((child) => !others.includes(child));
    return added.length === 1;
  };
  // An engine that has ended may be a child until the node has noticed it.
  await waitFor(look, { what: () => `one more child of the node than ${others.join()}: ${added.join()}` });
  const [pid] = added;
  assert.ok(pid !== undefined);
  return { run, pid };
}

/** Answers how long it took. */
async function waitForEnd(pids: readonly number[]): Promise<number> {
  const since = performance.now();
  const look = async () => (await Promise.all(pids.map(isAlive))).every((alive) => !alive);
  await waitFor(look, { what: `the end of ${pids.join()}` });
  return performance.now() - since;
}

async function openFilesOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  return Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => 'closed meanwhile')));
}

describe("the engine's process", () => {
  let run: Run;
  let pid: number;
  before(async () => {
    ({ run, pid } = await beginWithEngine());
  });

  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8');
  const statusLine = async (name: string) =>
    new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'm').exec(await read('status'))?.[1]?.split(/\s+/);

  it('has nothing in its environment but its own folder for temporary files', async () => {
    assert.match(await read('environ'), /^TMPDIR=\/tmp\/sortie-engine-[\w-]+\0$/);
  });

  it('has nothing of the database or the run on its command line', async () => {
    const [, program, ...parameters] = (await read('cmdline')).split('\0');
    assert.match(String(program), /packages\/engine\/bin\/engine\.js$/);
    assert.match(parameters.join(' '), /^(--user=\d+:\d+|--same-user) --script( \/\S+\/sortie(-tests)?)? $/);
  });

  it('has the root folder as its current one', async () => {
    assert.equal(await readlink(`/proc/${pid}/cwd`), '/');
  });

  it('has no connection open but its line to the server, and no file of the server', async () => {
    const [own, ofServer] = [await openFilesOf(pid), await openFilesOf(node.child.pid ?? 0)];
    const sockets = own.filter((file) => file.startsWith('socket:'));
    assert.deepEqual(sockets, [await readlink(`/proc/${pid}/fd/0`), await readlink(`/proc/${pid}/fd/3`)]);
    // What this test was started with is not the server's, though all inherit it.
    const inherited = await openFilesOf(process.pid);
    const isOfServer = (file: string) => ofServer.includes(file) && !inherited.includes(file);
    const shared = own.filter((file) => isOfServer(file) && !file.startsWith('anon_inode:'));
    assert.deepEqual(shared, []);
    const files = own.filter((file) => file.startsWith('/') && file !== '/dev/null');
    assert.deepEqual(files, []);
  });

  it('runs as a user of its own when the server is root, without any privilege', async () => {
    const isRoot = process.getuid?.() === 0;
    const own = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
    const uid = Number((await statusLine('Uid'))?.[0]);
    const expected = isRoot ? { uid, gid: uid } : own;
    assert.ok(!isRoot || (uid > 0 && uid !== (await findSystemUser('sortie-engine'))?.uid));
    assert.deepEqual(await statusLine('Uid'), Array(4).fill(String(expected.uid)));
    assert.deepEqual(await statusLine('Gid'), Array(4).fill(String(expected.gid)));
    if (isRoot) assert.deepEqual(await statusLine('Groups'), [String(expected.gid)]);
    for (const kind of ['CapInh', 'CapPrm', 'CapEff', 'CapAmb']) {
      assert.match(String(await statusLine(kind)), /^0+$/, kind);
    }
  });

  it('cannot gain privileges by a setuid program', async () => {
    assert.deepEqual(await statusLine('NoNewPrivs'), ['1']);
  });

  it('is the leader of a group, so that everything it starts ends with it', async () => {
    const stat = await read('stat');
    const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    assert.equal(Number(group), pid);
  });

  it('is killed within a few seconds when its run is cancelled', async () => {
    await cancel(world.server.baseUrl, run.starter, run.id);
    const took = await waitForEnd([pid]);
    assert.ok(took < FEW_SECONDS_MS, `${Math.round(took)} ms`);
  });

  it('is killed within a few seconds when the account is suspended', async () => {
    const { run, pid } = await beginWithEngine();
    await world.admin.account.suspend({ id: run.starter.accountId });
    const took = await waitForEnd([pid]);
    assert.ok(took < FEW_SECONDS_MS, `${Math.round(took)} ms`);
    await world.admin.account.resume({ id: run.starter.accountId });
  });

  it('ends with its run', async () => {
    const others = await childrenOf(node);
    const ended = await begin({ steps: [{ phase: 'RECON', milliseconds: 500 }] });
    await waitForStatus(world, ended, 'RECON');
    const engines = (await childrenOf(node)).filter((child) => !others.includes(child));
    assert.equal(engines.length, 1);
    await waitUntilOver(world, ended);
    await waitForEnd(engines);
  });
});

describe('a run goes on at its last finished step', { concurrency: 4 }, () => {
  for (const [how, what] of casesOf(
    [
      ['fault', 'when its engine meets an error of its own, and the log says which'],
      ['hang', 'when its engine hangs, and is killed for it'],
      ['memory', 'when its engine takes too much memory, and is killed for it'],
    ],
    [
      ['exit', 'when its engine exits'],
      ['kill', 'when its engine is killed'],
    ],
  )) {
    it(what, async () => {
      const steps: Script['steps'] = [
        { phase: 'RECON', requests: 100 },
        { phase: 'ENUMERATION', requests: 200 },
        { phase: 'WEB_TEST', requests: 300, milliseconds: 50, crash: { how, times: 1 } },
        { phase: 'REPORTING', requests: 400 },
      ];
      const run = await begin({ steps });
      const { status } = await waitUntilOver(world, run);
      assert.equal(status, 'COMPLETED');
      const { steps: done, meters, attempts } = await inspect(world, run);
      assert.deepEqual(
        done.map(({ name, epoch }) => [name, epoch]),
        [
          ['RECON/1', 1],
          ['ENUMERATION/2', 1],
          ['WEB_TEST/3', 2],
          ['REPORTING/4', 2],
        ],
      );
      assert.equal(meters.requests.used, 1_000);
      assert.equal(attempts, 1, 'since the last finished step');
      const cause = /"reason":"Error \| ENOENT .*\/proc\/sortie\/closed.*","msg":"internal error in an engine"/;
      if (how === 'fault') assert.match(node.log(), cause);
    });
  }

  if (isFull)
    it('four times at each of two steps: a step that was finished begins the count anew', async () => {
      const crash = { how: 'exit', times: 4 } as const;
      const run = await begin({
        steps: [
          { phase: 'RECON', crash },
          { phase: 'WEB_TEST', crash },
        ],
      });
      assert.equal((await waitUntilOver(world, run)).status, 'COMPLETED');
      const { steps } = await inspect(world, run);
      assert.deepEqual(
        steps.map(({ epoch }) => epoch),
        [5, 9],
      );
    });

  for (const [depth, reserved, charged] of casesOf(
    [['LEAD', 400, 134]],
    [
      ['STANDARD', 2_000, 60],
      ['DEEP', 6_000, 45],
    ],
  )) {
    it(`is ended after five deaths of its engine at the same step: CANCELLED, charged by its meters: ${depth}`, async () => {
      const steps: Script['steps'] = [
        { phase: 'RECON', requests: 1_000 },
        { phase: 'WEB_TEST', crash: { how: 'kill', times: 100 } },
      ];
      const run = await begin({ steps }, depth);
      const { status, credits } = await waitUntilOver(world, run);
      assert.equal(status, 'CANCELLED');
      assert.deepEqual(credits, { state: 'CHARGED', reserved, charged, returned: reserved - charged });
      assert.match(String((await inspect(world, run)).summary), /The test engine died 5 times at the same step/);
    });
  }

  if (isFull)
    it('is FAILED after five deaths of its engine before it has left VERIFYING, everything returned', async () => {
      const run = await begin({ steps: [{ phase: 'VERIFYING', crash: { how: 'exit', times: 100 } }] });
      const { status, credits } = await waitUntilOver(world, run);
      assert.equal(status, 'FAILED');
      assert.deepEqual(credits, { state: 'RETURNED', reserved: 400, charged: 0, returned: 400 });
    });

  it('is given up after five attempts that were lost with their workers: FAILED, everything returned', async () => {
    const steps: Script['steps'] = [
      { phase: 'RECON', requests: 1_000 },
      { phase: 'WEB_TEST', milliseconds: ENDLESS_MS },
    ];
    const run = await begin({ steps });
    await waitForStatus(world, run, 'WEB_TEST');
    // As workers would leave it that have taken it one after another and were lost.
    await world.testDatabase.database.pool.query(
      'update pentest set attempts = 5, lease_epoch = 5, lease_until = clock_timestamp() where id = $1',
      [run.id],
    );
    const { status, credits } = await waitUntilOver(world, run);
    assert.equal(status, 'FAILED');
    assert.deepEqual(credits, { state: 'RETURNED', reserved: 400, charged: 0, returned: 400 });
    const { lease, steps: done, summary } = await inspect(world, run);
    // Five attempts, the look that gave it up, and its end.
    assert.equal(lease.epoch, 5 + 1 + 1);
    assert.deepEqual(
      done.map(({ name }) => name),
      ['RECON/1'],
    );
    assert.match(String(summary), /Nothing was charged/);
  });
});

describe('the process of the scans', () => {
  const scanning = createScanning(() => world);
  const result = { failure: { code: 'UNREACHABLE', message: 'No answer.' } };

  it('serves many scans, one after the other and at once', async () => {
    const member = await world.createMember();
    await play(world, member, { scan: { milliseconds: 300, result } });
    const seen = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const ids = await Promise.all(Array.from({ length: 8 }, () => scanning.started(member)));
      const areOver = async () => {
        for (const pid of await childrenOf(node)) seen.add(pid);
        const scans = await Promise.all(ids.map((id) => scanning.readScan(member, id)));
        return scans.every(({ status }) => status === 'COMPLETED');
      };
      await waitFor(areOver, { what: 'the end of the scans' });
    }
    assert.equal(seen.size, 1, [...seen].join());
  });
});

describe('when its server is killed', () => {
  it('every engine ends, those of scans too, and nothing else of the server is left', async () => {
    const engines = [(await beginWithEngine()).pid, (await beginWithEngine()).pid];
    const all = await childrenOf(node);
    assert.equal(all.length, 3, 'two of pentests, one of scans');
    assert.ok(engines.every((pid) => all.includes(pid)));
    const uids = all.map((pid) => /^Uid:\s+(\d+)/m.exec(readNow(`/proc/${pid}/status`))?.[1]);
    assert.equal(new Set(uids).size, process.getuid?.() === 0 ? all.length : 1, 'a user of its own for each');
    await node.stop('SIGKILL');
    const took = await waitForEnd(all);
    assert.ok(took < FEW_SECONDS_MS, `${Math.round(took)} ms`);
  });
});

describe('after all of that,', () => {
  it('every run costs what it should', async () => {
    for (const { id, starter } of runs) await cancel(world.server.baseUrl, starter, id);
    await assertStatements(world, runs);
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
