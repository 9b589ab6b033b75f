import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { bundleAction, bundlePath } from '../ci/github/build.ts';
import { samplePentestFinding, sampleScanFinding } from './support/sample-reports.ts';

const KEY = 'srt_test_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbcccccc';
const RUN = { id: 'pnt_1', status: 'QUEUED' };

interface Asked {
  method: string;
  path: string;
  key: string | undefined;
  body: string;
}

let asked: Asked[] = [];
interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}
let answers: Record<string, Answer | ((idempotencyKey: unknown) => Answer)> = {};

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Plays the service and GitHub: each answer by its method and path. */
const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '', 'http://localhost');
  const body = await read(request);
  const call = `${request.method} ${url.pathname}`;
  const key = request.headers['idempotency-key'];
  asked.push({
    method: request.method ?? '',
    path: url.pathname,
    key: typeof key === 'string' ? key : undefined,
    body,
  });
  const played = answers[call] ?? {
    status: 404,
    body: { code: 'NOT_FOUND', message: 'No such thing', statusCode: 404 },
  };
  const { status = 200, headers, body: answer } = typeof played === 'function' ? played(key) : played;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(answer));
});

let folder: string;
const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const pentest = (changes: object = {}) => ({
  id: 'pnt_1',
  targetUrl: 'https://shop.example.com/',
  status: 'COMPLETED',
  depth: 'LEAD',
  apiKeyId: null,
  createdAt: '2026-11-15T10:00:00.000Z',
  startedAt: '2026-11-15T10:00:05.000Z',
  completedAt: '2026-11-15T12:30:00.000Z',
  reportReleased: true,
  credits: { state: 'CHARGED', reserved: 100, charged: 100, returned: 0 },
  ...changes,
});

function playPentest(findings: object[], changes: object = {}): void {
  answers['POST /v1/pentests'] = { status: 201, body: RUN };
  answers['GET /v1/pentests/pnt_1'] = { body: pentest(changes) };
  const page = { id: 'pnt_1', reportReleased: true, total: findings.length, nextOffset: null, findings };
  answers['GET /v1/pentests/pnt_1/findings'] = { body: page };
}

function playScan(findings: object[], total = findings.length): void {
  answers['POST /v1/scans'] = { status: 201, body: { id: 'scn_1', domain: 'example.com', status: 'STARTED' } };
  const times = { createdAt: '2026-11-15T10:00:00.000Z', completedAt: '2026-11-15T10:02:00.000Z' };
  const run = { id: 'scn_1', url: start.target, domain: 'example.com', status: 'COMPLETED', score: 75, grade: 'C' };
  const rest = { algorithmVersion: 1, findingCounts: null, checks: null, apiKeyId: null, failure: null };
  answers['GET /v1/scans/scn_1'] = { body: { ...run, ...rest, ...times } };
  const page = { id: 'scn_1', status: 'COMPLETED', total, nextOffset: null, findings };
  answers['GET /v1/scans/scn_1/findings'] = { body: page };
}

/** Runs the committed bundle as a runner does, and reads what it left. */
async function act(inputs: Record<string, string>, environment: Record<string, string> = {}) {
  const files = { GITHUB_OUTPUT: path.join(folder, 'output'), GITHUB_STEP_SUMMARY: path.join(folder, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const given = { 'api-key': KEY, 'base-url': origin(), ...inputs };
  const env = {
    PATH: process.env.PATH ?? '',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_SHA: 'abc',
    GITHUB_API_URL: origin(),
    ...files,
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
    ...environment,
  };
  const { code, log } = await new Promise<{ code: number; log: string }>((resolve) => {
    execFile(process.execPath, [bundlePath], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, log: stdout + stderr }),
    );
  });
  const output = readFileSync(files.GITHUB_OUTPUT, 'utf8');
  const outputs = Object.fromEntries(
    [...output.matchAll(/^(.+?)<<(ghadelimiter_\S+)\n([\s\S]*?)\n\2$/gm)].map(([, name, , value]) => [name, value]),
  );
  return { code, log, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

const start = { target: 'https://shop.example.com/', 'verification-id': 'ver_1' };

/** Claims nothing of what was not read: no SARIF, no counts, not even zeros in the summary. */
function assertUndecided({ code, outputs, summary }: Awaited<ReturnType<typeof act>>, exitCode: string): void {
  assert.equal(code, 1);
  assert.deepEqual([outputs.verdict, outputs['exit-code']], ['undecided', exitCode]);
  assert.equal(outputs['report-released'], 'false');
  const unsaid = ['sarif-file', 'critical', 'high', 'medium', 'low', 'info'].filter((name) => name in outputs);
  assert.deepEqual(unsaid, []);
  assert.equal(existsSync(path.join(folder, 'none.sarif')), false);
  assert.match(summary, /\*\*Gate undecided\*\*/);
  assert.doesNotMatch(summary, /\| 0 \|/);
}

function asPullRequest(repository: string): Record<string, string> {
  const file = path.join(folder, 'event.json');
  writeFileSync(file, JSON.stringify({ pull_request: { number: 7, head: { repo: { full_name: repository } } } }));
  return { GITHUB_EVENT_PATH: file };
}

describe('the action for GitHub', () => {
  before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sortie-action-'));
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    asked = [];
    answers = {};
  });

  it('is built from its sources: "npm run build:action" changes nothing', async () => {
    assert.ok((await bundleAction()) === readFileSync(bundlePath, 'utf8'), 'run "npm run build:action"');
  });

  it('starts a pentest and leaves its id, without waiting', async () => {
    playPentest([]);
    const { code, outputs } = await act({ ...start, mode: 'start', depth: 'standard' });
    assert.equal(code, 0);
    assert.equal(outputs['run-id'], 'pnt_1');
    assert.equal(outputs.verdict, undefined);
    assert.deepEqual(
      asked.map(({ method, path: asking, body }) => [method, asking, JSON.parse(body)]),
      [['POST', '/v1/pentests', { targetUrl: start.target, verificationId: 'ver_1', depth: 'STANDARD' }]],
    );
  });

  it('comes back to the same run when the job runs again, and starts another for another commit', async () => {
    playPentest([]);
    await act({ ...start, mode: 'start' });
    await act({ ...start, mode: 'start' });
    await act({ ...start, mode: 'start' }, { GITHUB_SHA: 'def' });
    const [first, second, third] = asked.map(({ key }) => key);
    assert.equal(first, second);
    assert.notEqual(first, third);
  });

  describe('after a start that the service gave up', () => {
    const givenUp = {
      status: 201,
      headers: { 'idempotent-replayed': 'true' },
      body: { id: 'pnt_0', status: 'FAILED' },
    };
    // As the command line makes it: one start from either of them, not two.
    const secondKey = `${createHash('sha256').update('["mine"]').digest('hex')}-2`;

    for (const mode of ['start', 'start-and-gate']) {
      it(`starts once more, with a second key, in mode ${mode}`, async () => {
        playPentest([]);
        answers['POST /v1/pentests'] = (key) => (key === 'mine' ? givenUp : { status: 201, body: RUN });
        const { code, outputs } = await act({ ...start, mode, 'idempotency-key': 'mine' });
        assert.equal(code, 0);
        assert.deepEqual([outputs['run-id'], outputs['exit-code']], ['pnt_1', '0']);
        const keys = asked.filter(({ method }) => method === 'POST').map(({ key }) => key);
        assert.deepEqual(keys, ['mine', secondKey]);
      });

      it(`fails when the second is given up as well, in mode ${mode}`, async () => {
        answers['POST /v1/pentests'] = givenUp;
        answers['GET /v1/pentests/pnt_0'] = { body: pentest({ ...givenUp.body, reportReleased: false }) };
        const page = { id: 'pnt_0', reportReleased: false, total: null, nextOffset: null, findings: [] };
        answers['GET /v1/pentests/pnt_0/findings'] = { body: page };
        const { code, outputs, log } = await act({ ...start, mode });
        assert.equal(code, 1);
        assert.deepEqual([outputs['run-id'], outputs.status, outputs['exit-code']], ['pnt_0', 'FAILED', '3']);
        assert.match(log, mode === 'start' ? /::error::Pentest pnt_0 failed/ : /::error::Nothing could be judged/);
        assert.equal(asked.filter(({ method }) => method === 'POST').length, 2);
      });
    }
  });

  it('passes a clean, released report and writes what was asked for', async () => {
    playPentest([]);
    const { code, outputs, summary } = await act({
      mode: 'gate',
      'run-id': 'pnt_1',
      sarif: 'out/a.sarif',
      junit: 'out/a.xml',
    });
    assert.equal(code, 0);
    assert.deepEqual([outputs.verdict, outputs['exit-code'], outputs['report-released']], ['passed', '0', 'true']);
    assert.deepEqual(JSON.parse(readFileSync(path.join(folder, 'out/a.sarif'), 'utf8')).runs[0].results, []);
    assert.match(readFileSync(path.join(folder, 'out/a.xml'), 'utf8'), /name="gate"/);
    assert.match(summary, /\*\*Gate passed\*\*/);
  });

  it('fails on a finding over the policy and counts what there is', async () => {
    playPentest([samplePentestFinding(), samplePentestFinding({ id: 'b', severity: 'LOW' })]);
    const { code, outputs, log } = await act({ ...start, mode: 'start-and-gate' });
    assert.equal(code, 1);
    assert.deepEqual([outputs.verdict, outputs['exit-code']], ['failed', '1']);
    assert.deepEqual([outputs.critical, outputs.high, outputs.low], ['1', '0', '1']);
    assert.match(log, /::error::1 findings of at least HIGH and FIRM/);
  });

  for (const [name, changes, exitCode] of [
    ['a run that failed', { status: 'FAILED' }, '3'],
    ['a run that is still going when the wait is used up', { status: 'RECON', completedAt: null }, '6'],
    ['a report that is not released', { reportReleased: false }, '6'],
    ['a status that it does not know', { status: 'SOMETHING_NEW' }, '7'],
  ] as const) {
    it(`never passes ${name}, and closes no alerts`, async () => {
      playPentest([], changes);
      const judged = await act({ mode: 'gate', 'run-id': 'pnt_1', 'max-wait': '0s', sarif: 'none.sarif' });
      assertUndecided(judged, exitCode);
    });
  }

  for (const [name, changes] of [
    ['was taken back while it was read', { reportReleased: false, total: null }],
    ['has more findings than could be read', { total: 3 }],
  ] as const) {
    it(`never passes a released report that ${name}, and closes no alerts`, async () => {
      playPentest([]);
      const page = { id: 'pnt_1', reportReleased: true, nextOffset: null, findings: [], ...changes };
      answers['GET /v1/pentests/pnt_1/findings'] = { body: page };
      const judged = await act({ mode: 'gate', 'run-id': 'pnt_1', 'max-wait': '0s', sarif: 'none.sarif' });
      assertUndecided(judged, '6');
      assert.match(judged.log, /::error::The run is over, but its findings could not be read as a whole/);
    });
  }

  it('never passes a scan that has more findings than could be read, and closes no alerts', async () => {
    playScan([], 2);
    const judged = await act({ mode: 'scan', target: start.target, 'max-wait': '0s', sarif: 'none.sarif' });
    assertUndecided(judged, '6');
    assert.match(judged.log, /::error::The run is over, but its findings could not be read as a whole/);
  });

  it('scans, waits and judges', async () => {
    playScan([sampleScanFinding({ severity: 'HIGH' })]);
    const { code, outputs, summary } = await act({ mode: 'scan', target: start.target });
    assert.equal(code, 1);
    assert.deepEqual([outputs.verdict, outputs.high, outputs['run-id']], ['failed', '1', 'scn_1']);
    assert.match(summary, /score 75 of 100, grade C/);
  });

  it('says which refusal it met, with the key in no log', async () => {
    answers['POST /v1/pentests'] = {
      status: 402,
      body: { code: 'INSUFFICIENT_CREDITS', message: 'Not enough credits', statusCode: 402 },
    };
    const { code, outputs, log } = await act({ ...start, mode: 'start' });
    assert.equal(code, 1);
    assert.equal(outputs['exit-code'], '5');
    assert.match(log, /Not enough credits/);
    assert.equal(log.replace(`::add-mask::${KEY}`, '').includes(KEY), false);
  });

  it('refuses wrong input before it asks for anything', async () => {
    for (const inputs of [
      { mode: 'maybe' },
      { mode: 'gate' },
      { ...start, 'max-wait': '25h' },
      { ...start, 'api-key': '' },
      { ...start, 'base-url': '' },
    ]) {
      const { code, outputs } = await act(inputs);
      assert.equal(code, 1);
      assert.equal(outputs['exit-code'], '2');
    }
    assert.deepEqual(asked, []);
  });

  describe('in a pull request of a fork, which has neither secrets nor variables', () => {
    const inFork = (inputs: Record<string, string>) =>
      act({ 'api-key': '', 'base-url': '', ...inputs }, asPullRequest('stranger/shop'));

    for (const inputs of [{ mode: 'gate' }, { mode: 'start-and-gate', ...start }, { mode: 'scan' }]) {
      it(`fails the mode ${inputs.mode}, and says why and what to do`, async () => {
        const { code, outputs, log } = await inFork(inputs);
        assert.equal(code, 1);
        assert.deepEqual([outputs.verdict, outputs['exit-code']], ['undecided', '6']);
        assert.match(log, /::error::Pull requests of forks have no secrets.* Push the commit .*"forks: skip"/);
        assert.deepEqual(asked, []);
      });
    }

    it('is green with a notice where the workflow asks for that, and still undecided', async () => {
      const { code, outputs, log } = await inFork({ mode: 'gate', forks: 'skip' });
      assert.equal(code, 0);
      assert.deepEqual([outputs.verdict, outputs['exit-code']], ['undecided', '6']);
      assert.match(log, /::notice::Pull requests of forks have no secrets/);
      assert.deepEqual(asked, []);
    });

    it('starts nothing and leaves no run', async () => {
      const { code, outputs, log } = await inFork({ mode: 'start', ...start });
      assert.equal(code, 0);
      assert.deepEqual([outputs['run-id'], outputs.verdict, outputs['exit-code']], [undefined, undefined, '6']);
      assert.match(log, /::notice::.*nothing was started/);
      assert.deepEqual(asked, []);
    });

    it('is told of wrong input first', async () => {
      for (const wrong of [{ forks: 'maybe' }, { 'fail-on': 'bad' }, { 'base-url': 'ftp://example.com' }]) {
        const { code, outputs, log } = await inFork({ mode: 'gate', forks: 'skip', ...wrong });
        assert.equal(code, 1);
        assert.deepEqual([outputs.verdict, outputs['exit-code']], [undefined, '2']);
        assert.match(log, new RegExp(`::error::${Object.keys(wrong)[0]} must be`));
      }
    });
  });

  it('skips nobody but forks without a key', async () => {
    const { code, outputs } = await act({ ...start, 'api-key': '', forks: 'skip' }, asPullRequest('acme/shop'));
    assert.equal(code, 1);
    assert.equal(outputs['exit-code'], '2');
  });

  it('writes one comment on a pull request and then keeps it up to date', async () => {
    playPentest([samplePentestFinding()]);
    const inputs = { mode: 'gate', 'run-id': 'pnt_1', comment: 'on-failure', 'github-token': 'token' };
    answers['GET /repos/acme/shop/issues/7/comments'] = { body: [{ id: 1, body: 'by a person' }] };
    answers['POST /repos/acme/shop/issues/7/comments'] = { status: 201, body: {} };
    await act(inputs, asPullRequest('acme/shop'));
    const written = asked.find(({ method }) => method === 'POST');
    const { body } = JSON.parse(written?.body ?? '{}');
    assert.match(body, /SQL injection/);

    answers['GET /repos/acme/shop/issues/7/comments'] = { body: [{ id: 9, body }] };
    answers['PATCH /repos/acme/shop/issues/comments/9'] = { body: {} };
    asked = [];
    await act(inputs, asPullRequest('acme/shop'));
    assert.deepEqual(
      asked.filter(({ method }) => method !== 'GET').map(({ method, path: asking }) => [method, asking]),
      [['PATCH', '/repos/acme/shop/issues/comments/9']],
    );
  });
});
