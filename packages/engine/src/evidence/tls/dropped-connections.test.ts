import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { createServer, type TlsOptions } from 'node:tls';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { issue, rsaKeys } from '@sortie/testing/targets/certificates.ts';
import { type OldServer, startOldServer } from '@sortie/testing/targets/old-tls-server.ts';
import { listenAndCount, startBareServer } from '@sortie/testing/targets/target-servers.ts';
import { toArtifacts } from '../../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../../passive/load-checks.ts';
import { runChecks } from '../../passive/run-checks.ts';
import { toEvidence } from '../evidence.ts';
import { suitesOf } from './cipher-suites.ts';
import { furtherHellos, type HelloName, together, versionHellos, weakHellos } from './hellos.ts';
import { gatherTlsProbes } from './tls-probes.ts';

type Seen = HelloName | 'together' | undefined;
/** Whether to drop the connection of a probe that is sent for the `time`-th time, counted from 1. */
type Drops = (name: Seen, time: number) => boolean;

const checks = (await loadPassiveChecks()).filter(
  ({ group, needs }) => group === 'transport' && !needs.includes('https') && !needs.includes('session'),
);
const certificate = issue({ name: 'site.test', names: ['site.test'], keys: rsaKeys(2_048) });
const ALERT = 21;
const MOST_CONNECTIONS = 35;

const list = (values: readonly number[]) =>
  Buffer.from([values.length * 2, ...values].flatMap((value) => [value >> 8, value & 0xff]));
const POST_QUANTUM = list([0x11ec]);
const SHA1_SIGNATURES = list([0x0201, 0x0203, 0x0202]);
const weak = together(Object.values(weakHellos(furtherHellos(['tls12']))));
const known: [Exclude<Seen, undefined>, readonly number[]][] = [
  ['tls12', versionHellos.tls12.suites],
  ['tls13', versionHellos.tls13.suites],
  ['authenticated', suitesOf('authenticated')],
  ['forwardSecret', suitesOf('forwardSecret')],
  ['together', weak.suites],
];

/** Tells the probes by the suites, groups and signatures that they offer. */
function nameOf(hello: Buffer): Seen {
  if (hello.includes(POST_QUANTUM)) return 'postQuantum';
  if (hello.includes(SHA1_SIGNATURES)) return 'sha1';
  const [name] = known.find(([, suites]) => hello.includes(list(suites))) ?? [];
  return name === 'tls12' && hello.readUInt16BE(9) !== 0x0303 ? undefined : name;
}

/** Starts a TCP proxy that drops connections on the ClientHello, or instead of an alert. */
function startProxy(
  port: number,
  { drops = () => false, hidesAlerts = false }: { drops?: Drops; hidesAlerts?: boolean },
) {
  const times = new Map<Seen, number>();
  return startBareServer((socket) => {
    socket.once('data', (hello) => {
      const name = nameOf(hello);
      const time = (times.get(name) ?? 0) + 1;
      times.set(name, time);
      if (drops(name, time)) return void socket.resetAndDestroy();
      const upstream = connect(port, '127.0.0.1').on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy()).pipe(upstream);
      upstream.write(hello);
      upstream.once('data', (first) => {
        if (hidesAlerts && first[0] === ALERT) return void socket.resetAndDestroy();
        socket.write(first);
        upstream.pipe(socket);
      });
    });
  });
}

async function lookAt(server: TlsOptions | OldServer, how: Parameters<typeof startProxy>[1]) {
  await using cleanUp = new AsyncDisposableStack();
  const options = { key: certificate.keyPem, cert: certificate.pem, ...server };
  const listening = await ('suites' in server
    ? startOldServer(server)
    : listenAndCount(createServer(options).on('tlsClientError', () => {})));
  cleanUp.defer(() => listening.close());
  const proxy = await startProxy(listening.port, how);
  cleanUp.defer(() => proxy.close());
  const sender = testSender({ limits: { atOnce: 6 } });
  cleanUp.defer(() => sender.close());
  const tlsProbes = await gatherTlsProbes(sender, { host: '127.0.0.1', port: proxy.port });
  assert.ok('answers' in tlsProbes);
  assert.ok(proxy.connections() <= MOST_CONNECTIONS, `${proxy.connections()} connections`);
  const { failed, notRun } = runChecks(checks, toEvidence({ ...toArtifacts({}), tlsProbes }));
  return { failed, notRun };
}

const old: TlsOptions = { maxVersion: 'TLSv1.2', honorCipherOrder: true };
/** Each supports the feature whose absence the check reports, and shows it to one probe only. */
const servers: [string, HelloName, TlsOptions][] = [
  ['tls-1-3-absent', 'tls13', { ciphers: 'ECDHE+AESGCM' }],
  ['tls-pq-kex-absent', 'postQuantum', { ciphers: 'ECDHE+AESGCM' }],
  ['tls-aead-absent', 'authenticated', { ...old, ciphers: 'ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES128-GCM-SHA256' }],
  ['tls-forward-secrecy-absent', 'forwardSecret', { ...old, ciphers: 'AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256' }],
];

for (const [checkId, probe, server] of servers) {
  describe(`${checkId}, when connections of the probe ${probe} are dropped`, () => {
    it('passes if a retry is accepted', async () => {
      const undisturbed = await lookAt(server, {});
      assert.ok(!undisturbed.failed.includes(checkId));
      assert.deepEqual(await lookAt(server, { drops: (name, time) => name === probe && time === 1 }), undisturbed);
      assert.deepEqual(await lookAt(server, { drops: (name, time) => name === probe && time <= 2 }), undisturbed);
    });

    it('is not run if the server then drops other connections too', async () => {
      const isControl = (name: Seen) => name === 'tls12' || name === 'tls13';
      const drops: Drops = (name, time) => name === probe || (isControl(name) && time > 1);
      const { failed, notRun } = await lookAt(server, { drops });
      assert.ok(!failed.includes(checkId), String(failed));
      const { reason = '' } = notRun.find((one) => one.checkId === checkId) ?? {};
      assert.match(reason, /closed the connection/);
    });

    it('fails if only this probe is closed, each time', async () => {
      const { failed, notRun } = await lookAt(server, { drops: (name) => name === probe });
      assert.ok(failed.includes(checkId), String(failed));
      assert.deepEqual(notRun, []);
    });
  });
}

describe('a server that closes the connection instead of sending an alert', () => {
  const GCM = 0xc02f;
  const kinds: [string, TlsOptions | OldServer][] = [
    ['TLS 1.2 and 1.3', { ciphers: 'ECDHE+AESGCM', ecdhCurve: 'X25519' }],
    ['TLS 1.2 with CBC and RSA key exchange', { ...old, ciphers: 'AES128-SHA' }],
    ['TLS 1.0', { versions: [0x0301], suites: [0x002f], knowsRenegotiation: true }],
    ['weak suites', { versions: [0x0300, 0x0301, 0x0303], suites: [GCM, 0x0002, 0x0005, 0x000a] }],
  ];
  for (const [name, server] of kinds) {
    it(`gets the same findings: ${name}`, async () => {
      const withAlerts = await lookAt(server, {});
      assert.deepEqual(await lookAt(server, { hidesAlerts: true }), withAlerts);
      assert.deepEqual(withAlerts.notRun, []);
    });
  }

  it('is found to have a weak suite although the connection that asked for all of them was dropped', async () => {
    const server: OldServer = { versions: [0x0303], suites: [GCM, 0x0002] };
    const { failed } = await lookAt(server, { drops: (name, time) => name === 'together' && time === 1 });
    assert.ok(failed.includes('tls-null-cipher'), String(failed));
  });
});
