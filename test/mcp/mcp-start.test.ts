import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { emptyFolder } from '@sortie/testing/cli/cli.ts';
import { type McpClient, openMcp } from '@sortie/testing/cli/mcp-client.ts';
import {
  RUN_ID,
  refusal,
  type Script,
  type ScriptedService,
  started,
  startScriptedService,
} from '@sortie/testing/cli/scripted-service.ts';

const KEY = 'srt_test_scripted_0123456789';
const PASSWORD = 'correct-horse-battery';

const home = emptyFolder();
const folder = path.join(home, 'accounts');

const level = (depth: string, credits: number) => {
  const name = depth.toLowerCase();
  return { depth, name, credits, reviewCredits: 0, expertReview: false, api: true, maxMinutes: 60 };
};
const levels = { levels: [level('LEAD', 400), level('STANDARD', 2_000)] };

/** Starts get the answer that the name of their target asks for. */
const script: Script = ({ method, path: place, body }, before) => {
  if (place === '/v1/levels') return { body: levels };
  if (place === `/v1/pentests/${RUN_ID}/cancel`) return { body: { success: true, status: 'CANCELLED' } };
  if (method !== 'POST') return refusal(404, 'NOT_FOUND');
  if (place === '/v1/scans') return { status: 201, body: { id: 'scn_1', domain: 'shop.example', status: 'STARTED' } };
  const { targetUrl } = body as { targetUrl: string };
  if (targetUrl.includes('poor')) return refusal(402, 'INSUFFICIENT_CREDITS');
  if (targetUrl.includes('slow')) return refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '120' });
  if (targetUrl.includes('fickle') && before > 0) return refusal(422, 'IDEMPOTENCY_KEY_REUSED');
  if (targetUrl.includes('broken')) return before === 0 ? refusal(500, 'INTERNAL_ERROR') : refusal(403, 'FORBIDDEN');
  return started();
};

let service: ScriptedService;
const opened: McpClient[] = [];

before(async () => {
  service = await startScriptedService();
  mkdirSync(folder);
  writeFileSync(path.join(home, 'outside.yml'), `- { name: outside, user: eve, pass: ${PASSWORD} }\n`);
  writeFileSync(path.join(folder, 'shop.yml'), `- { name: shop, user: alice, pass: ${PASSWORD} }\n`);
  writeFileSync(path.join(folder, 'broken.yml'), `- { name: shop, ${PASSWORD} }\n`);
  symlinkSync(path.join(home, 'outside.yml'), path.join(folder, 'link.yml'));
});
after(async () => {
  await Promise.all(opened.map((mcp) => mcp.end()));
  await service.close();
  rmSync(home, { recursive: true });
});

/** A server that may start things, and the starts that reach the service. */
async function open(...flags: string[]) {
  const { baseUrl, asked } = service.play(script);
  const env = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: baseUrl, SORTIE_API_KEY: KEY };
  const mcp = await openMcp({ args: ['--allow-start', ...flags], env, cwd: home });
  opened.push(mcp);
  const starts = () => asked.filter(({ method, path: place }) => method === 'POST' && place === '/v1/pentests');
  const keys = () => starts().map(({ headers }) => headers['idempotency-key']);
  return { mcp, asked, starts, keys };
}

const lead = (changes: Record<string, unknown> = {}) => ({
  targetUrl: 'https://shop.example/',
  verificationId: 'ver_1',
  depth: 'LEAD',
  confirmCostCredits: 400,
  ...changes,
});

async function refusedWith(mcp: McpClient, input: Record<string, unknown>, why: RegExp): Promise<void> {
  const { isError, text } = await mcp.call('sortie_pentest_start', input);
  assert.equal(isError, true, text);
  assert.match(text, why);
}

describe('sortie mcp --allow-start', () => {
  it('says of the tools that change something what they do, and changes what is free under any ceiling', async () => {
    const { mcp, starts } = await open('--max-credits', '0');
    const { result } = await mcp.request('tools/list');
    const tools = result?.tools as { name: string; annotations: Record<string, boolean> }[];
    const changing = tools.filter(({ annotations }) => !annotations.readOnlyHint);
    assert.deepEqual(
      changing.map(({ name, annotations }) => [name, annotations]),
      [
        [
          'sortie_scan_start',
          { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
        ],
        [
          'sortie_pentest_start',
          { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
        ],
        [
          'sortie_pentest_cancel',
          { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
        ],
      ],
    );
    const scan = await mcp.call('sortie_scan_start', { url: 'https://shop.example/' });
    assert.deepEqual([scan.data.id, scan.data.status], ['scn_1', 'STARTED']);
    const cancelled = await mcp.call('sortie_pentest_cancel', { id: RUN_ID });
    assert.equal(cancelled.data.status, 'CANCELLED');
    await refusedWith(mcp, lead(), /\[SESSION_CEILING_EXCEEDED\]/);
    assert.deepEqual(starts(), []);
  });

  it('starts nothing at a price that is not the quoted one', async () => {
    const { mcp, starts } = await open('--max-credits', '5000');
    await refusedWith(
      mcp,
      lead({ confirmCostCredits: 399 }),
      /LEAD costs 400 credits.+\[COST_NOT_CONFIRMED\]\n {2}Ask/,
    );
    await refusedWith(mcp, lead({ confirmCostCredits: undefined }), /confirmCostCredits/);
    await refusedWith(mcp, lead({ depth: 'DEEP' }), /DEEP cannot be started through the API/);
    await refusedWith(mcp, lead({ verificationId: undefined }), /verificationId is missing/);
    assert.deepEqual(starts(), []);
  });

  it('counts a start once however often it is called, and holds the ceiling', async () => {
    const { mcp, keys } = await open('--max-credits', '1000');
    const first = await mcp.call('sortie_pentest_start', lead());
    assert.deepEqual([first.data.id, first.data.costCredits, first.data.sessionCreditsLeft], [RUN_ID, 400, 600]);
    const again = await mcp.call('sortie_pentest_start', lead());
    assert.equal(again.data.sessionCreditsLeft, 600);
    const other = await mcp.call('sortie_pentest_start', lead({ startKey: 'once more' }));
    assert.equal(other.data.sessionCreditsLeft, 200);
    await refusedWith(mcp, lead({ startKey: 'and more' }), /200 of the 1000 of this session are left/);
    const replayed = await mcp.call('sortie_pentest_start', lead());
    assert.equal(replayed.data.sessionCreditsLeft, 200);
    const [one, two, three, four, ...more] = keys();
    assert.deepEqual([one === two, two === three, one === four, more], [true, false, true, []]);
  });

  it('holds the ceiling when many starts are called at once', async () => {
    const { mcp, keys } = await open('--max-credits', '1000');
    const calls = ['a', 'b', 'c', 'd', 'e'].map((startKey) => mcp.call('sortie_pentest_start', lead({ startKey })));
    const answers = await Promise.all(calls);
    assert.equal(answers.filter(({ isError }) => isError).length, 3);
    assert.equal(new Set(keys()).size, 2);
  });

  it('gives back what a refused start would have cost, and keeps what may have been started', async () => {
    const { mcp, keys } = await open('--max-credits', '800');
    const poor = lead({ targetUrl: 'https://poor.example/' });
    for (const _try of ['first', 'second', 'third']) await refusedWith(mcp, poor, /\[INSUFFICIENT_CREDITS\]/);
    assert.equal(new Set(keys()).size, 1);
    const slow = lead({ targetUrl: 'https://slow.example/' });
    for (const _try of ['first', 'second']) await refusedWith(mcp, slow, /\[IDEMPOTENCY_IN_PROGRESS\]/);
    const { data } = await mcp.call('sortie_pentest_start', lead());
    assert.equal(data.sessionCreditsLeft, 0);
  });

  it('keeps counting a run whose start is refused when it is sent once more', async () => {
    const { mcp } = await open('--max-credits', '800');
    const fickle = lead({ targetUrl: 'https://fickle.example/' });
    const first = await mcp.call('sortie_pentest_start', fickle);
    assert.equal(first.data.sessionCreditsLeft, 400);
    await refusedWith(mcp, fickle, /\[IDEMPOTENCY_KEY_REUSED\]\n.+another startKey/);
    const { data } = await mcp.call('sortie_pentest_start', lead());
    assert.equal(data.sessionCreditsLeft, 0);
  });

  it('keeps counting a start that broke down before it was refused: the run may be there', async () => {
    const { mcp, keys } = await open('--max-credits', '500');
    await refusedWith(mcp, lead({ targetUrl: 'https://broken.example/' }), /\[FORBIDDEN\]/);
    assert.equal(keys().length, 2);
    await refusedWith(mcp, lead(), /100 of the 500 of this session are left/);
  });

  it('takes no test accounts as arguments', async () => {
    const { mcp, starts } = await open('--max-credits', '1000');
    const credentials = [{ name: 'shop', user: 'alice', pass: PASSWORD }];
    await refusedWith(mcp, lead({ credentials }), /Unrecognized key: "credentials"/);
    await refusedWith(mcp, lead({ credentialsRef: 'shop.yml' }), /Unrecognized key: "credentialsRef"/);
    assert.deepEqual(starts(), []);
    assert.doesNotMatch(mcp.written(), new RegExp(PASSWORD));
  });

  it('takes the text of an API description, and another text starts another run', async () => {
    const { mcp, starts } = await open('--max-credits', '1000');
    const texts = ['{"openapi":"3.0.0","paths":{}}', 'openapi: 3.0.0\npaths: {}'];
    for (const apiDescription of texts) await mcp.call('sortie_pentest_start', lead({ apiDescription }));
    assert.deepEqual(
      starts().map(({ body }) => (body as { apiDescription: unknown }).apiDescription),
      texts,
    );
    assert.equal(new Set(starts().map(({ headers }) => headers['idempotency-key'])).size, 2);
  });

  it('takes test accounts from files of the folder that was allowed, and shows nothing of them', async () => {
    const { mcp, starts } = await open('--max-credits', '1000', '--credentials-dir', folder);
    for (const credentialsRef of ['../outside.yml', path.join(home, 'outside.yml'), 'link.yml', '.', 'none.yml']) {
      await refusedWith(mcp, lead({ credentialsRef }), /is not a file in the folder.+\n {2}Files there: .*shop\.yml/);
    }
    await refusedWith(mcp, lead({ credentialsRef: 'broken.yml' }), /credentials\[0\].* is not valid/);
    assert.deepEqual(starts(), []);
    const { isError } = await mcp.call('sortie_pentest_start', lead({ credentialsRef: 'shop.yml' }));
    assert.equal(isError, false);
    const sent = starts().map(({ body }) => (body as { credentials: unknown }).credentials);
    assert.deepEqual(sent, [[{ name: 'shop', user: 'alice', pass: PASSWORD }]]);
    assert.doesNotMatch(mcp.written(), new RegExp(`${PASSWORD}|${KEY}|alice`));
  });
});
