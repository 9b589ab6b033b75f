import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { cliEnvironment, emptyFolder } from '@sortie/testing/cli/cli.ts';
import { type Commands, createCommands, type Finished } from '@sortie/testing/cli/commands.ts';
import { CreditsBalance, Pentest, Scan } from '@sortie/testing/inside/contract.ts';
import { createStarter, type Starter, startPentest } from '@sortie/testing/world/pentests.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let starter: Starter;
let commands: Commands;
let runId: string;
const home = emptyFolder();

before(async () => {
  world = await createWorld({ env: manyRequests });
  starter = await createStarter(world);
  runId = await startPentest(world.server.baseUrl, starter, { ...starter.target, depth: 'STANDARD' });
  const settings = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: world.server.baseUrl, SORTIE_API_KEY: starter.apiKey };
  commands = createCommands('', { cwd: home, env: { ...cliEnvironment(), ...settings } });
});
after(async () => {
  await world.end();
  rmSync(home, { recursive: true });
});

async function sortie(...args: string[]): Promise<Finished> {
  const finished = await commands.run(args);
  assert.equal(finished.exitCode, 0, finished.stderr + finished.stdout);
  return finished;
}

/** The one document that a command prints. */
async function documentOf(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await sortie(...args, '--json');
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

async function errorOf(exitCode: number, ...args: string[]): Promise<Record<string, unknown>> {
  const finished = await commands.run([...args, '--json']);
  assert.equal(finished.exitCode, exitCode, finished.stderr + finished.stdout);
  const { schema, ...error } = JSON.parse(finished.stdout);
  assert.equal(schema, 'sortie.error/1');
  return error;
}

describe('sortie credits', () => {
  it('prints the balance as the API answers it, and for people', async () => {
    const { schema, ...balance } = await documentOf('credits');
    assert.equal(schema, 'sortie.credits/1');
    assert.deepEqual(CreditsBalance.strict().parse(balance), balance);
    assert.deepEqual([balance.available, balance.held], [8_000, 2_000]);
    assert.match(String((await documentOf('credits', '--web')).address), /\/accounts\/acc_\w+\/credits$/);
    const { stdout } = await sortie('credits', 'balance');
    assert.match(stdout, /^Available +8000 \(0 of the plan, 8000 purchased\)\nHeld +2000\n/);
  });

  it('prints the history of a run', async () => {
    const { schema, usage } = await documentOf('credits', 'usage', '--run', runId);
    assert.equal(schema, 'sortie.usage/1');
    assert.deepEqual(
      (usage as { type: string }[]).map(({ type }) => type),
      ['HOLD', 'HOLD'],
    );
    const { stdout } = await sortie('credits', 'usage', '--limit', '1');
    assert.equal(stdout.split('\n').length, 3);
  });

  it('refuses a limit that is no number', async () => {
    const error = await errorOf(2, 'credits', 'usage', '--limit', 'many');
    assert.equal(error.code, 'VALIDATION_ERROR');
  });
});

describe('sortie pentest', () => {
  it('shows a run as the API answers it, and for people', async () => {
    const { schema, summary, coverage, history, fixed, notTested, ...pentest } = await documentOf(
      'pentest',
      'view',
      runId,
    );
    assert.deepEqual([schema, summary, coverage, history], ['sortie.pentest/1', null, null, null]);
    assert.deepEqual([fixed, notTested], [[], []]);
    assert.deepEqual(Pentest.strict().parse(pentest), pentest);
    const { stdout } = await sortie('pentest', 'view', runId);
    assert.match(stdout, /^Status +QUEUED\n/m);
    assert.match(stdout, /^Credits +2000 held \(RESERVED\)\n/m);
  });

  it('lists runs, and those of a status', async () => {
    const { pentests } = await documentOf('pentest', 'list');
    assert.deepEqual(
      (pentests as { id: string }[]).map(({ id }) => id),
      [runId],
    );
    assert.equal((await sortie('pentest', 'list', '--status', 'failed')).stdout, 'no matching pentests\n');
    const { stdout } = await sortie('pentest', 'list', '--target', starter.target.targetUrl);
    assert.match(stdout, new RegExp(`^run +status +report +findings .*\n${runId} +QUEUED +- +- `));
    assert.equal((await sortie('pentest', 'list', '--target', 'https://b.example/')).stdout, 'no matching pentests\n');
  });

  it('starts a run once for a key, and cancels it', async () => {
    const { targetUrl, verificationId } = starter.target;
    const start = ['pentest', 'start', '--target', targetUrl, '--verification', verificationId, '--depth', 'lead'];
    const key = ['--idempotency-key', 'cli-once', '--quiet'];
    const first = await documentOf(...start, ...key);
    assert.deepEqual([first.schema, first.status, first.replayed], ['sortie.start/1', 'QUEUED', false]);
    const again = await documentOf(...start, ...key);
    assert.deepEqual([again.id, again.replayed], [first.id, true]);
    const unasked = await errorOf(2, 'pentest', 'cancel', String(first.id));
    assert.match(String(unasked.message), /confirm with --yes/);
    const { schema, status } = await documentOf('pentest', 'cancel', String(first.id), '--yes');
    assert.deepEqual([schema, status], ['sortie.cancel/1', 'CANCELLED']);
    assert.match((await sortie('pentest', 'cancel', String(first.id), '--yes')).stdout, /is CANCELLED\.\n$/);
    const { findings, reportReleased } = await documentOf('pentest', 'findings', String(first.id));
    assert.deepEqual([findings, reportReleased], [[], true]);
    const people = await sortie('pentest', 'findings', String(first.id), '--severity', 'high');
    assert.match(people.stdout, /^no findings\nThe run is CANCELLED: these findings are incomplete\.\n$/);
  });

  it('says that a report that is not released has no findings', async () => {
    const { exitCode, stdout } = await commands.run(['pentest', 'findings', runId]);
    const next = `Wait for it: npx sortie pentest watch ${runId}`;
    assert.deepEqual([exitCode, stdout], [6, `The report is not released yet: no findings are available. ${next}\n`]);
  });

  it('says what to do about a run that is not there', async () => {
    const error = await errorOf(5, 'pentest', 'view', 'pen_nothing');
    assert.deepEqual([error.code, error.statusCode], ['NOT_FOUND', 404]);
    assert.match(String(error.hint), /Check the id/);
    const { exitCode, stdout, stderr } = await commands.run(['pentest', 'view', 'pen_nothing']);
    assert.deepEqual([exitCode, stdout], [5, '']);
    assert.match(
      stderr,
      /^error: Run pen_nothing could not be read: .+ \[NOT_FOUND\]\n {2}Check the id and the API key: .+\n$/,
    );
  });
});

describe('sortie target', () => {
  it('lists the targets that the key may test, and shows the rules of one', async () => {
    const { verificationId, targetUrl } = starter.target;
    const { schema, targets } = await documentOf('target', 'list');
    assert.equal(schema, 'sortie.targets/1');
    assert.ok((targets as { verificationId: string }[]).some((target) => target.verificationId === verificationId));
    assert.match((await sortie('target', 'list')).stdout, new RegExp(`^${verificationId} +on +expires `, 'm'));
    const view = await documentOf('target', 'view', verificationId);
    assert.deepEqual([view.schema, view.origin], ['sortie.target/1', new URL(targetUrl).origin]);
    assert.match((await sortie('target', 'view', verificationId)).stdout, /^Excluded paths +none\n/m);
    const { address } = await documentOf('target', 'view', verificationId, '--web');
    assert.match(String(address), new RegExp(`^http://[^/]+/accounts/acc_\\w+/targets/${verificationId}$`));
    assert.equal((await errorOf(5, 'target', 'view', 'ver_nothing')).code, 'NOT_FOUND');
  });
});

describe('sortie whoami', () => {
  it('names service, account and key, and what the key may do, without the key itself', async () => {
    const { schema, baseUrl, account } = await documentOf('whoami');
    assert.deepEqual([schema, baseUrl], ['sortie.whoami/1', world.server.baseUrl]);
    assert.equal((account as { id: string }).id, starter.accountId);
    const { stdout } = await sortie('whoami');
    assert.match(stdout, /^Permissions +credits:read/m);
    assert.match(stdout, /^Key +.* from SORTIE_API_KEY$/m);
    assert.ok(!stdout.includes(starter.apiKey));
  });
});

describe('sortie api', () => {
  it('prints what the service answers to one request', async () => {
    const { schema, status, body } = await documentOf('api', 'get', '/v1/pentests', '-f', 'limit=1');
    assert.deepEqual([schema, status], ['sortie.api/1', 200]);
    assert.equal((body as { pentests: unknown[] }).pentests.length, 1);
    const { stdout } = await sortie('api', 'POST', '/v1/scans', '-f', 'url=https://scan-clean.sandbox.example/', '-i');
    assert.match(stdout, /^HTTP 201\n(?:[a-z-]+: .*\n)+\n\{\n {2}"id": "scn_/);
  });

  it('ends as the answer says', async () => {
    const { exitCode, stdout } = await commands.run(['api', 'GET', '/v1/nothing']);
    assert.equal(exitCode, 5);
    assert.equal(JSON.parse(stdout).code, 'NOT_FOUND');
    assert.equal((await commands.run(['api', 'POST', '/v1/scans', '-f', 'url=ftp://a'])).exitCode, 2);
    assert.equal((await commands.run(['api', 'DELETE', '/v1/scans'])).exitCode, 2);
  });
});

describe('sortie scan', () => {
  const quick = ['--poll', '200ms', '--quiet'];

  it('has a site scanned by the service, and prints the Scan of the API and its findings', async () => {
    const { schema, outcome, exitCode, failing, findings, ...scan } = await documentOf(
      'scan',
      'https://scan-findings.sandbox.example/',
      ...quick,
    );
    assert.deepEqual([schema, outcome, exitCode, failing], ['sortie.scan/1', 'passed', 0, []]);
    assert.deepEqual(Scan.strict().parse(scan), scan);
    const { total } = scan.findingCounts as { total: number };
    assert.equal((findings as unknown[]).length, total);
    const people = await commands.run([
      'scan',
      'https://scan-findings.sandbox.example/',
      '--fail-on',
      'high',
      ...quick,
    ]);
    assert.equal(people.exitCode, 1, people.stderr);
    assert.match(people.stdout, /^Score +\d+ of 100, grade [A-F]\+?\n/m);
    assert.match(people.stdout, /^✗ Failed: \d+ findings of HIGH or higher\n$/m);
    const worst = await commands.run([
      'scan',
      'https://scan-findings.sandbox.example/',
      '--fail-on',
      'critical',
      ...quick,
    ]);
    assert.match(worst.stdout, /^✗ Failed: 1 finding of CRITICAL\n$/m);
  });

  it('lists the scans of the account, and shows one of them with its findings', async () => {
    const url = 'https://scan-findings.sandbox.example/';
    const { id } = await documentOf('scan', url, ...quick);
    const { schema, scans } = await documentOf('scan', 'list', '--limit', '1');
    assert.equal(schema, 'sortie.scans/1');
    const [newest] = scans as { id: string }[];
    assert.equal(newest?.id, id);
    assert.deepEqual(Scan.strict().parse(newest), newest);
    const { stdout: list } = await sortie('scan', 'list', '--all');
    assert.match(list, new RegExp(`^${id} +COMPLETED +\\d+ [A-F]\\+? +\\d+ \\(.*https://scan-findings`, 'm'));
    const view = await documentOf('scan', 'view', String(id));
    assert.equal(view.schema, 'sortie.scan-view/1');
    assert.equal((view.findings as unknown[]).length, (view.findingCounts as { total: number }).total);
    const { stdout } = await sortie('scan', 'view', String(id));
    assert.match(stdout, /^Score +\d+ of 100, grade [A-F]\+?\n/m);
    assert.match(stdout, /^Checks +40 run \(5 failed, 35 passed\), 3 not applicable, 2 not run\n/m);
    assert.match(stdout, /^Checks that were not run: 2\n\n {2}Simulated by the sandbox: .*\n {4}sandbox-not-asked\n/m);
    const { schema: kind, address } = await documentOf('scan', 'view', String(id), '--web');
    assert.equal(kind, 'sortie.screen/1');
    assert.match(String(address), new RegExp(`^http://[^/]+/accounts/acc_\\w+/scans/${id}$`));
    assert.equal((await errorOf(5, 'scan', 'view', 'scn_nothing')).code, 'NOT_FOUND');
  });

  it('judges by the score, and never passes a site without one', async () => {
    const clean = ['scan', 'https://scan-clean.sandbox.example/', '--json', ...quick];
    assert.equal((await commands.run([...clean, '--min-score', '90'])).exitCode, 0);
    const failed = await commands.run(['scan', 'https://scan-failed.sandbox.example/', '--json', ...quick]);
    assert.equal(failed.exitCode, 3, failed.stdout);
    const { outcome, score, failure } = JSON.parse(failed.stdout);
    assert.deepEqual([outcome, score, typeof failure.code], ['ended', null, 'string']);
    assert.equal((await commands.run([...clean, '--min-score', 'high'])).exitCode, 2);
  });
});
