import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { keysOf, startsOf, toStart, useScenes } from '@sortie/testing/cli/cli-scenes.ts';
import {
  RUN_ID,
  refusal,
  runStory,
  type Script,
  scriptedFinding,
  started,
} from '@sortie/testing/cli/scripted-service.ts';

const scene = useScenes();

const running = { status: 'WEB_TEST', completedAt: null };
const quick = ['--poll', '100ms', '--max-wait', '400ms'];
const patient = ['--poll', '50ms', '--max-wait', '30s'];

/** Runs a gate against a service that follows the script. */
async function gate(script: Script, args: readonly string[], env: Record<string, string> = {}) {
  const { sortie, asked } = scene(script, env);
  const finished = await sortie('gate', ...args);
  return { ...finished, asked, starts: startsOf(asked) };
}

/** With --json: exactly one document, and what it says is how the process ended. */
async function judge(script: Script, args: readonly string[], env?: Record<string, string>) {
  const finished = await gate(script, [...args, '--json'], env);
  const document = JSON.parse(finished.stdout);
  if (document.schema === 'sortie.gate/1') assert.equal(document.exitCode, finished.exitCode);
  else assert.equal(document.schema, 'sortie.error/1');
  return { ...finished, document };
}

describe('sortie gate', { concurrency: 3 }, () => {
  it('passes a completed run with a released report, whatever its credits say', async () => {
    const findings = [
      scriptedFinding({ severity: 'MEDIUM' }),
      scriptedFinding({ id: 'fnd_2', confidence: 'TENTATIVE' }),
    ];
    const look = { credits: { state: 'SOMETHING_NEW', reserved: null, charged: null, returned: null } };
    const { exitCode, stdout } = await gate(runStory({ looks: [look], findings }), [RUN_ID, ...quick]);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^✓ Gate passed: 2 findings \(1 medium, 1 high\), no policy violations\n/);
  });

  it('fails by a finding on a later page', async () => {
    const mild = ['a', 'b', 'c'].map((id) => scriptedFinding({ id, severity: 'LOW' }));
    const { exitCode, document } = await judge(runStory({ looks: [{}], findings: [...mild, scriptedFinding()] }), [
      RUN_ID,
    ]);
    assert.equal(exitCode, 1);
    assert.deepEqual([document.outcome, document.failing, document.findings.length], ['failed', ['fnd_1'], 4]);
    assert.deepEqual(document.policy, { failOn: 'HIGH', minConfidence: 'FIRM', maxFindings: 0 });
  });

  it('fails by a severity that it does not know', async () => {
    const findings = [scriptedFinding({ severity: 'APOCALYPTIC', confidence: 'TENTATIVE' })];
    const { exitCode, stdout } = await gate(runStory({ looks: [{}], findings }), [RUN_ID]);
    assert.equal(exitCode, 1);
    assert.match(stdout, /^✗ Gate failed: policy violated by 1 finding \(1 apocalyptic\)\n/);
  });

  it('stays undecided while the report is not released, and says that the API cannot tell why', async () => {
    const { exitCode, document } = await judge(runStory({ looks: [{ reportReleased: false }] }), [RUN_ID, ...quick]);
    assert.equal(exitCode, 6);
    assert.deepEqual([document.outcome, document.resume], ['undecided', `npx sortie gate ${RUN_ID}`]);
    assert.match(document.reason, /still in review, or rejected/);
  });

  it('waits for the report to be released', async () => {
    const looks = [running, { reportReleased: false }, {}];
    const { exitCode, stderr } = await gate(runStory({ looks }), [RUN_ID, ...patient], { CI: 'true' });
    assert.equal(exitCode, 0);
    assert.match(
      stderr,
      /^\d:\d\d {2}●●●●◐○○○ {2}WEB_TEST\n(?:.*\n)*\d:\d\d {2}●{8} {2}COMPLETED {2}report not released/m,
    );
  });

  it('tells a status once, also while it counts findings and there are none', async () => {
    const queued = { status: 'QUEUED', completedAt: null };
    const looks = [queued, queued, queued, queued, { ...queued, status: 'RECON' }, {}];
    const { exitCode, stderr } = await gate(runStory({ looks }), [RUN_ID, ...patient]);
    assert.equal(exitCode, 0);
    assert.match(stderr, /^\d:\d\d {2}◐○{7} {2}QUEUED\n\d:\d\d {2}●●◐○{5} {2}RECON\n$/);
  });

  for (const status of ['FAILED', 'CANCELLED']) {
    it(`does not judge a run that ended ${status}, and shows what it found as partial`, async () => {
      const script = runStory({ looks: [{ status }], findings: [scriptedFinding()] });
      const { exitCode, stdout } = await gate(script, [RUN_ID, ...quick]);
      assert.equal(exitCode, 3);
      assert.match(stdout, new RegExp(`^✗ No verdict: the run ended ${status}; `));
      assert.match(stdout, /^Partial findings, not reviewed:\nHIGH +CONFIRMED +SQL injection\n/m);
      assert.equal(/^Why it failed\n {2}.* npx sortie admin run show \w+\n$/m.test(stdout), status === 'FAILED');
    });
  }

  it('says why a run failed, where the service does', async () => {
    const summary = 'The account "ada" could not log in.\nCheck user and password.';
    const script = runStory({ looks: [{ status: 'FAILED' }], summary });
    const { stdout } = await gate(script, [RUN_ID, ...quick]);
    assert.match(stdout, /^Why it failed\n {2}The account "ada" could not log in\.\n {2}Check user and password\.\n$/m);
    assert.equal((await judge(script, [RUN_ID, ...quick])).document.summary, summary);
  });

  for (const status of ['QUEUED', 'WEB_TEST', 'PAUSED', 'AWAITING_PAYMENT']) {
    it(`stays undecided when the wait is used up and the run is ${status}`, async () => {
      const script = runStory({ looks: [{ status, completedAt: null, reportReleased: false }] });
      const { exitCode, document } = await judge(script, [RUN_ID, ...quick]);
      assert.deepEqual([exitCode, document.outcome, document.run.status], [6, 'undecided', status]);
      assert.equal(/dashboard/.test(document.reason), status === 'PAUSED' || status === 'AWAITING_PAYMENT');
    });
  }

  it('leads to the page of a run that needs a decision', async () => {
    const script = runStory({ looks: [{ status: 'PAUSED', completedAt: null, reportReleased: false }] });
    const { stdout } = await gate(script, [RUN_ID, ...quick]);
    assert.match(stdout, /: the run is PAUSED and does not continue by itself: decide on its page in the dashboard$/m);
    assert.match(stdout, new RegExp(`^  Page +npx sortie pentest view ${RUN_ID} --web$`, 'm'));
  });

  it('never takes a status that it does not know for a success, and goes on when it is over', async () => {
    const unknown = { status: 'DREAMING', reportReleased: true };
    const script = runStory({ looks: [unknown] });
    const { exitCode, document } = await judge(script, [RUN_ID, ...quick]);
    assert.deepEqual([exitCode, document.outcome], [7, 'unsupported']);
    assert.match(document.reason, /DREAMING is unknown to this version: upgrade/);
    const later = await gate(runStory({ looks: [unknown, unknown, {}] }), [RUN_ID, ...patient]);
    assert.equal(later.exitCode, 0);
  });

  it('may fail before the end with --fail-fast, and never passes before it', async () => {
    const findings = [scriptedFinding()];
    const usual = await gate(runStory({ looks: [running], findings }), [RUN_ID, ...quick]);
    assert.equal(usual.exitCode, 6);
    const early = await gate(runStory({ looks: [running], findings }), [RUN_ID, ...quick, '--fail-fast']);
    assert.equal(early.exitCode, 1);
    const clean = await gate(runStory({ looks: [running] }), [RUN_ID, ...quick, '--fail-fast']);
    assert.equal(clean.exitCode, 6);
  });

  it('stops at a key that is not valid', async () => {
    const { exitCode, document, asked } = await judge(() => refusal(401, 'UNAUTHORIZED'), [RUN_ID, ...patient]);
    assert.deepEqual([exitCode, document.code, document.statusCode, asked.length], [4, 'UNAUTHORIZED', 401, 1]);
    const without = await judge(runStory({ looks: [{}] }), [RUN_ID], { SORTIE_API_KEY: '' });
    assert.deepEqual([without.exitCode, without.document.code, without.asked.length], [4, 'NO_API_KEY', 0]);
  });

  it('stops at a run that is not there', async () => {
    const { exitCode, stdout, stderr, asked } = await gate(() => refusal(404, 'NOT_FOUND'), [RUN_ID, ...patient]);
    assert.deepEqual([exitCode, stdout, asked.length], [5, '', 1]);
    assert.match(
      stderr,
      /\[NOT_FOUND\]\n {2}Check the id and the key\. Retests are not available through the API\.\n$/,
    );
  });

  it('waits out a broken service, to the deadline', async () => {
    const broken = { answer: refusal(503, 'INTERNAL_ERROR') };
    const { exitCode } = await gate(runStory({ looks: [broken, {}] }), [RUN_ID, ...patient]);
    assert.equal(exitCode, 0);
    const forEver = await judge(runStory({ looks: [broken] }), [RUN_ID, ...quick]);
    assert.deepEqual([forEver.exitCode, forEver.document.code], [8, 'INTERNAL_ERROR']);
    const elsewhere = { SORTIE_BASE_URL: 'http://127.0.0.1:1' };
    const nobody = await judge(runStory({ looks: [{}] }), [RUN_ID, ...quick], elsewhere);
    assert.deepEqual([nobody.exitCode, nobody.document.code], [8, 'UNREACHABLE']);
    assert.match(nobody.document.hint, /Check that the service is running/);
  });

  it('waits for Retry-After, and never asks earlier', async () => {
    const limited = { answer: refusal(429, 'RATE_LIMITED', { 'retry-after': '1' }) };
    const { exitCode, asked } = await gate(runStory({ looks: [limited, {}] }), [RUN_ID, ...patient]);
    assert.equal(exitCode, 0);
    const [first, second] = asked;
    assert.ok(first && second && second.at - first.at >= 1_000);
  });

  it('does not ask again at once where the edge of the network refuses', async () => {
    const refused = await judge(runStory({ looks: [{ answer: { status: 429 } }] }), [RUN_ID, ...quick]);
    assert.deepEqual([refused.exitCode, refused.document.code, refused.asked.length], [8, 'HTTP_429', 1]);
  });

  it('is undecided when checks that apply could not run, unless their groups are accepted', async () => {
    const cure = 'Install Chromium where the worker runs.';
    const untested = [
      { group: 'scripting', reason: 'No browser is installed.', cure },
      { group: 'ssrf', reason: 'No listener was configured.', cure: 'Set SORTIE_LISTENER_URL.' },
    ];
    const script = runStory({ looks: [{}], untested });
    const { exitCode, document } = await judge(script, [RUN_ID, ...patient]);
    assert.deepEqual([exitCode, document.outcome, document.resume], [9, 'undecided', null]);
    assert.deepEqual(document.untested, untested);
    const { stdout } = await gate(script, [RUN_ID, '--accept-untested', 'ssrf']);
    assert.match(stdout, /^\? Undecided \(not a pass\): applicable checks could not run: scripting\n/);
    assert.match(
      stdout,
      /^Not tested:\n {2}scripting: No browser is installed\. Install Chromium.*\n\n {2}Accept {2}/m,
    );
    assert.match(stdout, new RegExp(`npx sortie gate ${RUN_ID} --accept-untested scripting\n`));
    const both = ['--accept-untested', 'ssrf', '--accept-untested', 'scripting'];
    const accepted = await gate(script, [RUN_ID, ...both]);
    assert.equal(accepted.exitCode, 0);
    assert.match(accepted.stdout, /^ {2}Untested and accepted: scripting, ssrf\n/m);
    assert.equal((await gate(script, [RUN_ID, '--accept-untested', 'All of it'])).exitCode, 2);
  });

  it('fails by findings whether or not everything was tested', async () => {
    const untested = [{ group: 'scripting', reason: 'No browser is installed.', cure: 'Install Chromium.' }];
    const script = runStory({ looks: [{}], findings: [scriptedFinding()], untested });
    assert.equal((await gate(script, [RUN_ID])).exitCode, 1);
  });

  it('knows a finding by any of its fingerprints, in a baseline and in an allow list', async () => {
    const known = (id: string, former: string) =>
      scriptedFinding({ id, fingerprint: `new_${id}`, formerFingerprints: [former] });
    const findings = [known('a', 'old_a'), known('b', 'old_b'), known('c', 'old_c'), known('d', 'old_d')];
    const { sortie, cwd } = scene(runStory({ looks: [{}], findings }));
    // As an earlier release wrote it, and as this one writes it of a run in which another place came first.
    const baseline = [
      { fingerprint: 'old_a' },
      { fingerprint: 'other', places: [{ fingerprints: ['other'] }, { fingerprints: ['new_b'] }] },
      // Another finding, to which earlier releases gave the same fingerprint.
      { fingerprint: 'unlike', formerFingerprints: ['old_d'] },
    ];
    writeFileSync(path.join(cwd, 'report.json'), JSON.stringify({ findings: baseline }));
    writeFileSync(path.join(cwd, 'accepted.yml'), '- fingerprint: old_c\n  until: 9027-01-01\n');
    const { stdout } = await sortie('gate', RUN_ID, '--baseline', 'report.json', '--allow', 'accepted.yml', '--json');
    const { failing, takenOut } = JSON.parse(stdout);
    assert.deepEqual(failing, ['d']);
    assert.deepEqual(
      takenOut.map(({ id, by }: { id: string; by: string }) => `${id} ${by}`),
      ['a baseline', 'b baseline', 'c allow'],
    );
  });

  it('says what a baseline and an allow list took out, and until when', async () => {
    const findings = ['a', 'b', 'c', 'd'].map((id) => scriptedFinding({ id, fingerprint: `print_${id}` }));
    const mild = scriptedFinding({ id: 'e', fingerprint: 'print_e', severity: 'LOW' });
    const { sortie, cwd } = scene(runStory({ looks: [{}], findings: [...findings, mild] }));
    const known = ['print_a', 'print_b', 'print_e'].map((fingerprint) => ({ fingerprint }));
    writeFileSync(path.join(cwd, 'report.json'), JSON.stringify({ findings: known }));
    const accepted = '- fingerprint: print_c\n  until: 9027-01-01\n- id: d\n  until: 9027-02-01\n';
    writeFileSync(path.join(cwd, 'accepted.yml'), accepted);
    const flags = ['--baseline', 'report.json', '--allow', 'accepted.yml'];
    const { exitCode, stdout } = await sortie('gate', RUN_ID, ...flags);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^ {2}Ignored 2 known, 1 accepted until 9027-01-01, 1 accepted until 9027-02-01\n/m);
    const document = JSON.parse((await sortie('gate', RUN_ID, ...flags, '--json')).stdout);
    assert.deepEqual(document.takenOut, [
      { id: 'a', fingerprint: 'print_a', by: 'baseline', until: null },
      { id: 'b', fingerprint: 'print_b', by: 'baseline', until: null },
      { id: 'c', fingerprint: 'print_c', by: 'allow', until: '9027-01-01' },
      { id: 'd', fingerprint: 'print_d', by: 'allow', until: '9027-02-01' },
    ]);
  });

  describe('with --new-only', () => {
    const at = (id: string, history?: string) =>
      scriptedFinding({ id, fingerprint: `print_${id}`, ...(history && { history }) });
    const story = (...findings: object[]) => runStory({ looks: [{}], findings: findings as Record<string, unknown>[] });

    it('passes on findings that are open since an earlier run, and says so', async () => {
      const { sortie } = scene(story(at('a', 'OPEN'), at('b', 'OPEN')));
      assert.equal((await sortie('gate', RUN_ID)).exitCode, 1);
      const { exitCode, stdout } = await sortie('gate', RUN_ID, '--new-only');
      assert.equal(exitCode, 0);
      assert.match(stdout, /^ {2}Policy {2}HIGH or higher, FIRM or higher, new since earlier runs\n/m);
      assert.match(stdout, /^ {2}Ignored 2 open since an earlier run\n/m);
      const document = JSON.parse((await sortie('gate', RUN_ID, '--new-only', '--json')).stdout);
      assert.equal(document.comparedWith, 'earlier runs');
      assert.equal(document.policy.newOnly, true);
      assert.deepEqual(document.takenOut, [
        { id: 'a', fingerprint: 'print_a', by: 'history', until: null },
        { id: 'b', fingerprint: 'print_b', by: 'history', until: null },
      ]);
    });

    for (const history of ['NEW', 'REGRESSION', 'SOMETHING_LATER', undefined]) {
      it(`fails on a finding whose history is ${history}`, async () => {
        const { sortie } = scene(story(at('a', 'OPEN'), at('b', history)));
        const { exitCode, stdout } = await sortie('gate', RUN_ID, '--new-only');
        assert.equal(exitCode, 1);
        assert.match(stdout, /policy violated by 1 finding/);
        assert.equal(/does not tell which findings are new/.test(stdout), history === undefined);
      });
    }

    it('compares with a file, or with another run, instead', async () => {
      const other = 'pen_before';
      const now = story(at('a', 'NEW'), at('b', 'OPEN'));
      const page = { id: other, reportReleased: true, total: 1, nextOffset: null, findings: [at('a')] };
      const playing =
        (status: string, reportReleased = true, run = { targetUrl: 'https://shop.example/' }): Script =>
        (asked, before) => {
          if (asked.path === `/v1/pentests/${other}`) return { body: { ...run, id: other, status, reportReleased } };
          return asked.path === `/v1/pentests/${other}/findings` ? { body: page } : now(asked, before);
        };
      const { sortie, cwd } = scene(playing('COMPLETED'));
      const flags = ['--new-only', '--baseline-run', other, '--json'];
      const document = JSON.parse((await sortie('gate', RUN_ID, ...flags)).stdout);
      assert.deepEqual([document.outcome, document.comparedWith], ['failed', other]);
      assert.deepEqual(document.takenOut, [{ id: 'a', fingerprint: 'print_a', by: 'baseline-run', until: null }]);
      assert.deepEqual(document.failing, ['b']);
      assert.match((await sortie('gate', RUN_ID, '--baseline-run', other)).stdout, /Ignored 1 known from pen_before\n/);

      writeFileSync(path.join(cwd, 'report.json'), JSON.stringify({ findings: [{ fingerprint: 'print_b' }] }));
      const { stdout } = await sortie('gate', RUN_ID, '--new-only', '--baseline', 'report.json', '--json');
      assert.deepEqual(JSON.parse(stdout).failing, ['a']);
      const both = ['--baseline', 'report.json', '--baseline-run', other];
      assert.equal((await sortie('gate', RUN_ID, ...both)).exitCode, 2);

      for (const script of [playing('CANCELLED'), playing('COMPLETED', false)]) {
        const refused = await scene(script).sortie('gate', RUN_ID, '--baseline-run', other);
        assert.equal(refused.exitCode, 2);
        assert.match(refused.stderr, /Choose an earlier completed run on the same target whose report is released/);
      }
      const foreign = scene(playing('COMPLETED', true, { targetUrl: 'https://other.example.test/' }));
      const start = ['--start', '--target', 'https://shop.example.test/a', '--verification', 'ver_1'];
      const refusedStart = await foreign.sortie('gate', ...start, '--baseline-run', other);
      assert.equal(refusedStart.exitCode, 2);
      assert.match(refusedStart.stderr, /tested https:\/\/other\.example\.test, not https:\/\/shop\.example\.test/);
      const itself = await sortie('gate', RUN_ID, '--baseline-run', RUN_ID);
      assert.equal(itself.exitCode, 2);
      assert.match(itself.stderr, /is the run that is judged/);
    });
  });

  it('judges by the policy that the flags say', async () => {
    const script = runStory({
      looks: [{}],
      findings: [scriptedFinding({ severity: 'MEDIUM', confidence: 'TENTATIVE' })],
    });
    const codes = await Promise.all(
      [
        ['--fail-on', 'medium'],
        ['--fail-on', 'medium', '--min-confidence', 'tentative'],
        ['--fail-on', 'info', '--min-confidence', 'tentative', '--max-findings', '1'],
      ].map(async (flags) => (await gate(script, [RUN_ID, ...flags])).exitCode),
    );
    assert.deepEqual(codes, [0, 1, 0]);
    const { exitCode, document } = await judge(script, [RUN_ID, '--fail-on', 'severe']);
    assert.deepEqual([exitCode, document.code], [2, 'VALIDATION_ERROR']);
    assert.equal((await judge(script, [RUN_ID, '--max-wait', '25h'])).exitCode, 2);
  });
});

describe('sortie gate --start', { concurrency: 3 }, () => {
  const looks = [{}];

  it('starts a run and judges it', async () => {
    const { exitCode, document, starts } = await judge(runStory({ looks }), [...toStart, '--depth', 'standard']);
    assert.equal(exitCode, 0);
    assert.deepEqual(starts[0]?.body, {
      targetUrl: 'https://shop.example/',
      verificationId: 'ver_1',
      depth: 'STANDARD',
    });
    assert.equal(document.idempotencyKey, starts[0]?.headers['idempotency-key']);
  });

  for (const [status, code] of [
    [402, 'INSUFFICIENT_CREDITS'],
    [403, 'API_KEY_CAP_EXCEEDED'],
    [403, 'TARGET_API_RUNS_DISABLED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [429, 'PENTEST_CONCURRENCY_EXCEEDED'],
  ] as const) {
    it(`says what to do when the service refuses with ${code}`, async () => {
      const { exitCode, document, starts } = await judge(runStory({ looks, starts: [refusal(status, code)] }), toStart);
      assert.deepEqual([exitCode, document.code, document.statusCode, starts.length], [5, code, status, 1]);
      assert.ok(document.hint.length > 10);
    });
  }

  it('ends with 2 when the key belongs to another request, or the request is not valid', async () => {
    const reused = await judge(runStory({ looks, starts: [refusal(422, 'IDEMPOTENCY_KEY_REUSED')] }), toStart);
    assert.deepEqual([reused.exitCode, reused.starts.length], [2, 1]);
    const invalid = await judge(runStory({ looks, starts: [refusal(400, 'VALIDATION_ERROR')] }), toStart);
    assert.deepEqual([invalid.exitCode, invalid.starts.length], [2, 1]);
  });

  it('sends the same key again while the first request is under way, and gives up when it would take too long', async () => {
    const inProgress = (seconds: string) => refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': seconds });
    const { exitCode, starts } = await gate(runStory({ looks, starts: [inProgress('1'), started()] }), toStart);
    assert.equal(exitCode, 0);
    assert.equal(new Set(keysOf(starts)).size, 1);
    assert.equal(starts.length, 2);
    const tooLong = await judge(runStory({ looks, starts: [inProgress('151')] }), toStart);
    assert.deepEqual([tooLong.exitCode, tooLong.document.code], [8, 'IDEMPOTENCY_IN_PROGRESS']);
  });

  it('sends the same key again after a 500, and another one once when that run was given up', async () => {
    const replayed = { 'idempotent-replayed': 'true' };
    const starts = [refusal(500, 'INTERNAL_ERROR'), started('FAILED', replayed), started()];
    const finished = await judge(runStory({ looks, starts }), toStart);
    assert.equal(finished.exitCode, 0);
    const [first, second, third, ...more] = keysOf(finished.starts);
    assert.equal(first, second);
    assert.notEqual(second, third);
    assert.deepEqual(more, []);
    assert.equal(finished.document.idempotencyKey, third);
  });

  it('waits for a free slot only with --wait-slot', async () => {
    const starts = [refusal(429, 'PENTEST_CONCURRENCY_EXCEEDED'), started()];
    const { exitCode, stderr } = await gate(runStory({ looks, starts }), [...toStart, '--wait-slot', ...patient]);
    assert.equal(exitCode, 0);
    assert.match(stderr, /^Limit of concurrent pentests reached: waiting for one to end\n/);
  });

  it('goes on with the run of the first time when a job of a pipeline is run again', async () => {
    const env = { GITHUB_REPOSITORY: 'a/b', GITHUB_WORKFLOW: 'test', GITHUB_SHA: 'c0ffee', CI: 'true' };
    const script = runStory({ looks, starts: [started(), started('QUEUED', { 'idempotent-replayed': 'true' })] });
    const { sortie, asked } = scene(script, env);
    const run = (...args: string[]) => sortie('gate', ...toStart, ...args);
    assert.match((await run()).stderr, new RegExp(`^Run ${RUN_ID} started\n`));
    assert.match((await run()).stderr, new RegExp(`^Run ${RUN_ID} re-attached`));
    for (const flags of [['--new'], ['--salt', 'more'], ['--depth', 'deep']]) await run(...flags);
    const [first, again, ...others] = keysOf(asked);
    assert.equal(first, again);
    assert.equal(new Set([first, ...others]).size, 4);
  });

  it('asks for what a start needs before it sends anything', async () => {
    const { exitCode, document, asked } = await judge(runStory({ looks }), [
      '--start',
      '--target',
      'https://a.example/',
    ]);
    assert.deepEqual([exitCode, document.code, asked.length], [2, 'VALIDATION_ERROR', 0]);
    assert.match(document.message, /^--verification is required/);
  });
});
