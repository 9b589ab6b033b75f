import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { globalSetup, globalTeardown } from '@sortie/testing/database/cluster.ts';
import { TEST_CLUSTER_VARIABLE, type TestCluster } from '@sortie/testing/database/test-cluster.ts';
import type { Answer } from '@sortie/testing/http/call.ts';
import { createMirror, tellTale } from '@sortie/testing/real-runs/mirror.ts';
import { plantEvidence, plantFile, plantProcess, printTexts } from '@sortie/testing/real-runs/planted-secrets.ts';
import {
  allowing,
  type Credentials,
  closedPort,
  createRealStarter,
  descendantsOf,
  rowsOf,
  startReal,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { askAll, retestSome, writeReports } from '@sortie/testing/real-runs/run-texts.ts';
import {
  createAccounts,
  logEveryStatement,
  readTemporaryFiles,
  watchPassing,
} from '@sortie/testing/real-runs/secrets.ts';
import { type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { readPdf } from '@sortie/testing/reports/read-pdf.ts';
import { createCanaries, credentialsOfEveryKind } from '@sortie/testing/secrets/canaries.ts';
import { dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { plantedForms } from '@sortie/testing/secrets/plants.ts';
import {
  readArguments,
  readDatabaseFiles,
  readDatabaseLog,
  readEnvironments,
  readFolder,
} from '@sortie/testing/secrets/surfaces.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { partsOfKey } from '@sortie/testing/world/key-text.ts';
import { inspect, RUN_WITHIN_MS, type Run, readRun, waitForStatus, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { cancel } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const secrets = createCanaries();
const labels = createCanaries();
const { credentials, accounts } = createAccounts(secrets);
const [formAccount] = credentials;
const wrong: Credentials = [{ name: 'wrong', user: secrets.create('wrong user'), pass: secrets.create('wrong pass') }];

/** Also searched for in lower case, as a host name has it. */
const hostSecrets = createCanaries();
const inHost: Credentials = [{ name: 'host', user: 'nobody-at-all', pass: hostSecrets.create('pass', 'url') }];

const mirror = createMirror(accounts);
let shared: string | undefined;
let since: Date;
let target: RealTarget;
/** The same, for a run that is interrupted. */
let fragile: RealTarget;
let doubtful: RealTarget;
let telling: RealTarget;
let world: World;
let closed: number;
const answers: Answer[] = [];
/** Of the run that finds flaws, in every format. */
let reports: string[] = [];
let pdf: Buffer;
const runs: Record<string, Run> = {};
const apiKeys: Record<string, string> = {};
let passing: ReturnType<typeof watchPassing>;

before(async () => {
  // A database server of its own, whose files hold nothing but what this test has brought there.
  shared = process.env[TEST_CLUSTER_VARIABLE];
  await globalSetup();
  await logEveryStatement((JSON.parse(process.env[TEST_CLUSTER_VARIABLE] ?? '') as TestCluster).connection);
  closed = await closedPort();
  target = await startRealTarget(mirror.answer);
  fragile = await startRealTarget(createMirror(accounts).answer);
  doubtful = await startRealTarget(createMirror(accounts).answer);
  telling = await startRealTarget(tellTale);
  const env = {
    ...allowing(target.port, fragile.port, doubtful.port, telling.port, closed),
    SORTIE_LOG_LEVEL: 'debug',
    SORTIE_PENTEST_SLOTS: '4',
    ...shortLease(3_000),
  };
  world = await createWorld({ env, flags: withWorker, isOwnProcess: true });
  // The clock of a file system is a coarse one.
  since = new Date(Date.now() - 1_000);
  passing = watchPassing(since, [secrets, hostSecrets]);
});
after(async () => {
  await passing.stop();
  await world.end();
  await Promise.all([target, fragile, doubtful, telling].map((each) => each.close()));
  await globalTeardown();
  process.env[TEST_CLUSTER_VARIABLE] = shared;
});

async function begin(what: string, url: string, accounts: Credentials): Promise<Run> {
  const starter = await createRealStarter(world, `${url}/`);
  apiKeys[`API key of ${what}`] = partsOfKey(starter.apiKey).secret;
  const run = await startReal(world, starter, { credentials: accounts });
  runs[what] = run;
  return run;
}

const summaryOf = async (run: Run) => String((await inspect(world, run)).summary);

/** The engines that the server has now. */
const enginesOf = async () =>
  (await descendantsOf(world.server.child.pid)).filter(({ command }) => command.includes('engine/bin/engine.js'));

/** Before the others: an engine cannot be told from another one from outside. */
describe('a run with secrets against a target that shows them', () => {
  it('is crashed, goes on, and is cancelled', async () => {
    assert.ok(formAccount);
    const others = await enginesOf();
    const run = await begin('crash', fragile.url, [formAccount]);
    const hasWorked = () => fragile.visits.some(({ url }) => url.pathname === '/form/echo');
    await waitFor(hasWorked, { what: 'the first page that only the account sees', withinMs: 40_000 });
    const engines = (await enginesOf()).filter(({ pid }) => !others.some((other) => other.pid === pid));
    assert.equal(engines.length, 1);
    for (const { pid } of engines) process.kill(pid, 'SIGKILL');
    await waitFor(async () => (await inspect(world, run)).lease.epoch === 2, { what: 'the next attempt' });
    await waitForStatus(world, run, 'WEB_TEST');
    await cancel(world.server.baseUrl, run.starter, run.id);
    assert.equal((await readRun(world, run)).status, 'CANCELLED');
  });
});

describe('runs with secrets against a target that shows them', { concurrency: 5 }, () => {
  it('log in with every kind of account that can be used, and find flaws in pages full of secrets', async () => {
    const run = await begin('success', target.url, credentials);
    // Six accounts and four other runs at once, and pages that take their time to be masked.
    const { status } = await waitUntilOver(world, run, 3 * RUN_WITHIN_MS);
    assert.equal(status, 'COMPLETED', await summaryOf(run));
    for (const { name } of credentials) {
      const seen = target.visits.filter(({ url }) => url.pathname.startsWith(`/${name}/`));
      assert.ok(seen.length > 0, `${name} was inside`);
    }
    const [kept] = await rowsOf<{ flaws: number; exchanges: number; masked: number }>(
      world,
      `select count(distinct fingerprint)::integer as flaws, count(*)::integer as exchanges,
         (count(*) filter (where response like '%[redacted]%'))::integer as masked
       from evidence join pentest_finding using (pentest_id, fingerprint)
       where pentest_id = $1 and confidence = 'CONFIRMED'`,
      [run.id],
    );
    assert.ok(kept && kept.flaws >= 8 && kept.masked === kept.exchanges, JSON.stringify(kept));
  });

  it('fail to log in', async () => {
    const run = await begin('wrong password', doubtful.url, wrong);
    const { status } = await waitUntilOver(world, run);
    const summary = await summaryOf(run);
    assert.equal(status, 'FAILED', summary);
    assert.match(summary, /"wrong" could not log in\..*\[redacted\]/s);
  });

  it('are sent to a host that has a password as its name', async () => {
    const run = await begin('host', telling.url, inHost);
    const { status } = await waitUntilOver(world, run);
    assert.equal(status, 'FAILED', await summaryOf(run));
    assert.equal(telling.visits.filter(({ method }) => method === 'POST').length, 1);
  });

  it('do not reach their target', async () => {
    const run = await begin('unreachable', `http://127.0.0.1:${closed}`, credentials);
    assert.equal((await waitUntilOver(world, run)).status, 'FAILED');
  });

  it('have accounts that the target does not know, with every field', async () => {
    const run = await begin('every field', doubtful.url, credentialsOfEveryKind(secrets, labels));
    assert.equal((await waitUntilOver(world, run)).status, 'FAILED');
  });
});

describe('the secrets of test accounts and keys', () => {
  const database = () => world.testDatabase.database;
  const surfaces: Record<string, () => Promise<Buffer>> = {
    answers: async () => Buffer.from(answers.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n')),
    reports: async () => Buffer.from(reports.join('\n')),
    'PDF report': () => readPdf(pdf),
    logs: async () => Buffer.from(world.server.log()),
    tables: () => dumpTables(database()),
    'database files': () => readDatabaseFiles(database(), since),
    'database log': () => readDatabaseLog(database()),
    'data folder': () => readFolder(world.server.dataDir),
    arguments: readArguments,
    environments: readEnvironments,
    'temporary files': () => readTemporaryFiles(since),
  };

  const sessions = () => Object.fromEntries([...mirror.sessions].map((each, number) => [`session ${number}`, each]));

  before(async () => {
    await passing.stop();
    assert.ok(runs.success);
    const retested = await retestSome(world, runs.success);
    assert.ok(retested.length >= 4 && retested.some((each) => each.startsWith('STILL_THERE')), retested.join());
    for (const run of Object.values(runs)) answers.push(...(await askAll(world, run)));
    ({ texts: reports, pdf } = await writeReports(world, runs.success));
    assert.equal(reports.filter((text) => text.includes('[redacted]')).length, reports.length, 'evidence was reported');
    assert.ok((await readPdf(pdf)).includes('[redacted]'), 'evidence was printed');
    const isRead = answers.some(({ text }) => text.includes('"highlights":'));
    assert.ok(isRead, 'evidence was read');
    const hasCapsule = answers.some(({ text }) => /"capsule":\{.*"oracle":/s.test(text));
    assert.ok(hasCapsule, 'capsules were read');
  });

  it('have reached the target, which has shown them', () => {
    assert.ok(mirror.sessions.size > 0);
    for (const { user, pass, name } of credentials) {
      const text = [...mirror.kept].join('\n');
      const isThere = text.includes(pass) || text.includes(Buffer.from(`${user}:${pass}`).toString('base64'));
      assert.ok(isThere, name);
    }
  });

  for (const [surface, read] of Object.entries(surfaces)) {
    it(`are not in the ${surface}`, async () => {
      const bytes = await read();
      const hidden = { 'secret of an account': secrets.mark, ...apiKeys, ...sessions() };
      assert.deepEqual(findLeaks(bytes, hidden), [], describeLeaks(bytes));
    });
  }

  for (const surface of ['answers', 'logs', 'tables']) {
    it(`are not in the ${surface} in lower case either, as a host name has them`, async () => {
      const text = String(await surfaces[surface]?.()).toLowerCase();
      const at = text.indexOf(hostSecrets.mark.toLowerCase());
      assert.equal(at, -1, text.slice(Math.max(0, at - 300), at + 100));
    });
  }

  it('were nowhere while engines and browsers were at work', () => {
    const { found, seen } = passing;
    assert.ok(seen.looks > 10 && seen.engines > 5 && seen.pages > 0 && seen.profiles > 0, JSON.stringify(seen));
    assert.deepEqual(found, { arguments: [], environments: [], 'temporary files': [] });
  });

  const asEvidence = (texts: string[], search: () => Promise<void>) =>
    plantEvidence(database().pool, runs.success?.id, texts, search);
  const plants: Record<string, (texts: string[], search: () => Promise<void>) => Promise<void>> = {
    async answers(texts, search) {
      answers.push({ status: 200, headers: {}, text: texts.join('\n'), body: undefined });
      await search();
      answers.pop();
    },
    async reports(texts, search) {
      reports.push(texts.join('\n'));
      await search();
      reports.pop();
    },
    async 'PDF report'(texts, search) {
      const printed = pdf;
      pdf = await printTexts(texts);
      await search().finally(() => {
        pdf = printed;
      });
    },
    async logs(texts, search) {
      world.server.child.stderr?.emit('data', Buffer.from(`${texts.join(' ')}\n`));
      await search();
    },
    tables: asEvidence,
    'database files': asEvidence,
    'database log': asEvidence,
    'data folder': (texts, search) => plantFile(world.server.dataDir, texts, search),
    arguments: (texts, search) => plantProcess({ parameters: texts }, search),
    environments: (texts, search) => plantProcess({ env: { LEAK: texts.join(' ') } }, search),
    async 'temporary files'(texts, search) {
      const folder = await mkdtemp(path.join(tmpdir(), 'playwright_chromiumdev_profile-'));
      await plantFile(folder, texts, search).finally(() => rm(folder, { recursive: true, force: true }));
    },
  };

  for (const [surface, plant] of Object.entries(plants)) {
    it(`are found in the ${surface} when they are put there, in every form`, async () => {
      const leaks = Object.entries(plantedForms).map(([form, write]) => {
        const canaries = createCanaries();
        return { form, mark: canaries.mark, text: write(canaries.create(form)) };
      });
      const marks = Object.fromEntries(leaks.map(({ form, mark }) => [form, mark]));
      await plant(
        leaks.map(({ text }) => text),
        async () => {
          const found = findLeaks((await surfaces[surface]?.()) ?? '', marks).map(({ canary }) => canary);
          assert.deepEqual([...new Set(found)], Object.keys(plantedForms));
        },
      );
    });
  }
});

/** Where in it, with what stands around. */
function describeLeaks(bytes: Buffer): string {
  const [leak] = findLeaks(bytes, { secret: secrets.mark });
  const around = leak ? bytes.subarray(Math.max(0, leak.at - 300), leak.at + 150).toString('latin1') : '';
  return `${secrets.findIn(bytes).join('\n')}\n${around}`;
}
