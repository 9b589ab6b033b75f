import assert from 'node:assert/strict';
import { getDiffieHellman } from 'node:crypto';
import { describe, it } from 'node:test';
import { createServer, type TlsOptions } from 'node:tls';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import { issue, rsaKeys, toPem } from '@sortie/testing/targets/certificates.ts';
import { startNameServer } from '@sortie/testing/targets/name-server.ts';
import { listenAndCount } from '@sortie/testing/targets/target-servers.ts';
import { sslscan, startNginx, startOpenssl } from '@sortie/testing/targets/tls-programs.ts';
import { toArtifacts } from '../../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../../passive/load-checks.ts';
import { runChecks } from '../../passive/run-checks.ts';
import { toEvidence } from '../evidence.ts';
import { isMissing } from '../missing.ts';
import type { SuiteClass } from './cipher-suites.ts';
import { gatherTls } from './gather-tls.ts';
import type { Https } from './https.ts';
import { gatherTlsProbes } from './tls-probes.ts';

const checks = (await loadPassiveChecks()).filter(({ group }) => group === 'transport');
const certificate = issue({ name: 'site.test', names: ['site.test'], keys: rsaKeys(2_048) });
const EVERYTHING = 'ALL:COMPLEMENTOFALL:@SECLEVEL=0';

async function lookAt(port: number, host = '127.0.0.1') {
  await using cleanUp = new AsyncDisposableStack();
  const sender = testSender({ verifyTls: false, limits: { atOnce: 6 } });
  cleanUp.defer(() => sender.close());
  const page = toArtifacts({ url: `https://${host}:${port}/` });
  const artifacts = { ...page, ...(await gatherTls(sender, page.mainPage)) };
  const evidence = toEvidence(artifacts);
  const runs = runChecks(checks, evidence);
  assert.deepEqual(runs.notRun, []);
  const connections = sender.takeEgress().reduce((sum, entry) => sum + entry.connections, 0);
  assert.ok(connections <= 26, `${connections} connections`);
  assert.ok(evidence.tls && !isMissing(evidence.tls));
  return { failed: runs.failed, tls: evidence.tls, https: artifacts.https as Https };
}

async function startNode(options: TlsOptions) {
  const server = createServer({ key: certificate.keyPem, cert: certificate.pem, ...options });
  const { port, close } = await listenAndCount(server.on('tlsClientError', () => {}));
  return { port, [Symbol.asyncDispose]: close };
}

async function failedOf(options: TlsOptions) {
  await using server = await startNode(options);
  return (await lookAt(server.port)).failed;
}

const prime = getDiffieHellman('modp2').getPrime();
const SHORT_DH = Buffer.concat([
  Buffer.from([0x30, 0x81, prime.length + 7, 2, 0x81, prime.length + 1, 0]),
  prime,
  Buffer.from([2, 1, 2]),
]);
const dhparam = toPem('DH PARAMETERS', SHORT_DH);

describe('the TLS of a server of Node', () => {
  const modern: TlsOptions = { ciphers: 'ECDHE+AESGCM', ALPNProtocols: ['h2'] };

  it('fails nothing when it is set up well', async () => {
    assert.deepEqual(await failedOf(modern), []);
  });

  it('is seen with TLS 1.3 alone', async () => {
    await using server = await startNode({ ...modern, minVersion: 'TLSv1.3' });
    const { failed, tls, https } = await lookAt(server.port);
    assert.deepEqual([failed, tls.spoken, https.protocol, https.alpn], [[], ['tls13'], 'TLSv1.3', 'h2']);
  });

  it('is seen without TLS 1.3, without HTTP/2 and without post-quantum groups', async () => {
    assert.deepEqual(await failedOf({ ciphers: 'ECDHE+AESGCM', maxVersion: 'TLSv1.2' }), [
      'tls-1-3-absent',
      'tls-alpn-h2-absent',
    ]);
    assert.deepEqual(await failedOf({ ...modern, ecdhCurve: 'X25519' }), ['tls-pq-kex-absent']);
  });

  it('is asked for the name of the site in every hello, and for none at an address', async () => {
    const asked: (string | undefined)[] = [];
    const names = await startNameServer((_, type) => (type === 'A' ? ['127.0.0.1'] : []));
    const SNICallback: TlsOptions['SNICallback'] = (name, done) => {
      asked.push(name);
      done(null);
    };
    await using server = await startNode({ ...modern, SNICallback });
    const sender = testSender({ network: { resolvers: [names.address] } });
    await gatherTlsProbes(sender, { host: 'a.site.test', port: server.port });
    assert.ok(asked.length >= 2 && asked.every((name) => name === 'a.site.test'), String(asked));
    asked.length = 0;
    await gatherTlsProbes(sender, { host: '127.0.0.1', port: server.port });
    assert.deepEqual(asked, []);
    await Promise.all([sender, names].map((one) => one.close()));
  });

  it('is seen at an IPv6 address', async () => {
    const server = createServer({ key: certificate.keyPem, cert: certificate.pem, ...modern });
    const { port, close } = await listenAndCount(
      server.on('tlsClientError', () => {}),
      '::1',
    );
    const { tls, https } = await lookAt(port, '[::1]');
    assert.deepEqual([tls.spoken, https.isForHost, tls.url], [['tls13', 'tls12'], false, `https://[::1]:${port}/`]);
    await close();
  });

  it('is seen with old versions', async () => {
    const old: TlsOptions = { ...modern, ciphers: 'ECDHE:@SECLEVEL=0', minVersion: 'TLSv1' };
    const failed = await failedOf(old);
    assert.ok(failed.includes('tls-1-0') && failed.includes('tls-cbc-offered'), String(failed));
    assert.ok((await failedOf({ ...old, minVersion: 'TLSv1.1' })).includes('tls-1-1'));
  });

  it('is seen with a short Diffie-Hellman group, and with RSA key exchange alone', async () => {
    const short = await failedOf({ ...modern, ciphers: 'DHE+AESGCM:@SECLEVEL=0', dhparam, maxVersion: 'TLSv1.2' });
    assert.ok(short.includes('tls-dh-weak'), String(short));
    const rsa = await failedOf({ ...modern, ciphers: 'AES128-GCM-SHA256', maxVersion: 'TLSv1.2' });
    assert.ok(rsa.includes('tls-forward-secrecy-absent') && !rsa.includes('tls-static-rsa-offered'), String(rsa));
  });
});

describe('the TLS of other servers', () => {
  it('is seen with NULL and anonymous suites, SHA-1 signatures and early data', async () => {
    await using everything = await startOpenssl(certificate, ['-www', '-quiet', '-cipher', EVERYTHING]);
    const { failed } = await lookAt(everything.port);
    for (const id of ['tls-1-0', 'tls-null-cipher', 'tls-anon-cipher', 'tls-sigalg-sha1', 'tls-static-rsa-offered']) {
      assert.ok(failed.includes(id), `${id} is not among ${failed}`);
    }
    await using early = await startOpenssl(certificate, ['-early_data', '-max_early_data', '16384']);
    assert.equal((await lookAt(early.port)).https.maxEarlyData, 16_384);
  });

  it('is seen behind nginx', async () => {
    await using good = await startNginx(certificate, 'ssl_protocols TLSv1.2 TLSv1.3; ssl_ciphers ECDHE+AESGCM;');
    assert.deepEqual((await lookAt(good.port)).failed, ['tls-alpn-h2-absent', 'tls-pq-kex-absent']);
    await using old = await startNginx(certificate, 'ssl_protocols TLSv1 TLSv1.1; ssl_ciphers AES128-SHA:@SECLEVEL=0;');
    const { failed, tls } = await lookAt(old.port);
    assert.deepEqual(tls.spoken, ['tls11', 'tls10']);
    for (const id of ['tls-1-0', 'tls-1-2-and-1-3-absent', 'tls-aead-absent', 'tls-forward-secrecy-absent']) {
      assert.ok(failed.includes(id), `${id} is not among ${failed}`);
    }
  });
});

describe('a site on plain http', () => {
  const lookAtHttp = async (url: string) => {
    const sender = testSender();
    const page = toArtifacts({ url });
    const artifacts = { ...page, ...(await gatherTls(sender, page.mainPage)) };
    await sender.close();
    return runChecks(checks, toEvidence(artifacts));
  };

  it('fails when nobody listens where https should be', async () => {
    const { failed, found, notRun } = await lookAtHttp('http://127.0.0.177/');
    assert.deepEqual([failed, notRun], [['https-missing'], []]);
    assert.equal(found[0]?.evidence, 'https://127.0.0.177/: connection refused');
  });

  it('is not asked for https at a port of its own', async () => {
    assert.deepEqual((await lookAtHttp('http://127.0.0.177:8080/')).failed, []);
  });
});

/** Patterns for OpenSSL names of suites before TLS 1.3. */
const classes: [SuiteClass, RegExp][] = [
  ['null', /NULL/],
  ['anonymous', /^AE?C?DH-|_anon_/],
  ['export', /EXP/],
  ['broken', /^(?!EXP|A?E?C?DH-).*(?:RC4|RC2|DES-CBC-|MD5$)(?<!NULL-MD5)/],
  ['smallBlock', /^(?!A?E?C?DH-).*(?:DES-CBC3|3DES|IDEA)/],
  ['staticRsa', /^(?:AES|CAMELLIA|ARIA|SEED|RC4|DES|IDEA)/],
  ['finiteField', /^DHE-/],
  ['forwardSecret', /^(?:EC)?DHE-/],
];

describe('sslscan', () => {
  const servers: [string, () => Promise<AsyncDisposable & { port: number }>][] = [
    ['Node as it comes', () => startNode({})],
    ['Node with everything it has', () => startNode({ ciphers: EVERYTHING, minVersion: 'TLSv1', dhparam: 'auto' })],
    [
      'OpenSSL with RSA key exchange and NULL',
      () => startOpenssl(certificate, ['-www', '-quiet', '-tls1_2', '-cipher', 'AES256-SHA:NULL-SHA256:@SECLEVEL=0']),
    ],
    [
      'OpenSSL with anonymous suites',
      () => startOpenssl(certificate, ['-www', '-quiet', '-no_tls1_3', '-cipher', 'ADH:ECDHE:@SECLEVEL=0']),
    ],
    [
      'OpenSSL with TLS 1.0 alone',
      () => startOpenssl(certificate, ['-www', '-quiet', '-tls1', '-cipher', 'ECDHE:DHE:@SECLEVEL=0']),
    ],
  ];
  for (const [name, startServer] of servers) {
    it(`finds the same versions and classes of suites at ${name}`, async () => {
      await using server = await startServer();
      const { tls } = await lookAt(server.port);
      const theirs = await sslscan(server.port);
      assert.deepEqual(tls.spoken.toSorted(), theirs.versions.toSorted());
      assert.ok(theirs.suites.length > 0);
      for (const [suiteClass, pattern] of classes) {
        const isTheirs = theirs.suites.some((suite) => pattern.test(suite));
        const ours = tls.agreed(suiteClass).filter((line) => !line.endsWith('TLS 1.3'));
        assert.equal(ours.length > 0, isTheirs, `${suiteClass}: ${ours} against ${theirs.suites}`);
      }
    });
  }
});
