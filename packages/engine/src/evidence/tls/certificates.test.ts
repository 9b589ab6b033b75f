import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { testSender } from '@sortie/testing/engine/test-sender.ts';
import {
  curveKeys,
  type Issued,
  issue,
  rsaKeys,
  stapleFor,
  type Wanted,
} from '@sortie/testing/targets/certificates.ts';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { listenAndCount, startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { toArtifacts } from '../../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../../passive/load-checks.ts';
import { runChecks } from '../../passive/run-checks.ts';
import { toEvidence } from '../evidence.ts';
import { readCertificate } from './certificate.ts';
import { gatherTls } from './gather-tls.ts';
import type { Https } from './https.ts';

const checks = (await loadPassiveChecks()).filter(({ group }) => group === 'certificate');
const usual = getCACertificates('default');
const NAMES = ['site.test', 'www.site.test'];

let names: NameServer;
let published: TargetServer;
let root: Issued;
let middle: Issued;

before(async () => {
  names = await startNameServer((name, type) => (type === 'A' && name !== 'www.alone.test' ? ['127.0.0.1'] : []));
  root = issue({ name: 'Root', isAuthority: true, to: 3_000 });
  setDefaultCACertificates([root.pem]);
  published = await startWebServer((_, response) => response.end(middle.der));
  const issuerUrl = `${published.url}/root.crt`;
  middle = issue({ name: 'Middle', isAuthority: true, issuer: root, to: 1_000, issuerUrl });
});
after(async () => {
  setDefaultCACertificates(usual);
  await Promise.all([names, published].map((server) => server.close()));
});

const site = (wanted: Partial<Wanted> = {}) =>
  issue({ name: 'site.test', names: NAMES, issuer: middle, timestamps: 2, ...wanted });

interface Shown extends TlsOptions {
  leaf: Issued;
  issuers?: readonly Issued[];
  host?: string;
  staple?: Buffer;
}

/** Collects the evidence of a server that sends these certificates. */
async function lookAt({ leaf, issuers = [middle], host = 'site.test', staple, ...options }: Shown) {
  await using cleanUp = new AsyncDisposableStack();
  const cert = [leaf, ...issuers].map(({ pem }) => pem).join('');
  const server = createServer({ key: leaf.keyPem, cert, ciphers: 'DEFAULT:@SECLEVEL=0', ...options });
  server.on('tlsClientError', () => {});
  if (staple) server.on('OCSPRequest', (_certificate, _issuer, answer) => answer(null, staple));
  const listening = await listenAndCount(server);
  cleanUp.defer(() => listening.close());
  const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [names.address] };
  const sender = testSender({ network, verifyTls: false, limits: { atOnce: 6 } });
  cleanUp.defer(() => sender.close());
  const page = toArtifacts({ url: `https://${host}:${listening.port}/` });
  const artifacts = { ...page, ...(await gatherTls(sender, page.mainPage)) };
  const runs = runChecks(checks, toEvidence(artifacts));
  assert.deepEqual(runs.notRun, []);
  assert.deepEqual(JSON.parse(JSON.stringify(artifacts.https)), artifacts.https);
  return { failed: runs.failed, found: runs.found, https: artifacts.https as Https };
}

const failedOf = async (shown: Shown) => (await lookAt(shown)).failed;

describe('a certificate on a real server', () => {
  it('that is good fails nothing, and its facts are read', async () => {
    const { failed, https } = await lookAt({ leaf: site() });
    assert.deepEqual(failed, []);
    assert.deepEqual(
      [https.untrusted, https.isForHost, https.isChainAsSent, https.chain.length],
      [null, true, true, 2],
    );
    const { certificate } = https;
    assert.deepEqual([certificate.keyType, certificate.keyBits, certificate.timestamps], ['ec', 256, 2]);
    assert.deepEqual([certificate.dnsNames, certificate.isSelfSigned], [NAMES, false]);
    assert.deepEqual(https.counterpart, { host: 'www.site.test', isCovered: true });
  });

  it('is judged with TLS 1.3 alone too', async () => {
    const { failed, https } = await lookAt({ leaf: site(), minVersion: 'TLSv1.3' });
    assert.deepEqual([failed, https.isChainAsSent, https.chain[1]?.subject], [[], false, 'CN=Middle']);
  });

  const cases: [string, () => Shown, string[]][] = [
    ['has expired', () => ({ leaf: site({ from: -60, to: -1 }) }), ['cert-expired']],
    ['is not valid yet', () => ({ leaf: site({ from: 2, to: 60 }) }), ['cert-not-yet-valid']],
    ['expires soon', () => ({ leaf: site({ from: -80, to: 5 }) }), ['cert-expiring-soon']],
    ['lives for six days and is young', () => ({ leaf: site({ from: -1, to: 5 }) }), []],
    ['is for another name', () => ({ leaf: site({ names: ['other.test'] }) }), ['cert-host-mismatch']],
    ['has the name as its common name only', () => ({ leaf: site({ names: [] }) }), ['cert-host-mismatch']],
    [
      'is a wildcard of the right depth',
      () => ({ leaf: site({ names: ['*.site.test'] }), host: 'a.site.test' }),
      ['cert-wildcard'],
    ],
    [
      'is a wildcard of the wrong depth',
      () => ({ leaf: site({ names: ['*.site.test'] }), host: 'a.b.site.test' }),
      ['cert-host-mismatch'],
    ],
    ['is a wildcard beside the bare name', () => ({ leaf: site({ names: ['*.site.test'] }) }), ['cert-host-mismatch']],
    ['has no name for an address', () => ({ leaf: site(), host: '127.0.0.1' }), ['cert-host-mismatch']],
    ['names an address', () => ({ leaf: site({ names: ['IP:127.0.0.1'] }), host: '127.0.0.1' }), []],
    [
      'names an address as if it were a name',
      () => ({ leaf: site({ names: ['127.0.0.1'] }), host: '127.0.0.1' }),
      ['cert-host-mismatch'],
    ],
    [
      'is for an international name',
      () => ({ leaf: site({ names: ['xn--bcher-kva.site.test'] }), host: 'bücher.site.test' }),
      [],
    ],
    ['forgets www', () => ({ leaf: site({ names: ['site.test'] }) }), ['cert-www-coverage']],
    ['needs no www that is not there', () => ({ leaf: site({ names: ['alone.test'] }), host: 'alone.test' }), []],
    ['lives too long', () => ({ leaf: site({ to: 500 }) }), ['cert-lifetime-over-limit']],
    ['is in no log', () => ({ leaf: site({ timestamps: 0 }) }), ['cert-sct-absent']],
    ['is signed with SHA-1', () => ({ leaf: site({ digest: 'sha1' }) }), ['cert-signature-weak']],
    ['has an RSA key of 1024 bits', () => ({ leaf: site({ keys: rsaKeys(1_024) }) }), ['cert-key-weak']],
    ['has an RSA key of 2048 bits', () => ({ leaf: site({ keys: rsaKeys(2_048) }) }), []],
    ['has an RSA key of exponent 3', () => ({ leaf: site({ keys: rsaKeys(2_048, 3) }) }), ['cert-rsa-exponent']],
    [
      'demands a staple that is not sent',
      () => ({ leaf: site({ mustStaple: true }) }),
      ['cert-ocsp-must-staple-broken'],
    ],
    [
      'has many names',
      () => ({ leaf: site({ names: [...NAMES, ...Array.from({ length: 11 }, (_, index) => `a${index}.test`)] }) }),
      ['cert-san-excess'],
    ],
    ['is the placeholder of a proxy', () => ({ leaf: site({ name: 'TRAEFIK DEFAULT CERT' }) }), ['cert-default-fake']],
    ['is sent with the root', () => ({ leaf: site(), issuers: [middle, root] }), ['cert-chain-order']],
    ['is sent in a wrong order', () => ({ leaf: site(), issuers: [root, middle] }), ['cert-chain-order']],
  ];
  for (const [name, shown, expected] of cases) {
    it(`that ${name} fails ${expected.join(', ') || 'nothing'}`, async () => {
      assert.deepEqual(await failedOf(shown()), expected);
    });
  }

  it('that issued itself fails that, and nothing that follows from it', async () => {
    const leaf = issue({ name: 'site.test', names: NAMES });
    for (const options of [{}, { minVersion: 'TLSv1.3' as const }]) {
      assert.deepEqual(await failedOf({ leaf, issuers: [], ...options }), ['cert-self-signed']);
    }
  });

  it('that issued itself is self-signed, however narrow its keyUsage is', async () => {
    const leaf = issue({ name: 'site.test', names: NAMES, signsNothingElse: true });
    assert.deepEqual(await failedOf({ leaf, issuers: [] }), ['cert-self-signed']);
  });

  it('of an authority that nobody knows fails, with or without its root', async () => {
    const stranger = issue({ name: 'Stranger', isAuthority: true });
    const leaf = site({ issuer: stranger });
    assert.deepEqual(await failedOf({ leaf, issuers: [] }), ['cert-untrusted-chain']);
    assert.deepEqual(await failedOf({ leaf, issuers: [stranger] }), ['cert-chain-order', 'cert-untrusted-chain']);
  });

  it('of an authority whose own certificate has expired fails', async () => {
    const old = issue({ name: 'Old', isAuthority: true, issuer: root, to: -1 });
    assert.deepEqual(await failedOf({ leaf: site({ issuer: old }), issuers: [old] }), ['cert-untrusted-chain']);
  });

  it('that lacks one in between is told from one that nobody knows', async () => {
    const complete = site({ issuerUrl: `${published.url}/middle.crt` });
    const { failed, https } = await lookAt({ leaf: complete, issuers: [] });
    assert.deepEqual([failed, https.isIncomplete], [['cert-chain-incomplete'], true]);
    assert.deepEqual(await failedOf({ leaf: site(), issuers: [] }), ['cert-untrusted-chain']);
  });

  it('whose issuer publishes something else is not trusted', async () => {
    const stranger = issue({ name: 'Middle', isAuthority: true });
    const leaf = site({ issuer: stranger, issuerUrl: `${published.url}/middle.crt` });
    assert.deepEqual(await failedOf({ leaf, issuers: [] }), ['cert-untrusted-chain']);
  });

  it('with a stapled answer is good or revoked, as it says', async () => {
    const leaf = site({ mustStaple: true });
    for (const minVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const good = await lookAt({ leaf, staple: stapleFor(leaf, middle, 'good'), minVersion, maxVersion: minVersion });
      assert.deepEqual([good.failed, good.https.staple], [[], 'GOOD']);
      const revoked = stapleFor(leaf, middle, 'revoked');
      assert.deepEqual(await failedOf({ leaf, staple: revoked, minVersion, maxVersion: minVersion }), ['cert-revoked']);
    }
    assert.equal((await lookAt({ leaf, staple: stapleFor(site(), middle, 'revoked') })).https.staple, 'UNREADABLE');
    assert.equal((await lookAt({ leaf, staple: Buffer.from('nonsense') })).https.staple, 'UNREADABLE');
  });

  it('with a very short key or a broken digest fails worst', async () => {
    const tiny = site({ keys: rsaKeys(512) });
    const { found } = await lookAt({ leaf: tiny, maxVersion: 'TLSv1.2' });
    assert.deepEqual(
      found.map(({ checkId, severity }) => [checkId, severity]),
      [['cert-key-weak', 'CRITICAL']],
    );
    const rsa = issue({ name: 'RSA', isAuthority: true, issuer: root, keys: rsaKeys(2_048) });
    const broken = await lookAt({ leaf: site({ issuer: rsa, digest: 'md5' }), issuers: [rsa] });
    assert.deepEqual(
      broken.found.map(({ checkId, severity }) => [checkId, severity]),
      [['cert-signature-weak', 'CRITICAL']],
    );
  });

  it('on a short curve is read as such', () => {
    const { keyType, keyBits } = readCertificate(site({ keys: curveKeys('prime192v1') }).der);
    assert.deepEqual([keyType, keyBits], ['ec', 192]);
  });
});
