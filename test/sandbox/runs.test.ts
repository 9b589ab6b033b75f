import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { confidences, severities } from '@sortie/contract';
import { call } from '@sortie/testing/http/call.ts';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import { observeRuns, readChanges } from '@sortie/testing/runs-survive/observer.ts';
import {
  type Client,
  createClient,
  follow,
  followScan,
  idOf,
  pentestStart,
  type Seen,
  scanFindingsOf,
  scanStart,
} from '@sortie/testing/server/sandbox.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { findingOf, findingsOf } from '@sortie/testing/world/pentests.ts';
import { cancel, manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;

/** Each may have ten pentests at once. */
let clients: [Client, Client];

before(async () => {
  world = await createWorld({ env: manyRequests });
  clients = [await createClient(world), await createClient(world)];
  await observeRuns(world.testDatabase);
});
after(() => world.end());

type Depth = 'LEAD' | 'STANDARD';

const isCompleted = ({ status }: Seen) => status === 'COMPLETED';
const isReleased = (seen: Seen) => isCompleted(seen) && seen.reportReleased;
const shows = (status: string) => (seen: Seen) => seen.status === status;

let begun = 0;

async function begin(story: string, depth: Depth = 'LEAD'): Promise<{ client: Client; id: string }> {
  const client = clients[begun++ % 2 === 0 ? 0 : 1];
  return { client, id: idOf(await pentestStart(world, client, story, depth)()) };
}

/** Until the client sees what it waits for. */
async function playUntil(story: string, isThere: (seen: Seen) => boolean, depth: Depth = 'LEAD') {
  const { client, id } = await begin(story, depth);
  return { client, id, ...(await follow(world, client, id, isThere)) };
}

const readFindings = (client: Client, id: string, query: Record<string, string> = {}) =>
  findingsOf(world.server.baseUrl, client, id, query);

const stateOfReview = async (id: string) => (await world.admin.run.show({ run: id })).review?.state;

const pentests = () => {
  for (const depth of ['LEAD', 'STANDARD'] as const) {
    it(`released-clean ends without findings at the level ${depth}`, async () => {
      const { client, id, statuses, last } = await playUntil('released-clean', isReleased, depth);
      assert.equal(statuses.at(-1), 'COMPLETED');
      assert.equal(last.credits.state, 'CHARGED');
      assert.deepEqual(await readFindings(client, id), {
        id,
        reportReleased: true,
        total: 0,
        nextOffset: null,
        findings: [],
      });
    });
  }

  it('released-findings has each severity with each confidence', async () => {
    const { client, id } = await playUntil('released-findings', isReleased);
    const { total, findings } = await readFindings(client, id);
    const kinds = findings.map(({ severity, confidence }) => `${severity} ${confidence}`);
    assert.equal(total, 15);
    assert.deepEqual(
      kinds,
      severities.flatMap((severity) => confidences.map((confidence) => `${severity} ${confidence}`)),
    );
    assert.equal(findings[0]?.cvssScore, '9.8');
    assert.deepEqual(
      [findings[0]?.checkId, findings[0]?.owaspCategory, findings[0]?.location],
      ['sandbox-critical', 'A03:2021 Injection', 'query'],
    );
    assert.ok(findings[0]?.cvssVector && findings[0].references.length > 0);
    assert.deepEqual([findings.at(-1)?.checkId, findings.at(-1)?.references], [null, []]);
    assert.deepEqual([findings.at(-1)?.description, findings.at(-1)?.cvssScore], [null, null]);
  });

  it('released-findings has evidence with highlights and curl, except where every field is null', async () => {
    const { client, id } = await playUntil('released-findings', isReleased);
    const { findings } = await readFindings(client, id);
    const read = (finding = findings[0]) => findingOf(world.server.baseUrl, client, id, finding?.id ?? '');
    const { evidence, curl } = await read();
    const marked = evidence.map(({ request, highlights }) =>
      highlights.request.map(({ start, end }) => request.slice(start, end)),
    );
    assert.deepEqual(marked, [[], ['tea%27']]);
    assert.deepEqual(
      evidence.map(({ isDecisive, isControl }) => [isDecisive, isControl]),
      [
        [false, true],
        [true, false],
      ],
    );
    assert.match(curl ?? '', /^curl .*'https:\/\/released-findings\.sandbox\.example\/critical-confirmed\?q=tea%27'$/);
    const bare = await read(findings.at(-1));
    assert.deepEqual([bare.evidence, bare.curl], [[], null]);
  });

  it('released-many-findings has more than one page', async () => {
    const { client, id } = await playUntil('released-many-findings', isReleased);
    const first = await readFindings(client, id, { limit: '100' });
    const second = await readFindings(client, id, { limit: '100', offset: String(first.nextOffset) });
    assert.deepEqual(
      [first.total, first.findings.length, second.findings.length, second.nextOffset],
      [120, 100, 20, null],
    );
  });

  it('findings-fill-in shows findings before it is over', async () => {
    const { client, id } = await begin('findings-fill-in');
    assert.deepEqual((await readFindings(client, id)).reportReleased, true);
    const { last } = await follow(world, client, id, isCompleted);
    assert.equal((await readFindings(client, id)).total, 4);
    const found = await world.testDatabase.database.queries
      .selectFrom('pentest_finding')
      .select('created_at as at')
      .where('pentest_id', '=', id)
      .execute();
    const times = found.map(({ at }) => at.getTime());
    assert.ok(Math.max(...times) - Math.min(...times) >= 2_000, 'one after the other');
    assert.ok(found.every(({ at }) => at < new Date(last.completedAt ?? 0)));
  });

  it('review-pending stays completed and unreleased', async () => {
    const { client, id, last } = await playUntil('review-pending', isCompleted, 'STANDARD');
    assert.deepEqual([last.reportReleased, last.credits.state, last.credits.charged], [false, 'RESERVED', null]);
    assert.equal((await readFindings(client, id)).total, null);
    assert.equal(await stateOfReview(id), 'WAITING');
  });

  it('review-released is signed off some seconds after the run', async () => {
    const { client, id, last } = await playUntil('review-released', isReleased, 'STANDARD');
    assert.equal(last.credits.state, 'CHARGED');
    assert.equal((await readFindings(client, id)).total, 1);
    const { review, completedAt } = await world.admin.run.show({ run: id });
    assert.ok(Number(review?.decidedAt) - Number(completedAt) >= 3_000);
  });

  it('review-rejected looks like one that is pending', async () => {
    const { client, id, last } = await playUntil('review-rejected', isCompleted, 'STANDARD');
    await waitFor(async () => (await stateOfReview(id)) === 'REJECTED', { what: 'the rejection' });
    const later = await follow(world, client, id, () => true);
    assert.deepEqual(later.last, last);
    assert.equal(later.last.reportReleased, false);
  });

  it('failed ends before anything was tested, and costs nothing', async () => {
    const { client, id, last } = await playUntil('failed', shows('FAILED'), 'STANDARD');
    assert.deepEqual(last.credits, { state: 'RETURNED', reserved: 2_000, charged: 0, returned: 2_000 });
    assert.equal((await readFindings(client, id)).total, 0);
  });

  it('failed-late shows what was found, and costs nothing', async () => {
    const { client, id, last } = await playUntil('failed-late', shows('FAILED'), 'STANDARD');
    assert.equal(last.credits.state, 'RETURNED');
    assert.ok(last.reportReleased);
    assert.equal((await readFindings(client, id)).total, 1);
  });

  it('cancelled-with-charge costs the work it got through', async () => {
    const { client, id, last } = await playUntil('cancelled-with-charge', shows('CANCELLED'));
    assert.deepEqual(last.credits, { state: 'CHARGED', reserved: 400, charged: 160, returned: 240 });
    assert.equal((await readFindings(client, id)).total, 1);
  });

  it('queued waits until it is cancelled, and then costs nothing', async () => {
    const { client, id } = await begin('queued');
    const { body } = await cancel(world.server.baseUrl, client, id);
    assert.deepEqual(body, { success: true, status: 'CANCELLED' });
    const { last } = await follow(world, client, id, shows('CANCELLED'));
    assert.deepEqual([last.startedAt, last.credits.state], [null, 'RETURNED']);
  });

  it('runs-until-cancelled needs a cancel with its length', async () => {
    const { client, id } = await playUntil('runs-until-cancelled', shows('WEB_TEST'));
    const path = `${world.server.baseUrl}/v1/pentests/${id}/cancel`;
    const refused = await call(path, { method: 'POST', key: client.apiKey });
    assert.deepEqual([refused.status, refused.text], [411, '']);
    assert.deepEqual((await cancel(world.server.baseUrl, client, id)).body, { success: true, status: 'CANCELLED' });
    const { last } = await follow(world, client, id, shows('CANCELLED'));
    assert.deepEqual([last.credits.state, last.credits.charged], ['CHARGED', 160]);
  });

  it('paused stays so, and can be cancelled for what it got through', async () => {
    const { client, id, last } = await playUntil('paused', shows('PAUSED'));
    assert.equal(last.credits.state, 'RESERVED');
    assert.deepEqual((await cancel(world.server.baseUrl, client, id)).body, { success: true, status: 'CANCELLED' });
    assert.equal((await follow(world, client, id, shows('CANCELLED'))).last.credits.charged, 80);
  });

  it('unknown-status passes through a status that the contract does not have', async () => {
    const { id, last } = await playUntil('unknown-status', isReleased);
    // A client that is held up for three seconds would miss it.
    const changes = (await readChanges(world.testDatabase)).filter(({ runId }) => runId === id);
    const shown = new Set(changes.map(({ to }) => to));
    assert.deepEqual([...shown], ['QUEUED', 'VERIFYING', 'RECON', 'CALIBRATION', 'COMPLETED']);
    assert.equal(last.credits.state, 'CHARGED');
  });

  it('unknown-status-stays keeps it, and can be cancelled', async () => {
    const { client, id, last } = await playUntil('unknown-status-stays', shows('CALIBRATION'));
    assert.deepEqual([last.completedAt, last.credits.state], [null, 'RESERVED']);
    assert.deepEqual((await cancel(world.server.baseUrl, client, id)).body, { success: true, status: 'CANCELLED' });
  });
};

const scans = () => {
  async function scan(story: string) {
    const [client] = clients;
    const id = idOf(await scanStart(world, client, story)());
    const completed = await followScan(world, client, id);
    return { ...completed, findings: (await scanFindingsOf(world, client, id)).findings };
  }

  it('scan-clean has the best score', async () => {
    const { score, grade, findingCounts, findings } = await scan('scan-clean');
    assert.deepEqual([score, grade, findingCounts?.total, findings], [100, 'A+', 0, []]);
  });

  for (const [story, score, grade, total] of [
    ['scan-warnings', 89, 'B', 3],
    ['scan-findings', 9, 'F', 5],
  ] as const) {
    it(`${story} lists failing checks whose impacts add up to its score`, async () => {
      const scanned = await scan(story);
      assert.deepEqual([scanned.score, scanned.grade, scanned.findingCounts?.total], [score, grade, total]);
      assert.equal(scanned.findings.length, total);
      assert.equal(100 - scanned.findings.reduce((sum, { scoreImpact }) => sum + scoreImpact, 0), score);
    });
  }

  it('scan-failed completes without a score and says why', async () => {
    const { score, grade, findingCounts, failure } = await scan('scan-failed');
    assert.deepEqual([score, grade, findingCounts, failure?.code], [null, null, null, 'TARGET_UNREACHABLE']);
  });

  it('scan-slow is under way for some seconds', async () => {
    const { score, createdAt, completedAt } = await scan('scan-slow');
    assert.equal(score, 100);
    assert.ok(Date.parse(completedAt ?? '') - Date.parse(createdAt) >= 6_000);
  });
};

describe('the sandbox', { concurrency: true }, () => {
  describe('plays pentests', { concurrency: true }, pentests);
  describe('plays scans', { concurrency: true }, scans);
});

describe('after the stories', () => {
  it('every credit is accounted for', async () => {
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
