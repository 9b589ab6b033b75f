import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { type OldServer, startOldServer } from '@sortie/testing/targets/old-tls-server.ts';
import { toArtifacts } from '../../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../../passive/load-checks.ts';
import { runChecks } from '../../passive/run-checks.ts';
import { toEvidence } from '../evidence.ts';
import { gatherTlsProbes } from './tls-probes.ts';

const checks = (await loadPassiveChecks()).filter(
  ({ group, needs }) => group === 'transport' && !needs.includes('https') && !needs.includes('session'),
);

/** Returns the findings of the TLS checks for such a server. */
async function lookAt(server: OldServer) {
  await using cleanUp = new AsyncDisposableStack();
  const listening = await startOldServer(server);
  cleanUp.defer(() => listening.close());
  const sender = testSender({ limits: { atOnce: 6 } });
  cleanUp.defer(() => sender.close());
  const tlsProbes = await gatherTlsProbes(sender, { host: '127.0.0.1', port: listening.port });
  assert.ok('answers' in tlsProbes);
  assert.deepEqual(JSON.parse(JSON.stringify(tlsProbes)), tlsProbes);
  assert.ok(listening.connections() <= 24, `${listening.connections()} hellos`);
  const runs = runChecks(checks, toEvidence({ ...toArtifacts({}), tlsProbes }));
  assert.deepEqual(runs.notRun, []);
  return runs.found.map(({ checkId, severity, evidence }) => ({ checkId, severity, evidence }));
}

const failedOf = async (server: OldServer) => (await lookAt(server)).map(({ checkId }) => checkId);

const GCM = 0xc02f;
/** A good server that supports neither TLS 1.3 nor the extended master secret. */
const good: OldServer = { versions: [0x0303], suites: [GCM], knowsRenegotiation: true, knowsFallback: true };
const AGE = ['tls-1-3-absent', 'tls-ems-absent'];
const worseThanAge = async (server: Partial<OldServer>) =>
  (await failedOf({ ...good, ...server })).filter((id) => !AGE.includes(id));

describe('a server that only knows hellos', () => {
  it('is well understood when nothing is wrong', async () => assert.deepEqual(await failedOf(good), AGE));

  it('is understood though it complains about the name first', async () => {
    assert.deepEqual(await worseThanAge({ warns: true }), []);
  });

  const versions: [string, number, string[]][] = [
    ['SSL 2', 0x0002, ['tls-sslv2']],
    ['SSL 3', 0x0300, ['tls-sslv3']],
    ['TLS 1.0', 0x0301, ['tls-1-0']],
    ['TLS 1.1', 0x0302, ['tls-1-1']],
  ];
  for (const [name, version, expected] of versions) {
    it(`is found to speak ${name}`, async () => {
      assert.deepEqual(await worseThanAge({ versions: [version, 0x0303] }), expected);
    });
  }

  it('is found to speak TLS 1.0 and 1.1, as one finding', async () => {
    const found = (await lookAt({ ...good, versions: [0x0301, 0x0302, 0x0303] })).filter(({ checkId }) =>
      /tls-1-[01]$/.test(checkId),
    );
    assert.equal(found.length, 1);
    assert.match(found[0]?.evidence ?? '', /TLS 1\.0\n.*TLS 1\.1$/);
  });

  it('is found to speak nothing that is current', async () => {
    assert.deepEqual(await worseThanAge({ versions: [0x0301], suites: [0xc013] }), [
      'tls-1-0',
      'tls-1-2-and-1-3-absent',
      'tls-aead-absent',
    ]);
  });

  it('has SSL 2 without ciphers told from SSL 2 with them', async () => {
    const [found] = (await lookAt({ ...good, versions: [2, 0x0303], hasOldCiphers: false })).filter(
      ({ checkId }) => checkId === 'tls-sslv2',
    );
    assert.equal(found?.severity, 'HIGH');
  });

  it('is not taken for SSL 3 when it answers with TLS 1.0', async () => {
    assert.deepEqual(await worseThanAge({ versions: [0x0301, 0x0303], floor: 0x0301 }), ['tls-1-0']);
  });

  const suites: [string, number, string[]][] = [
    ['NULL', 0x003b, ['tls-null-cipher']],
    ['NULL with ECDHE', 0xc010, ['tls-null-cipher']],
    ['anonymous Diffie-Hellman', 0x0034, ['tls-anon-cipher']],
    ['anonymous ECDH', 0xc018, ['tls-anon-cipher']],
    ['EXPORT with RC4', 0x0003, ['tls-export-cipher']],
    ['EXPORT1024 with DES', 0x0062, ['tls-export-cipher']],
    ['RC4 with SHA', 0xc011, ['tls-rc4-des-md5-cipher']],
    ['RC4 with MD5', 0x0004, ['tls-rc4-des-md5-cipher', 'tls-static-rsa-offered']],
    ['DES', 0x0015, ['tls-rc4-des-md5-cipher']],
    ['triple DES', 0xc012, ['tls-64bit-block-cipher']],
    ['IDEA', 0x0007, ['tls-64bit-block-cipher', 'tls-static-rsa-offered']],
    ['RSA key exchange', 0x009c, ['tls-static-rsa-offered']],
    ['CBC', 0xc013, ['tls-cbc-offered']],
    ['SEED', 0x0096, ['tls-cbc-offered', 'tls-static-rsa-offered']],
  ];
  for (const [name, suite, expected] of suites) {
    it(`is found to agree to ${name}, though it prefers better`, async () => {
      assert.deepEqual(await worseThanAge({ suites: [GCM, suite] }), expected);
    });
  }

  it('is found to agree to RC4 and triple DES in its oldest version only', async () => {
    const server = { ...good, versions: [0x0301, 0x0303], suitesOf: { 769: [0xc013, 0xc011, 0xc012] } };
    const found = (await lookAt(server)).map(({ checkId, severity }) => `${checkId} ${severity}`);
    assert.ok(
      found.includes('tls-rc4-des-md5-cipher HIGH') && found.includes('tls-64bit-block-cipher LOW'),
      String(found),
    );
  });

  it('is found to have nothing but RSA key exchange, or nothing but CBC', async () => {
    assert.deepEqual(await worseThanAge({ suites: [0x009c] }), ['tls-forward-secrecy-absent']);
    assert.deepEqual(await worseThanAge({ suites: [0xc013] }), ['tls-aead-absent', 'tls-cbc-offered']);
  });

  for (const [bits, severity] of [
    [512, 'HIGH'],
    [1_024, 'MEDIUM'],
  ] as const) {
    it(`is found to use a prime of ${bits} bits`, async () => {
      const found = await lookAt({ ...good, suites: [GCM, 0x0033], dhBits: bits });
      const weak = found.find(({ checkId }) => checkId === 'tls-dh-weak');
      assert.deepEqual([weak?.severity, weak?.evidence], [severity, `${bits}-bit Diffie-Hellman prime`]);
    });
  }

  it('may use a prime of 2048 bits', async () => {
    assert.deepEqual(await worseThanAge({ suites: [GCM, 0x0033] }), ['tls-cbc-offered']);
  });

  it('is found to have weak curves', async () => {
    assert.deepEqual(await worseThanAge({ curves: [23, 21] }), ['tls-curve-weak']);
    assert.deepEqual(await worseThanAge({ curves: [23, 24] }), []);
  });

  it('is found to compress, to renegotiate without protection, and to fall back', async () => {
    assert.deepEqual(await worseThanAge({ compresses: true }), ['tls-compression']);
    assert.deepEqual(await worseThanAge({ knowsRenegotiation: false }), ['tls-renegotiation-insecure']);
    assert.deepEqual(await worseThanAge({ versions: [0x0302, 0x0303], knowsFallback: false }), [
      'tls-1-1',
      'tls-fallback-scsv-absent',
    ]);
  });
});
