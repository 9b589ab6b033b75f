import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Commands, createCommands, type Finished } from '@sortie/testing/cli/commands.ts';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { defaultCatalogue } from '../../../../server/src/billing/catalogue.ts';
import { inTransaction } from '../../../../server/src/db/database.ts';
import { createPentest } from '../../../../server/src/pentests/pentests.ts';
import { newId } from '../../../../server/src/platform/new-id.ts';
import { fixedVaultKeys } from '../../../../server/src/secrets/service-secrets.ts';

const root = resolve(import.meta.dirname, '../../../../..');
const binary = join(root, 'node_modules/.bin/sortie');

interface LaunchOptions {
  node?: string;
  nodeFlags?: string[];
  env?: Record<string, string>;
}

/** Runs the CLI as a child process. */
function launch(args: readonly string[], { node = process.execPath, nodeFlags = [], env = {} }: LaunchOptions = {}) {
  return new Promise<Finished>((done) => {
    const { DATABASE_URL: _url, SORTIE_CATALOGUE: _catalogue, NODE_OPTIONS: _options, ...inherited } = process.env;
    execFile(
      node,
      [...nodeFlags, binary, ...args],
      { env: { ...inherited, ...env }, timeout: 60_000 },
      (error, stdout, stderr) => done({ exitCode: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** Runs a command without a database. */
const { run } = createCommands('');

let test: TestDatabase;
let commands: Commands;
before(async () => {
  test = await createTestDatabase();
  commands = createCommands(test.url);
});
after(async () => {
  await test.drop();
});

const onTest = (args: readonly string[]) => commands.run(args);

// biome-ignore lint/suspicious/noExplicitAny: the tests assert the fields of each document
type Answer = any;

/** Runs an operator command with --json and returns its JSON document. */
async function admin(...args: string[]): Promise<Answer> {
  const { exitCode, stdout, stderr } = await commands.run(['admin', ...args, '--json']);
  assert.equal(stderr, '');
  assert.equal(exitCode, 0, stdout);
  return JSON.parse(stdout);
}

/** Runs a command that must fail and returns its error. */
async function refused(...args: string[]): Promise<{ code: string; message: string; field?: string }> {
  const { exitCode, stdout, stderr } = await commands.run(['admin', ...args, '--json']);
  assert.equal(stderr, '');
  assert.notEqual(exitCode, 0, stdout);
  const { error, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, {});
  assert.ok(error.message.length > 10);
  return error;
}

async function assertRefused(args: readonly string[], code: string, field?: string): Promise<void> {
  const error = await refused(...args);
  assert.deepEqual({ code: error.code, field: error.field }, { code, field }, error.message);
}

async function createOwner(email: string): Promise<{ account: string; user: string }> {
  const account = (await admin('account', 'create', '--name', 'Acme', '--kind', 'organization')).id;
  const user = (await admin('user', 'create', '--email', email)).id;
  await admin('member', 'add', '--account', account, '--user', user, '--role', 'OWNER');
  return { account, user };
}

/**
 * Creates what a pentest needs: a target, 1,000 credits and a key. Resolves to a function that starts one as the API
 * does.
 */
async function prepareStarts({ account, user }: { account: string; user: string }): Promise<() => Promise<void>> {
  const targetUrl = 'https://shop.example.com/';
  const { verificationId } = await admin('target', 'attest', '--account', account, '--url', targetUrl);
  await admin('target', 'api-runs', verificationId, 'on');
  await admin('credits', 'grant', '--account', account, '--source', 'purchased', '--amount', '1000');
  const key = await admin('key', 'create', '--account', account, '--user', user, '--permissions', 'all');
  const starter = { accountId: account, userId: user, apiKeyId: key.id };
  const vaultKeys = fixedVaultKeys({ id: 'unused', key: createSecretKey(Buffer.alloc(32)) });
  const rules = { catalogue: defaultCatalogue, vaultKeys };
  return () =>
    inTransaction(test.database, (tx) =>
      createPentest(tx, newId('pen'), starter, { targetUrl, verificationId }, rules),
    );
}

const actions = (answer: Answer) => answer.entries.map(({ action }: Answer) => action);

describe('sortie admin', { concurrency: 2 }, () => {
  it('account create, show, suspend, resume and set-plan', async () => {
    const created = await admin('account', 'create', '--name', 'Acme', '--kind', 'personal', '--plan', 'team');
    const { id } = created;
    assert.deepEqual([created.name, created.kind, created.plan], ['Acme', 'personal', 'team']);
    assert.ok(Date.parse((await admin('account', 'suspend', id)).suspendedAt));
    assert.ok(Date.parse((await admin('account', 'show', id)).suspendedAt));
    assert.equal((await admin('account', 'resume', id)).suspendedAt, null);
    assert.equal((await admin('account', 'set-plan', id, '--plan', 'business')).plan, 'business');
    assert.equal((await admin('account', 'set-models', id, '--external', 'forbid')).externalModels, false);
    assert.equal((await admin('account', 'show', id)).externalModels, false);
    const { members, balance } = await admin('account', 'show', id);
    assert.deepEqual([members, balance.plan], [[], 25_000]);
    await assertRefused(['account', 'create', '--kind', 'personal'], 'VALIDATION_ERROR', 'name');
    await assertRefused(['account', 'show', 'acc_none'], 'NOT_FOUND');
  });

  it('account suspend says how many pentests it has cancelled', async () => {
    const { account, user } = await createOwner('suspended@example.com');
    const start = await prepareStarts({ account, user });
    for (let i = 0; i < 2; i++) await start();
    const suspended = await admin('account', 'suspend', account);
    assert.deepEqual([suspended.id, suspended.cancelledPentests], [account, 2]);
    const { balance } = await admin('account', 'show', account);
    assert.deepEqual([balance.available, balance.held], [1_000, 0]);
    assert.equal((await admin('account', 'suspend', account)).cancelledPentests, 0);
    await admin('account', 'resume', account);
    await start();
    const { exitCode, stdout } = await onTest(['admin', 'account', 'suspend', account]);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^id +acc_\w+\n[\s\S]*^suspended +\d{4}-\S+Z\n[\s\S]*^pentests cancelled +1\n$/m);
  });

  it('account list and user list', async () => {
    const { account, user } = await createOwner('listed@example.com');
    const { accounts } = await admin('account', 'list');
    const { users } = await admin('user', 'list', '--limit', '1000');
    assert.ok(accounts.some(({ id, name }: Answer) => id === account && name === 'Acme'));
    assert.ok(users.some(({ id, email }: Answer) => id === user && email === 'listed@example.com'));
    const limited = await onTest(['admin', 'account', 'list', '--limit', '1']);
    assert.match(limited.stdout, /^id .*name\nacc_\w+ +(personal|organization) .*\n$/);
    const people = await onTest(['admin', 'user', 'list', '--limit', '1']);
    assert.match(people.stdout, /^id .*name\nusr_\w+ +\S+@\S+ .*\n$/);
  });

  it('member add, set-role, set-allowance and remove', async () => {
    const { account } = await createOwner('owner@example.com');
    const { id: user } = await admin('user', 'create', '--email', 'member@example.com', '--name', 'Mia');
    const on = ['--account', account, '--user', user];
    const added = await admin('member', 'add', ...on, '--role', 'MEMBER', '--allowance', '500');
    assert.deepEqual([added.accountId, added.userId, added.role, added.allowance], [account, user, 'MEMBER', 500]);
    assert.equal((await admin('member', 'set-role', ...on, '--role', 'VIEWER')).role, 'VIEWER');
    assert.equal((await admin('member', 'set-allowance', ...on, '--allowance', 'none')).allowance, null);
    const removed = await onTest(['admin', 'member', 'remove', ...on]);
    assert.match(removed.stdout, /^removed {4}true$/m);
    await assertRefused(['member', 'set-role', ...on, '--role', 'boss'], 'VALIDATION_ERROR', 'role');
    await assertRefused(['member', 'remove', ...on], 'NOT_FOUND');
  });

  it('key create, list and revoke', async () => {
    const { account, user } = await createOwner('keys@example.com');
    const limited = ['--permissions', 'scans:read,credits:read', '--budget', '400', '--expires', '30d', '--name', 'CI'];
    const created = await admin('key', 'create', '--account', account, '--user', 'keys@example.com', ...limited);
    assert.match(created.key, new RegExp(`^srt_test_${created.id}_[0-9A-Za-z]{38}$`));
    assert.deepEqual([created.createdBy, created.budget, created.name], [user, 400, 'CI']);
    const listed = await admin('key', 'list', '--account', account);
    assert.deepEqual(
      listed.keys.map(({ id, lastFour }: Answer) => ({ id, lastFour })),
      [{ id: created.id, lastFour: created.key.slice(-4) }],
    );
    assert.ok(!JSON.stringify(listed).includes(created.key.slice(22, 54)));
    assert.ok(Date.parse((await admin('key', 'revoke', created.id)).revokedAt));
    await assertRefused(['key', 'revoke', 'none'], 'NOT_FOUND');
  });

  it('credits grant and adjust, and audit list', async () => {
    const { id } = await admin('account', 'create', '--name', 'Acme', '--kind', 'organization');
    await admin('credits', 'grant', '--account', id, '--source', 'purchased', '--amount', '100', '--expires', '30d');
    const adjusted = await admin('credits', 'adjust', '--account', id, '--amount', '-40', '--reason', 'duplicate');
    assert.deepEqual([adjusted.credits, adjusted.balance.available], [-40, 60]);
    await assertRefused(
      ['credits', 'adjust', '--account', id, '--amount', '-400', '--reason', 'more'],
      'INSUFFICIENT_CREDITS',
      'amount',
    );
    const goodwill = ['credits', 'adjust', '--account', id, '--amount', '5', '--reason', 'x', '--operation-key', 'k'];
    assert.deepEqual(await admin(...goodwill), await admin(...goodwill));
    const purchase = ['credits', 'grant', '--account', id, '--source', 'plan', '--amount', '5', '--operation-key', 'k'];
    assert.equal((await admin(...purchase)).id, (await admin(...purchase)).id);
    const log = await admin('audit', 'list', '--account', id, '--limit', '4');
    assert.deepEqual(actions(log), ['credits.granted', 'credits.adjusted', 'credits.adjusted', 'credits.granted']);
    for (const { actor, accountId } of log.entries) assert.deepEqual([actor, accountId], ['operator', id]);
  });

  it('target add, attest, list, api-runs, assign and unassign', async () => {
    const { account, user } = await createOwner('targets@example.com');
    const on = ['--account', account, '--url', 'https://shop.example.com/login'];
    const added = await admin('target', 'add', ...on);
    assert.match(added.id, /^tgt_/);
    assert.deepEqual([added.origin, added.verifiedAt, added.apiRuns], ['https://shop.example.com', null, false]);
    const { verificationId } = await admin('target', 'attest', ...on);
    assert.equal(verificationId, added.verificationId);
    assert.equal((await admin('target', 'api-runs', verificationId, 'on')).apiRuns, true);
    assert.equal((await admin('target', 'assign', verificationId, '--user', 'targets@example.com')).assigned, true);
    const { targets } = await admin('target', 'list', '--account', account);
    assert.deepEqual([targets.length, targets[0].assignedTo], [1, [user]]);
    const listed = await onTest(['admin', 'target', 'list', '--account', account]);
    assert.match(
      listed.stdout,
      /^verification .*\nver_\w+ +https:\/\/shop\.example\.com +attestation .* on +usr_\w+\n$/,
    );
    assert.equal((await admin('target', 'unassign', verificationId, '--user', user)).assigned, false);
    await assertRefused(['target', 'api-runs', verificationId, 'maybe'], 'VALIDATION_ERROR', 'state');
    await assertRefused(['target', 'assign', verificationId], 'VALIDATION_ERROR', 'user');
  });

  it('clock advance', async () => {
    const { now } = await admin('clock', 'advance', '24h');
    assert.ok(Date.parse(now) > Date.now() + 23 * 3_600_000);
    await assertRefused(['clock', 'advance', 'soon'], 'VALIDATION_ERROR', 'duration');
  });

  it('optout add, list and remove', async () => {
    assert.equal((await admin('optout', 'add', 'www.Example.org')).host, 'www.example.org');
    const { hosts } = await admin('optout', 'list');
    assert.deepEqual(
      hosts.map(({ host }: Answer) => host),
      ['www.example.org'],
    );
    const text = await onTest(['admin', 'optout', 'list']);
    assert.match(text.stdout, /^host +since\nwww\.example\.org +\d{4}-/);
    await assertRefused(['optout', 'add', 'https://example.org/'], 'VALIDATION_ERROR', 'host');
    assert.deepEqual(await admin('optout', 'remove', 'www.example.org'), { host: 'www.example.org' });
    await assertRefused(['optout', 'remove', 'www.example.org'], 'NOT_FOUND');
    assert.equal((await onTest(['admin', 'optout', 'list'])).stdout, 'no opt-outs\n');
  });

  it('fault handover', async () => {
    const ordered = async () =>
      (await test.database.queries.selectFrom('fault').select(['name', 'remaining']).execute()).map(Object.values);
    assert.deepEqual(await admin('fault', 'handover', '--fail-next', '3'), { failNext: 3 });
    assert.deepEqual(await ordered(), [['handover', 3]]);
    const { entries } = await admin('audit', 'list', '--limit', '1000');
    const entry = entries.find(({ action }: Answer) => action === 'fault.ordered');
    assert.deepEqual([entry.actor, entry.subject, entry.details], ['operator', 'handover', { times: 3 }]);
    const text = await onTest(['admin', 'fault', 'handover', '--fail-next', '0']);
    assert.deepEqual(text, { exitCode: 0, stdout: 'starts that will fail  0\n', stderr: '' });
    assert.deepEqual(await ordered(), [['handover', 0]]);
    for (const wrong of ['-1', '10001', '1.5', 'many', '']) {
      await assertRefused(['fault', 'handover', '--fail-next', wrong], 'VALIDATION_ERROR', 'failNext');
    }
    await assertRefused(['fault', 'handover'], 'VALIDATION_ERROR', 'failNext');
    await assertRefused(['fault', 'takeover', '--fail-next', '1'], 'VALIDATION_ERROR');
    const missing = await onTest(['admin', 'fault', 'handover']);
    assert.deepEqual([missing.exitCode, missing.stdout], [1, '']);
    assert.match(missing.stderr, /^error: --fail-next is required.*\nSee: npx sortie admin fault handover --help\n$/);
    assert.deepEqual(await ordered(), [['handover', 0]]);
  });

  it('fault handover is refused in environment live', async () => {
    const live = await createTestDatabase();
    await live.database.pool.query("update service set environment = 'live'");
    const order = ['admin', 'fault', 'handover', '--fail-next', '1'];
    const text = await run(order, { env: { DATABASE_URL: live.url } });
    assert.deepEqual([text.exitCode, text.stdout], [1, '']);
    assert.match(text.stderr, /^error: .*environment test/);
    const json = await run([...order, '--json'], { env: { DATABASE_URL: live.url } });
    assert.deepEqual([json.exitCode, json.stderr], [1, '']);
    assert.equal(JSON.parse(json.stdout).error.code, 'FORBIDDEN');
    assert.deepEqual(await live.database.queries.selectFrom('fault').selectAll().execute(), []);
    await live.drop();
  });
});

describe('the command line', { concurrency: 2 }, () => {
  it('prints aligned lines for people', async () => {
    const create = ['admin', 'account', 'create', '--name', 'Acme', '--kind', 'personal'];
    const { stdout, exitCode } = await launch(create, { env: { DATABASE_URL: test.url } });
    assert.equal(exitCode, 0);
    assert.match(
      stdout,
      /^id {15}acc_\w+\nname {13}Acme\nkind {13}personal\nplan {13}free\nsuspended {8}no\nexternal models {2}allowed\n$/,
    );
    const [, id = ''] = /(acc_\w+)/.exec(stdout) ?? [];
    const shown = await onTest(['admin', 'account', 'show', id]);
    assert.match(shown.stdout, /available {4}0\n/);
    assert.match(shown.stdout, /no members yet\n$/);
  });

  it('shows a new key, and that it is shown once', async () => {
    const { account, user } = await createOwner('text@example.com');
    const on = ['--account', account, '--user', user];
    const created = await onTest(['admin', 'key', 'create', ...on, '--permissions', 'all']);
    assert.match(created.stdout, /^key {10}srt_test_\w{12}_\w{38}$/m);
    assert.match(created.stdout, /cannot be shown again/);
    const listed = await onTest(['admin', 'key', 'list', '--account', account]);
    assert.match(listed.stdout, /^id .*ends in .*\n\w{12} /);
  });

  it('tells people on stderr what to do next', async () => {
    const nameless = ['admin', 'account', 'create', '--kind', 'personal'];
    const missing = await launch(nameless, { env: { DATABASE_URL: test.url } });
    assert.deepEqual([missing.exitCode, missing.stdout], [1, '']);
    assert.match(missing.stderr, /^error: --name is required\nSee: npx sortie admin account create --help\n$/);
    const wrong = await onTest(['admin', 'credits', 'grant', '--operation-key', 'a b']);
    assert.match(wrong.stderr, /^error: --account is required\n/);
    const usage = await onTest(['admin', 'account', 'create', '--nmae', 'x']);
    assert.deepEqual([usage.exitCode, usage.stdout], [1, '']);
    assert.match(usage.stderr, /unknown option '--nmae'[\s\S]*See: npx sortie admin account create --help\n$/);
    const { message } = await refused('account', 'create', '--kind', 'personal');
    assert.equal(message, 'name is required');
    const misled = await run(['up', '4900']);
    assert.deepEqual([misled.exitCode, misled.stdout], [1, '']);
    assert.match(misled.stderr, /too many arguments for 'up'[\s\S]*npm start -- --port 4900\n$/);
  });

  it('answers wrong usage as JSON too', async () => {
    for (const args of [
      ['account', 'create', '--nmae', 'x'],
      ['account', 'create', '--name'],
      ['account', 'show'],
      ['account', 'erase'],
      ['account'],
      [],
    ]) {
      await assertRefused(args, 'VALIDATION_ERROR');
    }
  });

  it('takes --json and --data before the noun too', async () => {
    const { stdout } = await onTest([
      'admin',
      '--json',
      '--data',
      'elsewhere',
      'user',
      'create',
      '--email',
      'a@b.example',
    ]);
    assert.equal(JSON.parse(stdout).email, 'a@b.example');
  });

  it('says that no server is running, and how to start one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sortie-cli-'));
    for (const args of [[], ['--data', join(folder, 'elsewhere')]]) {
      const result = await run(['admin', 'audit', 'list', ...args], { cwd: folder });
      assert.deepEqual([result.exitCode, result.stdout], [1, '']);
      assert.match(result.stderr, /No server is running.*npm start.*--data/);
      assert.ok(result.stderr.includes(args[1] ?? join(folder, '.sortie')));
    }
    const asJson = await run(['admin', 'audit', 'list', '--json'], { cwd: folder });
    assert.deepEqual([asJson.exitCode, asJson.stderr], [1, '']);
    assert.match(JSON.parse(asJson.stdout).error.message, /npm start/);
    await rm(folder, { recursive: true });
  });

  it('says that the database cannot be reached or was never set up', async () => {
    const nowhere = await run(['admin', 'audit', 'list'], { env: { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/x' } });
    assert.equal(nowhere.exitCode, 1);
    assert.match(nowhere.stderr, /^error: The database cannot be reached.*DATABASE_URL\.\n$/);
    const { url } = test;
    const empty = await run(['admin', 'audit', 'list'], {
      env: { DATABASE_URL: url.replace(/\/test_\w+/, '/postgres') },
    });
    assert.equal(empty.exitCode, 1);
    assert.match(empty.stderr, /^error: The database is not initialized.*npm start\.\n$/);
  });

  it("uses the operator's own catalogue of plans", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sortie-cli-'));
    const file = join(folder, 'catalogue.json');
    await writeFile(
      file,
      JSON.stringify({ plans: { gold: { monthlyCredits: 7, scansPerMonth: null, concurrentPentests: 1 } } }),
    );
    const env = { DATABASE_URL: test.url, SORTIE_CATALOGUE: file };
    const args = ['admin', 'account', 'create', '--name', 'A', '--kind', 'personal', '--plan', 'gold', '--json'];
    const { id } = JSON.parse((await run(args, { env })).stdout);
    assert.equal((await admin('account', 'show', id)).balance.plan, 7);
    await writeFile(file, '{');
    const broken = await run(args, { env });
    assert.equal(broken.exitCode, 1);
    assert.match(JSON.parse(broken.stdout).error.message, /SORTIE_CATALOGUE/);
    await rm(folder, { recursive: true });
  });

  it('shows help on stdout without a database', async () => {
    for (const args of [['--help'], ['admin', '--help'], ['admin', 'key', 'create', '--help'], ['help', 'admin']]) {
      const { exitCode, stdout, stderr } = await run(args);
      assert.deepEqual([exitCode, stderr], [0, '']);
      assert.match(stdout, /^Usage: sortie /);
    }
    assert.match(
      (await run(['--help'])).stdout,
      /^Passive scans and pentests [\s\S]*^ {2}pentest +start, watch and cancel pentests of verified targets/m,
    );
    assert.match((await run(['admin', 'key', 'create', '--help'])).stdout, /--permissions[\s\S]*--data[\s\S]*--json/);
  });
});

describe('on an old Node', () => {
  const pretend = (version: string) =>
    `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`;

  function assertExplained({ exitCode, stdout, stderr }: Finished, version: string): void {
    assert.deepEqual([exitCode, stdout], [1, '']);
    const lines = stderr.trimEnd().split('\n');
    assert.ok(lines.length <= 2 && stderr.includes(version));
    assert.match(stderr, /Node 24\.12[\s\S]*npm start[\s\S]*npx sortie[\s\S]*install Node 24/);
  }

  for (const version of ['18.20.0', '24.11.1']) {
    it(`${version} says what to do and exits 1`, async () => {
      assertExplained(await launch(['--help'], { nodeFlags: ['--import', pretend(version)] }), version);
    });
  }

  for (const version of ['24.12.0', '25.0.0']) {
    it(`is not meant for ${version}`, async () => {
      assert.equal((await launch(['--help'], { nodeFlags: ['--import', pretend(version)] })).exitCode, 0);
    });
  }

  it('that is really installed, the launcher can be read', async (context) => {
    const version = await versionOf('/usr/bin/node');
    if (version === undefined || Number.parseInt(version, 10) >= 24) return context.skip('no old Node here');
    assertExplained(await launch(['--help'], { node: '/usr/bin/node' }), version);
  });
});

function versionOf(node: string): Promise<string | undefined> {
  return new Promise((done) => {
    execFile(node, ['-p', 'process.versions.node'], (error, stdout) => done(error ? undefined : stdout.trim()));
  });
}
