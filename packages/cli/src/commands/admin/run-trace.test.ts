import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createCommands } from '@sortie/testing/cli/commands.ts';
import { createReviewScene, type ReviewScene } from '@sortie/testing/world/reviewed-runs.ts';

let scene: ReviewScene;
let traced: string;
before(async () => {
  scene = await createReviewScene();
  traced = await scene.completeRun('LEAD');
  const { queries } = scene.test.database;
  const place = { pentest_id: traced, epoch: 1, method: 'GET', url: 'https://shop.example.test/search?q=tea' };
  const point = { ...place, parameter: 'q', location: 'query' as const, account: null };
  const plain = { ...point, verdict: null, requests: '[]' };
  const sent = [
    { label: 'original', request: 'GET https://shop.example.test/search?q=tea', outcome: '200, 12 bytes, 3 ms' },
    { label: 'script', request: 'GET https://shop.example.test/search?q=%1b[2J', outcome: 'no response: timeout' },
  ];
  const cart = { ...plain, url: 'https://shop.example.test/cart', parameter: null, location: null, account: 'alice' };
  await queries
    .insertInto('diagnostic')
    .values([
      { ...plain, event: 'PLANNED', checks: ['open-redirect', 'reflected-xss'], reason: '' },
      { ...cart, event: 'THREW', checks: ['csrf'], epoch: 2, reason: 'TypeError\nat judge (csrf.ts:1:1)' },
      {
        ...plain,
        event: 'JUDGED',
        checks: ['reflected-xss'],
        verdict: 'VOID',
        reason: 'No response to "script\u001b[2J".',
        requests: JSON.stringify(sent),
      },
    ])
    .execute();
  await queries.insertInto('diagnostic_total').values({ pentest_id: traced, kept: 3, not_kept: 7 }).execute();
});
after(() => scene.end());

const { run } = createCommands('');
const trace = (...args: string[]) => run(['admin', 'run', 'trace', ...args], { env: { DATABASE_URL: scene.test.url } });

/** The lines about insertion points, below the facts about the run. */
async function places(...args: string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await trace(traced, ...args);
  assert.deepEqual([exitCode, stderr], [0, '']);
  return stdout.slice(stdout.indexOf('\n\n') + 2).split('\n');
}

describe('sortie admin run trace', () => {
  it('shows by insertion point what was planned, sent and judged, and how much was not kept', async () => {
    const { stdout } = await trace(traced);
    assert.equal(
      stdout,
      `run          ${traced}
target       ${scene.target.targetUrl}
depth        LEAD
status       COMPLETED
diagnostics  3 kept, 7 more not kept

GET https://shop.example.test/search?q=tea, query q
  PLANNED      open-redirect, reflected-xss
  JUDGED       reflected-xss  VOID: No response to "script?[2J".
    original: GET https://shop.example.test/search?q=tea -> 200, 12 bytes, 3 ms
    script: GET https://shop.example.test/search?q=%1b[2J -> no response: timeout

GET https://shop.example.test/cart, as alice
  THREW        csrf  TypeError  (epoch 2)
    at judge (csrf.ts:1:1)
`,
    );
  });

  it('shows one check, or the insertion points with a part of a URL', async () => {
    const ofCheck = await places('--check', 'open-redirect');
    assert.deepEqual(ofCheck, [
      'GET https://shop.example.test/search?q=tea, query q',
      '  PLANNED      open-redirect',
      '',
    ]);
    const ofUrl = await places('--url', '/CART');
    assert.equal(ofUrl[0], 'GET https://shop.example.test/cart, as alice');
    assert.deepEqual(await places('--check', 'csrf', '--url', '/search'), [
      'No diagnostics match. Without --check and --url the command shows all.',
      '',
    ]);
  });

  it('prints the same as JSON', async () => {
    const { stdout } = await trace(traced, '--check', 'csrf', '--json');
    const { diagnostics, ...facts } = JSON.parse(stdout);
    assert.deepEqual(facts, {
      id: traced,
      status: 'COMPLETED',
      targetUrl: scene.target.targetUrl,
      depth: 'LEAD',
      kept: 3,
      notKept: 7,
    });
    assert.deepEqual(
      diagnostics.map(({ event, checks, epoch, account }: Record<string, unknown>) => [event, checks, epoch, account]),
      [['THREW', ['csrf'], 2, 'alice']],
    );
  });

  it('says why a run has none', async () => {
    const { stdout } = await trace(await scene.completeRun('LEAD'));
    assert.match(stdout, /0 kept, none dropped\n\nNo diagnostics are stored\./);
  });

  it('says why a run has none although there were some', async () => {
    const runId = await scene.completeRun('LEAD');
    const { queries } = scene.test.database;
    await queries.insertInto('diagnostic_total').values({ pentest_id: runId, kept: 0, not_kept: 7 }).execute();
    const { stdout } = await trace(runId);
    assert.match(stdout, /0 kept, 7 more not kept\n\nNo diagnostics were kept: each contained a secret/);
  });

  it('refuses an unknown run and what is no check', async () => {
    const unknown = await trace('pen_none');
    assert.equal(unknown.exitCode, 1);
    assert.match(unknown.stderr, /There is no pentest "pen_none"\. List runs with: npx sortie admin run list/);
    const wrong = await trace(traced, '--check', 'XSS!');
    assert.notEqual(wrong.exitCode, 0);
    assert.match(wrong.stderr, /check must be the id of a check, such as reflected-xss/);
  });
});
