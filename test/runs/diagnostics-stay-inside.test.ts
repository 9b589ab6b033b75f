import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '@sortie/contract';
import { call } from '@sortie/testing/http/call.ts';
import { createStarter, type Starter, setStatus, startPentest } from '@sortie/testing/world/pentests.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const root = path.resolve(import.meta.dirname, '../..');
const CANARY = 'canary-of-diagnostics';
const FINDING = 'fnd_diagnosed';

let world: World;
let owner: Starter;
let run: string;
before(async () => {
  world = await createWorld({ env: manyRequests });
  owner = await createStarter(world);
  run = await startPentest(world.server.baseUrl, owner, { ...owner.target, depth: 'LEAD' });
  await setStatus(world, run, 'COMPLETED');
  const { queries } = world.testDatabase.database;
  const finding = { title: 'SQL injection', severity: 'HIGH', confidence: 'CONFIRMED', fingerprint: 'print' } as const;
  await queries
    .insertInto('pentest_finding')
    .values({ ...finding, id: FINDING, pentest_id: run })
    .execute();
  await queries
    .insertInto('diagnostic')
    .values({
      pentest_id: run,
      epoch: 1,
      event: 'JUDGED',
      checks: [CANARY],
      method: 'GET',
      url: `https://shop.example/${CANARY}`,
      parameter: CANARY,
      location: 'query',
      account: CANARY,
      verdict: 'REFUTED',
      reason: CANARY,
      requests: JSON.stringify([{ label: CANARY, request: CANARY, outcome: CANARY }]),
    })
    .execute();
});
after(() => world.end());

describe('diagnostics of a run', () => {
  it('are shown to operators', async () => {
    assert.ok(JSON.stringify(await world.admin.run.trace({ run })).includes(CANARY));
  });

  for (const endpoint of Object.values(endpoints).filter(({ method }) => method === 'GET')) {
    it(`are not in the answer of GET ${endpoint.path}`, async () => {
      const { baseUrl } = world.server;
      const isOfRun = endpoint.path.startsWith('/v1/pentests/');
      const address = endpoint.path.replace('{findingId}', FINDING).replace(/\{\w+\}/, run);
      const { status, text } = await call(baseUrl + address, { key: owner.apiKey });
      if (isOfRun) assert.equal(status, 200, text);
      assert.ok(!text.includes(CANARY) && !/diagnostic/i.test(text), text);
    });
  }

  it('are no word of the contract, the SDK, the reports or the sandbox', () => {
    const files = globSync('packages/{contract,sdk,report,server/src/sandbox}/**/*.ts', { cwd: root });
    const sources = files.filter((file) => !file.includes('node_modules'));
    assert.ok(sources.length > 30);
    assert.deepEqual(
      sources.filter((file) => /diagnostic/i.test(readFileSync(path.join(root, file), 'utf8'))),
      [],
    );
  });

  it('are read by the command of operators only', () => {
    const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
    const mentioning = (word: RegExp) =>
      files
        .filter((file) => word.test(readFileSync(path.join(root, file), 'utf8')))
        .map((file) => file.replace('packages/server/src/', ''))
        .toSorted();
    const own = ['pentests/diagnostics.ts', 'pentests/pentests.ts'];
    assert.deepEqual(mentioning(/readDiagnostics/), ['admin/run.ts', ...own]);
    assert.deepEqual(mentioning(/From\('diagnostic/), ['pentests/diagnostics.ts']);
    assert.deepEqual(mentioning(/run\.trace|\btrace\(/), ['admin/run.ts']);
  });
});
