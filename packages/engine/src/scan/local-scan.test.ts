import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { createServer as createHttpsServer } from 'node:https';
import { after, before, describe, it } from 'node:test';
import { issue, rsaKeys } from '@sortie/testing/targets/certificates.ts';
import { listenAndCount, startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { toEvidence } from '../evidence/evidence.ts';
import { OLDER } from '../evidence/missing.ts';
import { readCertificate } from '../evidence/tls/certificate.ts';
import { toArtifacts } from '../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../passive/load-checks.ts';
import { runCheck } from '../passive/run-checks.ts';
import { readScanUrl } from '../target/scan-url.ts';
import { type JudgedScan, replayScan, type ScanProgress, scanLocally, writeScan } from './local-scan.ts';

const network = { allowAddresses: ['127.0.0.1/32'], resolvers: [], userAgent: 'Sortie test' };

/** Bytes and characters that are easily lost in conversions. */
const ODD = Buffer.concat([Buffer.from('\ufeff<h1>\0\u2028\u{1f600} "\\</h1>'), Buffer.from([0xff, 0xfe, 0xed, 0xa0])]);

let site: TargetServer;
let secured: TargetServer;
let plain: JudgedScan;
let overTls: JudgedScan;
const progress: (Omit<ScanProgress, 'requestsSent'> & { requests: number })[] = [];

before(async () => {
  site = await startWebServer((request, response) => {
    if (request.url === '/') return void response.writeHead(302, { location: '/home' }).end('moved');
    response.writeHead(request.url === '/home' ? 200 : 404, [
      ...['content-type', 'text/html'],
      ...['set-cookie', 'session=1'],
      ...['set-cookie', 'n\u00e4me=\u00ff; Max-Age=99999999'],
    ]);
    response.end(ODD);
  });
  const { pem, keyPem } = issue({ name: 'other.test', names: ['other.test'], from: -60, to: -1 });
  const https = createHttpsServer({ key: keyPem, cert: pem }, (_, response) => response.end(ODD));
  secured = await listenAndCount(https);
  const onProgress = ({ requestsSent, ...rest }: ScanProgress) =>
    void progress.push({ ...rest, requests: requestsSent() });
  plain = await scanLocally({ url: `${site.url}/`, domain: '127.0.0.1', network, onProgress });
  overTls = await scanLocally({ url: `https://127.0.0.1:${secured.port}/`, domain: '127.0.0.1', network });
});

after(async () => {
  await Promise.all([site.close(), secured.close()]);
});

/** Replays a saved scan after a change to the file. */
const changed = (change: (saved: ReturnType<typeof JSON.parse>) => void) => {
  const saved = JSON.parse(writeScan(overTls.scan));
  change(saved);
  return replayScan(JSON.stringify(saved));
};

describe('a scan in this process', () => {
  it('judges as the service does', () => {
    assert.ok('findings' in plain.result && 'findings' in overTls.result);
    const ids = plain.result.findings.map(({ checkId }) => checkId);
    assert.ok(ids.includes('cookie-on-http') && ids.includes('http-redirect-not-https'), `${ids}`);
    const idsOverTls = overTls.result.findings.map(({ checkId }) => checkId);
    assert.ok(idsOverTls.includes('cert-expired'), `${idsOverTls}`);
  });

  it('tells what it gathers, when it begins and when it is over, and counts requests', () => {
    assert.deepEqual(progress.slice(0, 2), [
      { collector: 'main page', isOver: false, requests: 0 },
      { collector: 'main page', isOver: true, requests: 2 },
    ]);
    const over = progress.filter(({ isOver }) => isOver).map(({ collector }) => collector);
    const begun = progress.filter(({ isOver }) => !isOver).map(({ collector }) => collector);
    assert.deepEqual(over.toSorted(), begun.toSorted());
    assert.deepEqual(over.at(-1), 'TLS');
    assert.ok(over.includes('files'));
    const sent = plain.scan.egress.reduce((sum, { requests }) => sum + requests, 0);
    assert.equal(progress.at(-1)?.requests, sent);
  });

  it('contacts nothing that was not allowed, and says where it was refused', async () => {
    const connections = site.connections();
    const { scan, result } = await scanLocally({
      url: `${site.url}/`,
      domain: '127.0.0.1',
      network: { ...network, allowAddresses: [`127.0.0.1/32:${secured.port}`] },
    });
    assert.ok('failure' in result && result.failure.code === 'TARGET_REFUSED');
    assert.deepEqual(
      scan.egress.map(({ outcome, address, port }) => [outcome, address, port]),
      [['REFUSED', '127.0.0.1', site.port]],
    );
    assert.equal(site.connections(), connections);
    assert.deepEqual(replayScan(writeScan(scan)), { scan, result });
  });
});

describe('what a scan has gathered', () => {
  it('is judged to the very same result again, byte for byte, without any network', () => {
    const connections = [site.connections(), secured.connections()];
    for (const judged of [plain, overTls]) {
      const again = replayScan(writeScan(judged.scan));
      assert.ok('result' in again);
      assert.deepEqual(again.scan, judged.scan);
      assert.equal(JSON.stringify(again.result), JSON.stringify(judged.result));
    }
    assert.deepEqual([site.connections(), secured.connections()], connections);
  });

  it('is judged the same after JSON as before, in every example of every check', async () => {
    for (const check of await loadPassiveChecks()) {
      for (const { name, given } of check.examples) {
        const artifacts = toArtifacts(given, check.probes);
        const [before, afterwards] = [artifacts, JSON.parse(JSON.stringify(artifacts))].map(toEvidence);
        assert.ok(before && afterwards);
        assert.deepEqual(runCheck(check, afterwards), runCheck(check, before), `${check.id}: ${name}`);
      }
    }
  });

  it('holds a certificate whose exponent is too large for a number', () => {
    const { publicKey, privateKey } = rsaKeys(2_048);
    const e = Buffer.alloc(200, 0x7f).toString('base64url');
    const odd = createPublicKey({ key: { ...publicKey.export({ format: 'jwk' }), e }, format: 'jwk' });
    const issuer = issue({ name: 'issuer.test', keys: { publicKey, privateKey } });
    const certificate = readCertificate(issue({ name: 'odd.test', issuer, keys: { publicKey: odd, privateKey } }).der);
    assert.deepEqual(JSON.parse(JSON.stringify(certificate)), certificate);
  });

  it('leaves out the checks whose evidence an older Sortie has not gathered', () => {
    const again = changed(({ gathered }) => delete gathered.methods);
    assert.ok('result' in again && 'findings' in again.result);
    const reasons = again.result.notRun?.filter(({ checkId }) => checkId.startsWith('method-'));
    assert.deepEqual(new Set(reasons?.map(({ reason }) => reason)), new Set([OLDER.missing]));
  });

  it('is judged although a whole group of checks is younger than it', () => {
    const again = changed(({ gathered }) => delete gathered.cors);
    assert.ok('result' in again && 'findings' in again.result && 'findings' in overTls.result);
    assert.deepEqual(again.result.findings, overTls.result.findings);
  });

  it('is refused when it is something else, of a newer format, or damaged', () => {
    const refusalOf = (again: ReturnType<typeof replayScan>) => ('refusal' in again ? again.refusal : 'it was judged');
    for (const text of [
      '',
      '\0',
      'null',
      '[]',
      '{}',
      '{"format":"sortie-artifacts"}',
      '{"format":"other","version":1}',
    ])
      assert.match(refusalOf(replayScan(text)), /^is not a file that "sortie scan --save" has written$/, text);
    const newer = changed((saved) => {
      saved.version = 2;
    });
    assert.match(refusalOf(newer), /^was saved by a newer Sortie \(format 2, this one reads 1\): update this one$/);
    const damages = [
      changed(({ gathered }) => delete gathered.mainPage),
      changed(({ gathered }) => gathered.mainPage.hops.splice(0)),
      changed(({ gathered }) => {
        gathered.mainPage.hops[0].url = 'nowhere';
      }),
      changed(({ gathered }) => {
        gathered.tlsProbes = 7;
      }),
      changed((saved) => delete saved.createdAt),
    ];
    for (const damaged of damages) assert.match(refusalOf(damaged), /^is damaged: ./);
  });
});

describe('the URL of a scan', () => {
  it('is read as the API reads it', () => {
    assert.deepEqual(readScanUrl('www.Example.co.uk'), { url: 'https://www.Example.co.uk/', domain: 'example.co.uk' });
    assert.deepEqual(readScanUrl('http://a.github.io:81/b?c'), {
      url: 'http://a.github.io:81/b?c',
      domain: 'a.github.io',
    });
    assert.deepEqual(readScanUrl('http://[::1]:81/'), { url: 'http://[::1]:81/', domain: '[::1]' });
    for (const wrong of ['', 'ftp://example.com', 'http://', 'https://user@example.com/', 'a b', 'https://exa%24mple/'])
      assert.ok('refusal' in readScanUrl(wrong), wrong);
  });
});
