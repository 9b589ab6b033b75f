import assert from 'node:assert/strict';
import { createServer as createHttpsServer } from 'node:https';
import { describe, it } from 'node:test';
import { issue, rsaKeys } from '@sortie/testing/targets/certificates.ts';
import { type OldServer, startOldServer } from '@sortie/testing/targets/old-tls-server.ts';
import { listenAndCount, startWebServer } from '@sortie/testing/targets/target-servers.ts';
import { startNginx, startOpenssl } from '@sortie/testing/targets/tls-programs.ts';
import { loadPassiveChecks } from '../passive/load-checks.ts';
import { replayScan, scanLocally, writeScan } from './local-scan.ts';

const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [], userAgent: 'Sortie test' };
const checks = await loadPassiveChecks();
const ofTls = new Set(
  checks.filter(({ group }) => group === 'transport' || group === 'certificate').map(({ id }) => id),
);
const expired = issue({ name: 'old.test', names: ['old.test'], from: -60, to: -1, keys: rsaKeys(2_048) });
const good: OldServer = {
  versions: [0x0303],
  suites: [0xc02f],
  knowsRenegotiation: true,
  knowsFallback: true,
  certificates: [expired.der],
};

/** Scans the URL and asserts that only TLS was scored. */
async function judgeTls(url: string) {
  const judged = await scanLocally({ url, domain: '127.0.0.1', network });
  const { result } = judged;
  assert.ok('findings' in result, `it was not judged: ${JSON.stringify(result)}`);
  assert.deepEqual(replayScan(writeScan(judged.scan)), judged);
  const notRun = result.notRun ?? [];
  const others = notRun.filter(({ checkId }) => !ofTls.has(checkId));
  assert.equal(others.length, checks.length - ofTls.size, 'everything that is not about TLS was not run');
  assert.deepEqual(new Set(others.map(({ reason }) => reason)).size, 1);
  assert.match(others[0]?.reason ?? '', /^No page could be loaded, so only TLS was checked\. \S/);
  assert.equal(
    result.findings.reduce((sum, { scoreImpact }) => sum + scoreImpact, result.score),
    100,
  );
  for (const { affectedUrl } of result.findings) assert.ok(affectedUrl?.startsWith('https://127.0.0.1:'));
  return { ...result, failed: result.findings.map(({ checkId }) => checkId), reason: others[0]?.reason ?? '' };
}

async function judgeOld(server: Partial<OldServer>) {
  const listening = await startOldServer({ ...good, ...server });
  try {
    return await judgeTls(`https://127.0.0.1:${listening.port}/`);
  } finally {
    await listening.close();
  }
}

/** Returns the URL of a plain http site that redirects to an old server at this host. */
async function redirectTo(host: string, cleanUp: AsyncDisposableStack): Promise<string> {
  const old = await startOldServer({ ...good, suites: [0x0005] }, '0.0.0.0');
  cleanUp.defer(() => old.close());
  const location = `https://${host}:${old.port}/`;
  const site = await startWebServer((_, response) => response.writeHead(301, { location }).end());
  cleanUp.defer(() => site.close());
  return `${site.url}/`;
}

describe('a server whose TLS answers and that serves no page is judged by its TLS alone', () => {
  const servers: [string, Partial<OldServer>, string[]][] = [
    ['without RFC 5746', { knowsRenegotiation: false }, ['tls-renegotiation-insecure']],
    ['with SSL 3 only', { versions: [0x0300], suites: [0x0035] }, ['tls-sslv3', 'tls-1-2-and-1-3-absent']],
    ['with RC4 only', { suites: [0x0005] }, ['tls-rc4-des-md5-cipher']],
    ['with EXPORT suites only', { suites: [0x0003] }, ['tls-export-cipher']],
  ];
  for (const [name, server, expected] of servers) {
    it(name, async () => {
      const { failed, score, reason } = await judgeOld(server);
      for (const checkId of [...expected, 'cert-expired', 'cert-host-mismatch', 'cert-self-signed'])
        assert.ok(failed.includes(checkId), `${checkId} is not among ${failed}`);
      for (const checkId of ['tls-alpn-h2-absent', 'cert-sct-absent']) assert.ok(!failed.includes(checkId));
      assert.ok(score < 70, `${score}`);
      assert.match(reason, /The TLS connection failed: /);
    });
  }

  it('also where it shows no certificate, which is said', async () => {
    const { failed, notRun } = await judgeOld({ suites: [0x0034], certificates: [] });
    assert.ok(failed.includes('tls-anon-cipher'), `${failed}`);
    const missing = notRun?.find(({ checkId }) => checkId === 'cert-expired');
    assert.match(missing?.reason ?? '', /^The TLS handshake failed: /);
  });

  for (const version of ['-tls1_2', '-tls1_3']) {
    it(`demanding a client certificate, with s_server ${version}`, async () => {
      await using server = await startOpenssl(expired, ['-Verify', '1', version, '-www']);
      const { failed } = await judgeTls(`https://127.0.0.1:${server.port}/`);
      assert.ok(failed.includes('cert-expired') && failed.includes('cert-self-signed'), `${failed}`);
    });
  }

  it('demanding a client certificate as nginx does, by an error page', async () => {
    await using server = await startNginx(expired, 'ssl_client_certificate cert.pem; ssl_verify_client on;');
    const { failed, reason } = await judgeTls(`https://127.0.0.1:${server.port}/`);
    assert.ok(failed.includes('cert-expired'), `${failed}`);
    assert.match(reason, /demands a client certificate/);
  });

  it('where a redirect of the same host leads there', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const { failed } = await judgeTls(await redirectTo('127.0.0.1', cleanUp));
    assert.ok(failed.includes('tls-rc4-des-md5-cipher'), `${failed}`);
  });
});

describe('a server without a page is not judged by its TLS', () => {
  const failureAt = async (url: string) => {
    const { result } = await scanLocally({ url, domain: '127.0.0.1', network });
    return 'failure' in result ? result.failure : result.score;
  };

  it('when it belongs to another site that a redirect leads to', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const failure = await failureAt(await redirectTo('127.0.0.2', cleanUp));
    assert.ok(typeof failure === 'object');
  });

  it('when it answers with an error of its own', async () => {
    const { pem, keyPem } = expired;
    const site = createHttpsServer({ key: keyPem, cert: pem }, (_, response) => response.writeHead(502).end());
    await using cleanUp = new AsyncDisposableStack();
    const server = await listenAndCount(site);
    cleanUp.defer(() => server.close());
    const failure = await failureAt(`https://127.0.0.1:${server.port}/`);
    assert.ok(typeof failure === 'object' && failure.code === 'NOT_GATHERED');
  });

  it('when nothing there speaks TLS, and the advice does not speak of versions', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const site = await startWebServer((_, response) => response.end('hello'));
    cleanUp.defer(() => site.close());
    const failure = await failureAt(`https://127.0.0.1:${site.port}/`);
    assert.ok(typeof failure === 'object' && failure.code === 'TLS_FAILED');
    assert.doesNotMatch(failure.message, /TLS 1\.[23]/);
  });
});
