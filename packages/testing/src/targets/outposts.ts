import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { EgressEntry } from '../../../engine/src/protocol/egress-entry.ts';
import { type Played, pentestOrder, playPentest } from '../engine/pentest-orders.ts';
import { type RealTarget, startRealTarget } from '../real-runs/targets.ts';
import { type NameServer, startNameServer } from './name-server.ts';
import { startBareServer, type TargetServer } from './target-servers.ts';
import { createWaysOut } from './ways-out.ts';

const NAME = 'shop.test';

/** All servers around a run, and the traffic they received. */
export interface Outposts {
  target: RealTarget;
  /** Out of scope, but reachable by the network rules. */
  neighbour: RealTarget;
  /** Servers at addresses that must not be contacted. */
  forbidden: TargetServer[];
  heardByUdp(): number;
  names: NameServer;
  run(how: { chromium: string | null; requests: number }): Promise<Played>;
  close(): Promise<void>;
}

/** Starts a target that links and redirects elsewhere, and a server at each of these places. */
export async function openOutposts(): Promise<Outposts> {
  let answer: ReturnType<typeof createWaysOut> = () => undefined;
  const target = await startRealTarget((visit) => answer(visit));
  const { port } = target;
  const neighbour = await startRealTarget(() => ({ body: 'Nobody should be here.' }), '127.0.0.5');
  const forbidden = await Promise.all(
    ['127.0.0.2', '127.0.0.3', '127.0.0.4', '::1'].map((host) => startBareServer((socket) => socket.end(), host, port)),
  );
  let heard = 0;
  const udp: Socket = createSocket('udp4').on('message', () => heard++);
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  let turns = 0;
  const names = await startNameServer((name) => {
    if (name === `stray.${NAME}`) return ['127.0.0.2'];
    // DNS rebinding: the second lookup returns another address.
    if (name === `turning.${NAME}`) return [turns++ === 0 ? '127.0.0.1' : '127.0.0.4'];
    if (name === 'other.test') return ['127.0.0.5'];
    return name === NAME || name === `www.${NAME}` ? ['127.0.0.1'] : [];
  });
  answer = createWaysOut([
    `http://other.test:${neighbour.port}`,
    neighbour.url,
    `http://stray.${NAME}:${port}`,
    `http://turning.${NAME}:${port}`,
    `http://127.0.0.3:${port}`,
    `http://[::1]:${port}`,
  ]);
  const origin = `http://${NAME}:${port}`;
  const network = {
    allowAddresses: [`127.0.0.1/32:${port}`, `127.0.0.5/32:${neighbour.port}`],
    resolvers: [names.address],
    userAgent: 'Sortie test',
  };
  const engagement = { ...pentestOrder(target.url).engagement, coveredName: NAME, coveredOrigin: null };
  return {
    target,
    neighbour,
    forbidden,
    heardByUdp: () => heard,
    names,
    run: ({ chromium, requests }) =>
      playPentest(
        pentestOrder(target.url, {
          targetUrl: `${origin}/`,
          depth: 'DEEP',
          engagement,
          network,
          budget: { milliseconds: 240_000, requests },
          chromium,
        }),
      ),
    async close() {
      udp.close();
      await Promise.all([target, neighbour, ...forbidden, names].map((server) => server.close()));
    },
  };
}

/** Returns the egress ledger's contacted destinations, sorted by host. */
function contacted(egress: readonly EgressEntry[]) {
  const places = Map.groupBy(
    egress.filter(({ outcome }) => outcome === 'CONTACTED'),
    ({ host, port, address }) => `${host}:${port} at ${address}`,
  );
  return [...places]
    .map(([place, entries]) => ({
      place,
      connections: entries.reduce((sum, entry) => sum + entry.connections, 0),
      requests: entries.reduce((sum, entry) => sum + entry.requests, 0),
    }))
    .toSorted((one, other) => (one.place < other.place ? -1 : 1));
}

/** Asserts that the egress ledger matches what the server counted: requests per host, and the total of connections. */
export function assertAsCounted(server: RealTarget, address: string, egress: readonly EgressEntry[]): void {
  const told = contacted(egress).filter(({ place }) => place.endsWith(`:${server.port} at ${address}`));
  const hosts = Map.groupBy(server.visits, ({ headers }) => headers.host);
  const heard = [...hosts].map(([host, visits]) => ({ place: `${host} at ${address}`, requests: visits.length }));
  assert.deepEqual(
    told.map(({ place, requests }) => ({ place, requests })),
    heard.toSorted((one, other) => (one.place < other.place ? -1 : 1)),
  );
  assert.equal(
    told.reduce((sum, { connections }) => sum + connections, 0),
    server.connections(),
  );
}
