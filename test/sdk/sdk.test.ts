import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { ScanResult } from '@sortie/engine';
import { ApiError, type Client, createClient, createSecret, TransportError } from '@sortie/sdk';
import { createStarter, type Starter } from '@sortie/testing/world/pentests.ts';
import { finding, play, type Script } from '@sortie/testing/world/runs.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  world = await createWorld({ env: manyRequests, flags: ['--no-demo', '--role', 'all'] });
});
after(() => world.end());

interface Customer extends Starter {
  client: Client;
}

async function createCustomer(options: Parameters<typeof createStarter>[1] = {}): Promise<Customer> {
  const starter = await createStarter(world, options);
  return { ...starter, client: clientOf(starter.apiKey) };
}

const clientOf = (apiKey: string) => createClient({ apiKey: createSecret(apiKey), baseUrl: world.server.baseUrl });

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const quick = { maxWaitMs: 60_000, pollMs: 100 };

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  assert.equal(typeof error.requestId, 'string');
  assert.ok(error.rateLimit);
  return error.code;
}

const steps = (...severities: ('HIGH' | 'LOW')[]): Script => ({
  steps: [{ phase: 'WEB_TEST', findings: severities.map((severity) => finding(randomUUID(), { severity })) }],
});

const scanFinding: Extract<ScanResult, { score: number }>['findings'][number] = {
  checkId: 'tls-version',
  title: 'Old TLS',
  description: 'What it is.',
  severity: 'HIGH',
  confidence: 'CONFIRMED',
  category: 'tls',
  affectedUrl: null,
  evidence: 'TLS 1.0',
  remediation: 'Turn it off.',
  cwe: 326,
  scoreImpact: 25,
  references: [],
};

describe('the client, with a real service', { concurrency: 3 }, () => {
  it('reads balance, levels and usage, each with its rate limit', async () => {
    const { client } = await createCustomer({ credits: 500 });
    const balance = await client.credits.balance();
    assert.deepEqual([balance.data.available, balance.data.nextExpiry], [500, null]);
    assert.ok(balance.rateLimit && balance.rateLimit.remaining < balance.rateLimit.limit);
    const { levels } = (await client.levels.list()).data;
    assert.ok(levels.some(({ depth, api }) => depth === 'LEAD' && api));
    const records = await toArray(client.credits.usageAll({ from: new Date(0), limit: 1 }));
    assert.deepEqual(
      records.map(({ type, credits }) => [type, credits]),
      [['GRANT', 500]],
    );
  });

  it('starts a run once for each key, follows it and fails it by its findings', async () => {
    const { client, target, ...starter } = await createCustomer();
    await play(world, starter, steps('HIGH', 'LOW', 'LOW'));
    const credentials = [{ name: 'shopper', user: 'sam', pass: createSecret('pass word'), mode: 'form' as const }];
    const body = { ...target, depth: 'LEAD' as const, credentials };
    const first = await client.pentests.start(body);
    assert.deepEqual([first.data.status, first.replayed], ['QUEUED', false]);
    const again = await client.pentests.start(body, { idempotencyKey: first.idempotencyKey });
    assert.deepEqual([again.data, again.replayed], [first.data, true]);

    const judgement = await client.waitForJudgement(first.data.id, quick);
    assert.ok(judgement.kind === 'failed', JSON.stringify(judgement));
    assert.deepEqual([judgement.failing.length, judgement.findings.length], [1, 3]);
    const mild = await client.waitForJudgement(first.data.id, { policy: { failOn: 'critical' } });
    assert.equal(mild.kind, 'passed');

    const low = await client.pentests.findings(first.data.id, { severity: ['LOW'], limit: 1 });
    assert.deepEqual([low.data.total, low.data.nextOffset], [2, 1]);
    const all = await toArray(client.pentests.findingsAll(first.data.id, { severity: ['LOW'], limit: 1 }));
    assert.equal(all.length, 2);
  });

  it('cancels a run, which then has ended and is listed so', async () => {
    const { client, target, ...starter } = await createCustomer();
    await play(world, starter, { steps: [{ phase: 'RECON', milliseconds: 600_000 }] });
    const { data } = await client.pentests.start(target);
    assert.equal((await client.waitForJudgement(data.id, { maxWaitMs: 0 })).kind, 'undecided');
    assert.deepEqual((await client.pentests.cancel(data.id)).data, { success: true, status: 'CANCELLED' });
    assert.equal((await client.waitForJudgement(data.id, { maxWaitMs: 0 })).kind, 'ended');
    const listed = await toArray(client.pentests.listAll({ status: ['CANCELLED', 'FAILED'] }));
    assert.deepEqual(
      listed.map(({ id, status }) => [id, status]),
      [[data.id, 'CANCELLED']],
    );
  });

  it('starts scans, waits for them and judges them', async () => {
    const { client, ...starter } = await createCustomer();
    const scan = async (result: ScanResult) => {
      await play(world, starter, { scan: { result } });
      const { data } = await client.scans.start({ url: `https://${randomUUID()}.example.com/` });
      assert.equal(data.domain, 'example.com');
      return client.waitForScan(data.id, quick);
    };
    const checks = { passed: 9, failed: 0, notRun: 0 };
    const clean = await scan({ score: 100, grade: 'A+', checks, findings: [] });
    assert.ok(clean.kind === 'passed' && clean.score === 100, JSON.stringify(clean));
    const bad = await scan({ score: 75, grade: 'C', checks, findings: [scanFinding] });
    assert.ok(bad.kind === 'failed' && bad.failing[0]?.severity === 'HIGH', JSON.stringify(bad));
    const unjudged = await scan({ failure: { code: 'UNREACHABLE', message: 'No answer.' } });
    assert.ok(unjudged.kind === 'ended' && unjudged.scan.failure?.code === 'UNREACHABLE', JSON.stringify(unjudged));
  });

  it('tells refusals by their codes', async () => {
    const poor = await createCustomer({ credits: 0 });
    const reader = await world.createKey(poor, { permissions: 'pentests:read' });
    const { client, target } = poor;
    assert.equal(await codeOf(client.pentests.start(target)), 'INSUFFICIENT_CREDITS');
    assert.equal(await codeOf(client.pentests.get('pen_none')), 'NOT_FOUND');
    assert.equal(await codeOf(client.pentests.findings('pen_none', { severity: ['odd'] })), 'VALIDATION_ERROR');
    assert.equal(await codeOf(clientOf(reader.apiKey).pentests.start(target)), 'FORBIDDEN');
    assert.equal(await codeOf(clientOf(`${reader.apiKey}x`).levels.list()), 'UNAUTHORIZED');
    const key = { idempotencyKey: randomUUID() };
    await client.scans.start({ url: 'example.com' }, key);
    assert.equal(await codeOf(client.scans.start({ url: 'example.org' }, key)), 'IDEMPOTENCY_KEY_REUSED');
  });
});

/** A server of a test's own; closed when the test is over. */
async function withServer(listener: RequestListener, use: (client: Client) => Promise<void>): Promise<void> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await use(createClient({ apiKey: 'key', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 }));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('on the wire', () => {
  it('a cancel has a Content-Length of 0 and no body', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(request.headers);
      response.end('{"success":true,"status":"CANCELLED"}');
    };
    await withServer(listener, async (client) => {
      await client.pentests.cancel('pen_1');
    });
    const [headers] = seen;
    assert.deepEqual([headers?.['content-length'], headers?.['transfer-encoding']], ['0', undefined]);
  });

  it('a redirect is not followed', async () => {
    let count = 0;
    const listener: RequestListener = (_request, response) => {
      count++;
      response.writeHead(307, { location: '/v1/elsewhere' }).end();
    };
    await withServer(listener, async (client) => {
      await assert.rejects(client.scans.start({ url: 'example.com' }), { code: 'HTTP_307' });
    });
    assert.equal(count, 1);
  });

  it('an answer that breaks off is a failure of the network', async () => {
    const listener: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"levels":', () => response.destroy());
    };
    await withServer(listener, async (client) => {
      await assert.rejects(
        client.levels.list(),
        (error) => error instanceof TransportError && error.reason === 'network',
      );
    });
  });
});
