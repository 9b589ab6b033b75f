import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { emptyFolder } from '@sortie/testing/cli/cli.ts';
import { type McpClient, openMcp } from '@sortie/testing/cli/mcp-client.ts';
import { type Client, createClient, follow, followScan, urlOf } from '@sortie/testing/server/sandbox.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let client: Client;
let mcp: McpClient;
const home = emptyFolder();

before(async () => {
  world = await createWorld({ env: manyRequests, flags: ['--no-demo', '--role', 'api'] });
  client = await createClient(world);
  const env = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: world.server.baseUrl, SORTIE_API_KEY: client.apiKey };
  mcp = await openMcp({ args: ['--allow-start', '--max-credits', '900'], env, cwd: home });
});
after(async () => {
  await mcp.end();
  await world.end();
  rmSync(home, { recursive: true });
});

async function read(tool: string, input: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const { isError, text, data } = await mcp.call(tool, input);
  assert.equal(isError, false, text);
  return data;
}

async function priceOf(wanted: string): Promise<number> {
  const { levels } = await read('sortie_levels');
  const level = (levels as { depth: string; credits: number }[]).find(({ depth }) => depth === wanted);
  return level?.credits ?? assert.fail(`no level ${wanted}`);
}

async function startStory(story: string): Promise<string> {
  const { id } = await read('sortie_pentest_start', {
    targetUrl: urlOf(story),
    verificationId: client.verificationId,
    depth: 'LEAD',
    confirmCostCredits: await priceOf('LEAD'),
  });
  return String(id);
}

describe('sortie mcp with a service', () => {
  it('starts a pentest, reads its findings page by page, explains one and judges the run', async () => {
    const id = await startStory('released-many-findings');
    await follow(world, client, id, ({ status, reportReleased }) => status === 'COMPLETED' && reportReleased);
    assert.equal((await read('sortie_pentest_get', { id })).status, 'COMPLETED');
    const page = await read('sortie_pentest_findings', { id, offset: 20 });
    const findings = page.findings as { id: string; title: string }[];
    assert.deepEqual([findings.length, page.total, page.nextOffset], [20, 120, 40]);
    const findingId = findings[0]?.id;
    const explained = await read('sortie_pentest_explain_finding', { id, findingId });
    assert.deepEqual([explained.id, explained.title], [findingId, findings[0]?.title]);
    const { outcome, failing } = await read('sortie_pentest_gate_check', {
      id,
      failOn: 'INFO',
      minConfidence: 'TENTATIVE',
    });
    assert.deepEqual([outcome, (failing as unknown[]).length], ['failed', 20]);
  });

  it('cancels a run, lists it, and says what is left of the session', async () => {
    const id = await startStory('queued');
    assert.equal((await read('sortie_pentest_gate_check', { id })).outcome, 'undecided');
    assert.equal((await read('sortie_pentest_cancel', { id })).status, 'CANCELLED');
    const { pentests } = await read('sortie_pentest_list', { status: ['CANCELLED'] });
    assert.deepEqual(
      (pentests as { id: string }[]).map((pentest) => pentest.id),
      [id],
    );
    const { session } = await read('sortie_credits_balance');
    const started = 2 * (await priceOf('LEAD'));
    assert.deepEqual(session, { maxCredits: 900, started, left: 900 - started });
  });

  it('scans', async () => {
    const { id } = await read('sortie_scan_start', { url: urlOf('scan-findings') });
    await followScan(world, client, String(id));
    const scan = await read('sortie_scan_get', { id });
    assert.deepEqual([scan.score, scan.grade], [9, 'F']);
    const { findings, total } = await read('sortie_scan_findings', { id, severity: ['CRITICAL', 'HIGH'] });
    assert.deepEqual([(findings as unknown[]).length, total], [2, 2]);
  });

  it('says what to do when the service refuses, and never shows the key', async () => {
    const { isError, text } = await mcp.call('sortie_scan_start', { url: urlOf('plan-limit') });
    assert.equal(isError, true);
    assert.match(text, /\[PLAN_LIMIT_EXCEEDED\]\n {2}Wait until next month/);
    assert.ok(!mcp.written().includes(client.apiKey));
  });
});
