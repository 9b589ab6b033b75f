import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { listenAndCount } from '@sortie/testing/targets/target-servers.ts';
import { rangeProgram } from '../../../range/src/index.ts';
import { toEvidence } from '../evidence/evidence.ts';
import { createSender } from '../http/send/create-sender.ts';
import { definePassiveCheck, type PassiveCheck, toArtifacts } from '../passive/define-passive-check.ts';
import { EngineScript } from '../protocol/engine-script.ts';
import type { ScanOrder } from '../protocol/messages.ts';
import { ScanResult } from '../protocol/scan-result.ts';
import { createScanScope } from '../target/scope.ts';
import { judgeSite, runScan, scanLimits } from './run-scan.ts';

const orderFor = (url: string, allowAddresses: readonly string[], script: EngineScript | null = null): ScanOrder => ({
  type: 'scan',
  scanId: 'scn_1',
  url,
  attempt: 1,
  script,
  network: { allowAddresses, resolvers: [], userAgent: 'Sortie test' },
  optedOut: [],
});

/** Runs a scan as the engine process does. */
async function scan(order: ScanOrder): Promise<ScanResult> {
  const { network, scanId } = order;
  await using cleanUp = new AsyncDisposableStack();
  const sender = createSender({
    network,
    scope: createScanScope(),
    runId: scanId,
    limits: scanLimits,
    verifyTls: false,
  });
  cleanUp.defer(() => sender.close());
  return ScanResult.parse(await runScan(order, { sender }));
}

async function failureOf(order: ScanOrder) {
  const result = await scan(order);
  assert.ok('failure' in result, 'it was judged');
  return result.failure;
}

describe('a scan of the range', () => {
  let range: ChildProcess;
  let origin = '';
  before(async () => {
    range = spawn(process.execPath, [rangeProgram], { stdio: ['pipe', 'pipe', 'ignore'] });
    assert.ok(range.stdout);
    const [line] = await once(createInterface({ input: range.stdout }), 'line', {
      signal: AbortSignal.timeout(15_000),
    });
    origin = `http://127.0.0.1:${JSON.parse(line).port}`;
  });
  after(() => range.kill());

  it('finds what its main page lacks', async () => {
    const result = await scan(orderFor(`${origin}/`, [`127.0.0.1/32:${new URL(origin).port}`]));
    assert.ok('findings' in result);
    const found = result.findings.map(({ checkId, severity, scoreImpact }) => [checkId, severity, scoreImpact]);
    for (const expected of [
      // Uses up all points that cookies can cost.
      ['cookie-on-http', 'HIGH', 25],
      ['clickjacking-unprotected', 'MEDIUM', 8],
      ['csp-missing', 'HIGH', 25],
      ['cookie-samesite-missing', 'LOW', 0],
      ['nosniff-missing', 'LOW', 3],
    ]) {
      assert.ok(
        found.some((one) => JSON.stringify(one) === JSON.stringify(expected)),
        `${expected} is not among ${JSON.stringify(found)}`,
      );
    }
    assert.ok(!found.some(([checkId]) => checkId === 'hsts-missing'), 'plain http has no use for HSTS');
    assert.equal(result.findings[0]?.affectedUrl, `${origin}/`);
    assert.equal(
      100 - result.score,
      result.findings.reduce((sum, { scoreImpact }) => sum + scoreImpact, 0),
    );
    assert.equal(result.checks.notRun, 0);
  });

  it('fails where the address may not be contacted', async () => {
    const { code, message } = await failureOf(orderFor(`${origin}/`, []));
    assert.equal(code, 'TARGET_REFUSED');
    assert.match(message, /ask the operator/);
  });

  it('fails on a page that is not there', async () => {
    const { code, message } = await failureOf(orderFor(`${origin}/nowhere`, ['127.0.0.1/32']));
    assert.equal(code, 'NOT_GATHERED');
    assert.match(message, /status 404/);
  });
});

describe('a scan', () => {
  it('fails where nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    server.close();
    await once(server, 'close');
    const { code } = await failureOf(orderFor(`http://127.0.0.1:${address.port}/`, ['127.0.0.1/32']));
    assert.equal(code, 'TARGET_UNREACHABLE');
  });

  it('judges a site with a bad certificate, and reports it', async () => {
    const { pem, keyPem } = issue({ name: 'other.test', names: ['other.test'], from: -60, to: -1 });
    const https = createHttpsServer({ key: keyPem, cert: pem }, (_, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
    });
    await using cleanUp = new AsyncDisposableStack();
    const site = await listenAndCount(https);
    cleanUp.defer(() => site.close());
    const result = await scan(orderFor(`https://127.0.0.1:${site.port}/`, ['127.0.0.1/32']));
    assert.ok('findings' in result);
    const found = result.findings.map(({ checkId }) => checkId);
    for (const id of ['cert-expired', 'cert-host-mismatch', 'cert-self-signed', 'clickjacking-unprotected']) {
      assert.ok(found.includes(id), `${id} is not among ${found}`);
    }
    assert.equal(result.grade, 'F');
    // On a non-default port, nothing is known about plain http.
    const notRun = result.notRun?.map(({ checkId }) => checkId) ?? [];
    assert.deepEqual(
      notRun.filter((id) => /^(?:tls|cert)-/.test(id)),
      [],
    );
  });

  const result: ScanResult = { failure: { code: 'PLAYED', message: 'As the script says.' } };

  it('plays its script, and contacts nobody', async () => {
    const contact = () => assert.fail('somebody was contacted');
    const play = (script: EngineScript) =>
      runScan(orderFor('https://site.example/', [], script), {
        sender: { follow: contact, send: contact, openSocket: contact, sharesConnection: contact },
      });
    assert.deepEqual(await play(EngineScript.parse({ scan: { result } })), result);
    const withoutScan = await play(EngineScript.parse({}));
    assert.ok('failure' in withoutScan && withoutScan.failure.code === 'NOT_SCANNED');
  });
});

describe('the judgement of a site', () => {
  const evidence = toEvidence(toArtifacts({ url: `https://site.example/${'x'.repeat(9_000)}` }));
  const check = (id: string, run: PassiveCheck['run']) =>
    definePassiveCheck({
      id,
      group: 'headers',
      severity: 'LOW',
      cwe: null,
      title: 'A title',
      why: 'Why.',
      fix: 'Fix.',
      references: [],
      needs: ['mainDocument'],
      examples: [],
      run,
    });

  it('goes on without a check that breaks, and says why', () => {
    const result = judgeSite(evidence, [
      check('breaks', function* () {
        yield { evidence: 'half of it' };
        throw new Error('it broke');
      }),
      check('fails', () => [{ evidence: 'seen' }]),
      check('passes', () => []),
    ]);
    assert.ok('findings' in result);
    assert.deepEqual(result.checks, { passed: 1, failed: 1, notApplicable: 0, notRun: 1 });
    assert.deepEqual(result.notRun, [{ checkId: 'breaks', reason: 'it broke' }]);
    assert.deepEqual(
      result.findings.map(({ checkId }) => checkId),
      ['fails'],
    );
    assert.equal(result.score, 97);
  });

  it('gives a check only what it asked for', () => {
    let given: object = {};
    judgeSite(evidence, [
      check('curious', (all) => {
        given = all;
        return [];
      }),
    ]);
    assert.deepEqual(Object.keys(given), ['mainDocument']);
  });

  it('fits into a message, whatever a site sends, and still adds up', () => {
    const flood = Array.from({ length: 40 }, (_, index) =>
      check(`flood-${index}`, function* () {
        for (;;) yield { evidence: '\0'.repeat(50_000), severity: 'HIGH', confidence: 'TENTATIVE' } as const;
      }),
    );
    const result = judgeSite(evidence, [...flood, check('milder', () => [{ evidence: 'seen' }])]);
    assert.ok('findings' in result && ScanResult.safeParse(result).success);
    assert.ok(Buffer.byteLength(JSON.stringify(result)) < 4 * 1024 * 1024);
    assert.equal(result.findings.length, 300);
    assert.deepEqual(
      [result.score, result.findings.at(-1)?.checkId, result.findings.at(-1)?.scoreImpact],
      [97, 'milder', 3],
    );
  });
});
