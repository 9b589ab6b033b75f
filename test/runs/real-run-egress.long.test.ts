import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { checkInvariants } from '@sortie/testing/inside/server.ts';
import { createCrossroads, EXCLUDED, LOADED, type Roads, TOKEN } from '@sortie/testing/real-runs/crossroads.ts';
import {
  allowing,
  createRealStarter,
  egressOf,
  startReal,
  type Went,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { type RealTarget, startRealTarget } from '@sortie/testing/real-runs/targets.ts';
import { startBareServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { findingsOf } from '@sortie/testing/world/pentests.ts';
import { assertStatements } from '@sortie/testing/world/run-statements.ts';
import { inspect, type Run, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let target: RealTarget;
let neighbour: RealTarget;
/** Listens, but nobody may go there. */
let forbidden: TargetServer;
let udp: Socket;
let heardByUdp = 0;
let refused: string[];
let world: World;
let run: Run;
let egress: Went[];

before(async () => {
  forbidden = await startBareServer((socket) => socket.end());
  udp = createSocket('udp4').on('message', () => heardByUdp++);
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  neighbour = await startRealTarget(({ url: { pathname } }) => {
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
    return LOADED.some((place) => place.startsWith(pathname))
      ? { headers: { 'content-type': type }, body: '' }
      : undefined;
  });
  refused = [forbidden.url, 'http://169.254.169.254', 'http://10.0.0.1:8080', `http://[::1]:${forbidden.port}`];
  const roads: Roads = { neighbour: neighbour.url, refused, udpPort: udp.address().port };
  target = await startRealTarget(createCrossroads(roads));
  world = await createWorld({ env: allowing(target.port, neighbour.port), flags: withWorker });
  const starter = await createRealStarter(world, `${target.url}/`, { exclude: [EXCLUDED] });
  const credentials = [{ name: 'keeper', kind: 'BEARER_TOKEN' as const, user: 'keeper', pass: TOKEN }];
  run = await startReal(world, starter, { credentials });
  const { status } = await waitUntilOver(world, run);
  assert.equal(status, 'COMPLETED', String((await inspect(world, run)).summary));
  egress = await egressOf(world, run.id);
});
after(async () => {
  await world.end();
  await Promise.all([target.close(), neighbour.close(), forbidden.close()]);
  udp.close();
});

const paths = ({ visits }: RealTarget) => visits.map(({ url }) => url.pathname);
const pagesOpened = () => paths(neighbour).filter((path) => path === '/pixel.png').length;

/** Some are no text: a test may write them so. */
function decoded(path: string): string {
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (part) => Buffer.from(part.replaceAll('%', ''), 'hex').toString());
}

describe('where a real run went', () => {
  it('is the target and what its pages load from, exactly as often as these were asked', () => {
    const contacted = egress.filter(({ outcome }) => outcome === 'CONTACTED');
    const heard = [target, neighbour].map((server) => ({
      host: '127.0.0.1',
      port: server.port,
      address: '127.0.0.1',
      connections: server.connections(),
      requests: server.visits.length,
    }));
    assert.deepEqual(
      contacted.map(({ outcome, reason, ...went }) => went),
      heard.toSorted((one, other) => one.port - other.port),
    );
    assert.ok(target.visits.length > 100 && pagesOpened() >= 2, `${target.visits.length} requests`);
  });

  it('is what its meter says', async () => {
    const { meters } = await inspect(world, run);
    assert.equal(meters.requests.used, target.visits.length + neighbour.visits.length);
  });

  it('is never where it was refused to go: that is counted, and nobody heard of it', () => {
    assert.equal(forbidden.connections(), 0);
    for (const origin of refused) {
      const { hostname, port } = new URL(origin);
      const found = egress.filter((went) => went.host === hostname && went.port === Number(port || 80));
      assert.ok(
        found.length > 0 && found.every((went) => went.outcome === 'REFUSED' && went.connections === 0 && went.reason),
        `${origin}: ${JSON.stringify(found)}`,
      );
      assert.ok(found.every((went) => went.requests > 0));
    }
    const known = [target.port, ...refused.map((origin) => Number(new URL(origin).port || 80))];
    const others = egress.filter(({ outcome, port }) => outcome === 'REFUSED' && !known.includes(port));
    // What a page wants to send to another host, though it may load from it.
    assert.deepEqual(
      others.map(({ port, reason }) => ({ port, reason })),
      [{ port: neighbour.port, reason: `http://127.0.0.1:${neighbour.port} is not covered by the verification.` }],
    );
  });

  it('is nowhere by other ways than HTTP, which browsers have too', () => {
    assert.equal(heardByUdp, 0);
  });

  it('is no excluded path, however it is written and whoever leads there', () => {
    const seen = target.visits.map(({ url }) => decoded(url.pathname));
    assert.deepEqual(
      seen.filter((path) => path.includes('private') && path !== '/to-private'),
      [],
    );
    const excluded = egress.filter(({ reason }) => reason.includes('excluded'));
    assert.ok(excluded.length > 0 && excluded.every(({ port }) => port === target.port));
  });
});

describe('every request of a real run', () => {
  it('says who sends it, and for which run, whatever a page wants it to say', () => {
    const visits = [...target.visits, ...neighbour.visits];
    assert.ok(paths(target).includes('/forged'), 'the page has tried');
    for (const { url, headers } of visits) {
      assert.match(headers['user-agent'] ?? '', /^Sortie\/1\.0 \(security scan; /, url.href);
      assert.equal(headers['x-sortie-run'], run.id, url.href);
    }
  });

  it('to another host is what a page loads, and no attack; nothing of the target or the account goes along', () => {
    const asked = neighbour.visits.map(({ url }) => url.pathname + url.search);
    assert.deepEqual([...new Set(asked)].toSorted(), LOADED);
    for (const { headers, body } of neighbour.visits) {
      assert.equal(headers.cookie, undefined);
      assert.equal(headers.authorization, undefined);
      assert.doesNotMatch(JSON.stringify([headers, body]), /onerror|token-of|crossroads-of/);
    }
  });

  it('has tested the target as well: its flaw was found for everybody and for the account', async () => {
    const { findings } = await findingsOf(world.server.baseUrl, run.starter, run.id);
    const proved = findings.filter(({ confidence }) => confidence === 'CONFIRMED');
    const seen = proved.map(({ cweId, affectedUrl }) => `${cweId} ${new URL(affectedUrl ?? '').pathname}`);
    assert.deepEqual(seen.toSorted(), ['CWE-79 /mine', 'CWE-79 /show']);
  });
});

describe('after all of that,', () => {
  it('the run costs what its work does by the formula', async () => {
    await assertStatements(world, [run]);
    assert.deepEqual(await checkInvariants(world.testDatabase.database.queries), []);
  });
});
