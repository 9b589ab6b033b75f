import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import {
  act,
  answers,
  asked,
  asPullRequest,
  KEY,
  pentest,
  playPentest,
  playService,
  RUN,
  readWritten,
  start,
} from '@sortie/testing/cli/github-action.ts';
import { provedFinding, samplePentestFinding } from '@sortie/testing/reports/sample-reports.ts';
import { bundleAction, bundlePath } from '../../ci/github/build.ts';

describe('the action for GitHub', () => {
  playService();

  it('is built from its sources: "npm run build:action" changes nothing', async () => {
    assert.ok((await bundleAction()) === readFileSync(bundlePath, 'utf8'), 'run "npm run build:action"');
  });

  it('starts a pentest and leaves its id, without waiting', async () => {
    playPentest([]);
    const inputs = { ...start, mode: 'start', depth: 'standard' };
    const { code, outputs } = await act(inputs, {}, { isOwnProcess: true });
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
        assert.match(log, mode === 'start' ? /::error::Pentest pnt_0 failed/ : /::error::No verdict/);
        assert.equal(asked.filter(({ method }) => method === 'POST').length, 2);
      });
    }
  });

  it('fails on new findings only, if that is wanted, and says what does not count', async () => {
    const open = samplePentestFinding({ id: 'fnd_open', fingerprint: 'b'.repeat(64), history: 'OPEN' });
    playPentest([open]);
    assert.equal((await act({ ...start })).outputs['exit-code'], '1');
    const { outputs, log } = await act({ ...start, 'new-only': 'true' });
    assert.deepEqual([outputs['exit-code'], outputs.verdict], ['0', 'passed']);
    assert.match(log, /1 finding open since an earlier run does not count\./);
    playPentest([open, samplePentestFinding({ history: 'REGRESSION' })]);
    assert.equal((await act({ ...start, 'new-only': 'true' })).outputs['exit-code'], '1');
    assert.equal((await act({ ...start, 'new-only': 'perhaps' })).outputs['exit-code'], '2');
  });

  it('writes SARIF and JUnit with the evidence, and without what cannot be read', async () => {
    const { evidence, evidenceDeletedAt, curl, ...finding } = provedFinding();
    playPentest([finding, { ...finding, id: 'fnd_gone', fingerprint: 'c'.repeat(64) }]);
    const details = { ...finding, evidence, evidenceDeletedAt, curl, capsule: null };
    answers[`GET /v1/pentests/pnt_1/findings/${finding.id}`] = { body: details };
    const { log } = await act({ ...start, sarif: 'evidence.sarif', junit: 'evidence.xml' });
    const { runs } = JSON.parse(readWritten('evidence.sarif') ?? '');
    const targets = runs[0].results.map(({ webRequest }: { webRequest?: { target: string } }) => webRequest?.target);
    assert.deepEqual(targets, ["https://shop.example.com/products?id=1'", undefined]);
    assert.match(readWritten('evidence.xml') ?? '', /Exchange 2: value with a quote/);
    assert.match(log, /The evidence of 1 finding could not be read/);
    asked.length = 0;
    await act({ ...start });
    assert.ok(
      asked.every(({ path: asking }) => !asking.includes('/findings/')),
      'no file shows it',
    );
  });

  it('compares with a baseline run, and starts nothing if that is not completed', async () => {
    playPentest([samplePentestFinding({ history: 'NEW' })]);
    const page = { id: 'pnt_0', reportReleased: true, total: 1, nextOffset: null, findings: [samplePentestFinding()] };
    answers['GET /v1/pentests/pnt_0'] = { body: pentest({ id: 'pnt_0' }) };
    answers['GET /v1/pentests/pnt_0/findings'] = { body: page };
    const { outputs, log } = await act({ ...start, 'baseline-run': 'pnt_0' });
    assert.equal(outputs['exit-code'], '0');
    assert.match(log, /1 finding known from pnt_0 does not count\./);
    answers['GET /v1/pentests/pnt_0'] = { body: pentest({ id: 'pnt_0', status: 'CANCELLED' }) };
    const starts = () => asked.filter(({ method }) => method === 'POST').length;
    const before = starts();
    assert.equal((await act({ ...start, 'baseline-run': 'pnt_0' })).outputs['exit-code'], '2');
    answers['GET /v1/pentests/pnt_0'] = { body: pentest({ id: 'pnt_0', targetUrl: 'https://other.example.test/' }) };
    assert.equal((await act({ ...start, 'baseline-run': 'pnt_0' })).outputs['exit-code'], '2');
    assert.equal(starts(), before);
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
        assert.match(
          log,
          /::error::Pull requests from forks have no access to secrets.* Push the commit .*"forks: skip"/,
        );
        assert.deepEqual(asked, []);
      });
    }

    it('is green with a notice where the workflow asks for that, and still undecided', async () => {
      const { code, outputs, log } = await inFork({ mode: 'gate', forks: 'skip' });
      assert.equal(code, 0);
      assert.deepEqual([outputs.verdict, outputs['exit-code']], ['undecided', '6']);
      assert.match(log, /::notice::Pull requests from forks have no access to secrets/);
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
    asked.length = 0;
    await act(inputs, asPullRequest('acme/shop'));
    assert.deepEqual(
      asked.filter(({ method }) => method !== 'GET').map(({ method, path: asking }) => [method, asking]),
      [['PATCH', '/repos/acme/shop/issues/comments/9']],
    );
  });
});
