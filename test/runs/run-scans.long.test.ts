import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { ScanResult } from '@sortie/engine';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { shortLease } from '@sortie/testing/server/short-lease.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { startWebServer } from '@sortie/testing/targets/target-servers.ts';
import { play, type Script } from '@sortie/testing/world/runs.ts';
import { createScanning } from '@sortie/testing/world/scans.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  const env = { ...manyRequests, ...shortLease(2_000), SORTIE_ALLOW_ADDRESSES: '127.0.0.0/8' };
  world = await createWorld({ env, flags: ['--no-demo', '--role', 'all'] });
});
after(() => world.end());

const judgedResult: ScanResult = {
  score: 77,
  grade: 'C',
  checks: { passed: 38, failed: 1, notApplicable: 4, notRun: 1 },
  notRun: [{ checkId: 'cors-wildcard', reason: 'The site turned it away.' }],
  findings: [
    {
      checkId: 'tls-version',
      title: 'Old TLS',
      description: 'What it is.',
      severity: 'HIGH',
      confidence: 'CONFIRMED',
      category: 'tls',
      affectedUrl: 'https://www.example.com/',
      evidence: 'TLS 1.0',
      remediation: 'Turn it off.',
      cwe: 326,
      scoreImpact: 23,
      references: ['https://www.example.com/tls'],
    },
  ],
};
describe('a scan: STARTED → COMPLETED', () => {
  const scanning = createScanning(() => world);
  const failure = { code: 'UNREACHABLE', message: 'No answer.' };
  const notJudged = { score: null, grade: null, findingCounts: null, checks: null, notRunReasons: [] };

  async function scanWith(scan: Script['scan'] | undefined) {
    const member = await world.createMember();
    if (scan) await play(world, member, { scan });
    return scanUrl(member, `https://${randomUUID()}.example.com/`);
  }

  async function scanUrl(member: Member, url: string) {
    const id = await scanning.started(member, url);
    let read: Record<string, unknown> = {};
    const look = async () => {
      read = await scanning.readScan(member, id);
      assert.equal(read.completedAt === null, read.status === 'STARTED');
      return read.status === 'COMPLETED';
    };
    await waitFor(look, { what: () => `the end of ${JSON.stringify(read)}`, withinMs: 60_000 });
    const { score, grade, findingCounts, checks, notRunReasons } = read;
    return {
      judgement: { score, grade, findingCounts, checks, notRunReasons },
      failure: read.failure as typeof failure | null,
    };
  }

  it('with a judgement', async () => {
    const scan = await scanWith({ milliseconds: 200, result: judgedResult });
    assert.equal(scan.failure, null);
    assert.deepEqual(scan.judgement, {
      score: 77,
      grade: 'C',
      findingCounts: { critical: 0, high: 1, medium: 0, low: 0, info: 0, total: 1 },
      checks: { run: 39, passed: 38, failed: 1, notApplicable: 4, notRun: 1 },
      notRunReasons: [{ checkId: 'cors-wildcard', reason: 'The site turned it away.' }],
    });
  });

  it('with a failure, when the page could not be gathered', async () => {
    assert.deepEqual(await scanWith({ result: { failure } }), { judgement: notJudged, failure });
  });

  it('with a failure that says so, when the site cannot be reached', async () => {
    const scan = await scanWith(undefined);
    assert.deepEqual([scan.judgement, scan.failure?.code], [notJudged, 'TARGET_UNREACHABLE']);
  });

  it('with a failure, and without a look, when the owner of the host wants no scans', async () => {
    await world.admin.optout.add({ host: 'unwanted.example.com' });
    const member = await world.createMember();
    const id = await scanning.started(member, 'https://www.unwanted.example.com/');
    const isOver = async () => (await scanning.readScan(member, id)).status === 'COMPLETED';
    await waitFor(isOver, { what: 'the end of the scan', withinMs: 60_000 });
    const { failure, score } = await scanning.readScan(member, id);
    assert.deepEqual([(failure as { code: string }).code, score], ['TARGET_OPTED_OUT', null]);
    const { rows } = await world.testDatabase.database.pool.query('select from egress where run_id = $1', [id]);
    assert.equal(rows.length, 0);
  });

  it('with a failure, when it leads to a host whose owner wants no scans: nobody goes there', async () => {
    const unwanted = await startWebServer((_, response) => response.end('hello'), '127.0.0.29');
    const leading = await startWebServer((_, response) => response.writeHead(302, { location: unwanted.url }).end());
    await world.admin.optout.add({ host: '127.0.0.29' });
    const { failure, judgement } = await scanUrl(await world.createMember(), leading.url);
    assert.deepEqual([failure?.code, judgement], ['TARGET_REFUSED', notJudged]);
    assert.match(failure?.message ?? '', /^The owner of 127\.0\.0\.29 has opted out of scans\./);
    assert.deepEqual([leading.connections(), unwanted.connections()], [1, 0]);
    await Promise.all([leading, unwanted].map((server) => server.close()));
  });

  if (isFull)
    it('with its judgement, when its engine ended twice before', async () => {
      const scan = await scanWith({ crash: { how: 'exit', times: 2 }, result: judgedResult });
      assert.deepEqual([scan.judgement.score, scan.failure], [77, null]);
    });

  if (isFull)
    it('with a failure of ours, when its engine ends each time', async () => {
      const scan = await scanWith({ crash: { how: 'exit', times: 100 }, result: judgedResult });
      assert.deepEqual([scan.judgement, scan.failure?.code], [notJudged, 'ENGINE_FAILED']);
    });

  it('with its judgement, although the engine ends each time because of another scan', async () => {
    const crash = { how: 'exit', times: 100 } as const;
    const [long, broken] = await Promise.all([
      scanWith({ milliseconds: 4_000, result: judgedResult }),
      scanWith({ milliseconds: 300, crash, result: judgedResult }),
    ]);
    assert.equal(broken.failure?.code, 'ENGINE_FAILED');
    assert.deepEqual([long.judgement.score, long.failure], [77, null]);
  });
});
