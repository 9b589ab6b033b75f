import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OwnershipResult } from '@sortie/engine';
import { type Admin, defaultCatalogue, openAdmin } from '@sortie/server';
import { createCommands } from '@sortie/testing/cli/commands.ts';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { completeCheck, takeOwnershipCheck } from '../../../../server/src/targets/targets.ts';

const url = 'https://shop.example.com';

let test: TestDatabase;
let admin: Admin;
let account: string;
before(async () => {
  test = await createTestDatabase();
  admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue });
  account = (await admin.account.create({ name: 'Acme', kind: 'organization' })).id;
});
after(async () => {
  await admin.close();
  await test.drop();
});

const { run } = createCommands('');

/** Resolves to the exit code and the text output of a command. */
async function attempt(...args: string[]): Promise<{ code: number; stdout: string }> {
  const { exitCode, stdout } = await run(['admin', 'target', ...args], { env: { DATABASE_URL: test.url } });
  return { code: exitCode, stdout };
}

async function target(...args: string[]): Promise<string> {
  const { code, stdout } = await attempt(...args);
  assert.equal(code, 0, stdout);
  return stdout;
}

/** Completes the next requested ownership check as a worker would. */
async function answerCheck(result: OwnershipResult): Promise<void> {
  let taken: Awaited<ReturnType<typeof takeOwnershipCheck>>;
  const take = async () => {
    taken = await takeOwnershipCheck(test.database.queries, { owner: 'worker-1', leaseMs: 30_000 });
    return taken !== undefined;
  };
  await waitFor(take, { what: 'the check that was asked for', withinMs: 60_000 });
  assert.ok(taken);
  await completeCheck(test.database, taken, result);
}

describe('sortie admin target', () => {
  it('add says what to publish where, and list shows the token', async () => {
    const added = await target('add', '--account', account, '--url', url, '--method', 'dns', '--name', 'example.com');
    const [, token = ''] = /sortie-verification=(\w{32})\n/.exec(added) ?? [];
    assert.match(added, /^method +dns\ncovers +example\.com and its subdomains\n/m);
    assert.match(added, new RegExp(`^publish +TXT record of example\\.com: sortie-verification=${token}\n`, 'm'));
    assert.match(added, /^expires +not verified yet\n/m);
    const listed = await target('list', '--account', account);
    assert.match(listed, new RegExp(`\nver_\\w+ +${url} +dns +example\\.com +${token} +not verified yet +off`));
    const attested = await target('attest', '--account', account, '--url', url);
    assert.doesNotMatch(attested, /^publish/m);
  });

  it('verify prints locations and observations, and checks lists the result', async () => {
    const { verificationId, token } = await admin.target.add({ account, url, method: 'file' });
    const place = `${url}/.well-known/sortie-verification.txt`;
    const verifying = attempt('verify', verificationId);
    await answerCheck({
      outcome: 'NOT_FOUND',
      message: 'Token not found. Publish it there.',
      lookUps: [{ place: `GET ${place}`, seen: ['status 200, text/html, 12 bytes', 'not a \u001b token'] }],
      egress: [],
    });
    const { code, stdout: text } = await verifying;
    assert.equal(code, 1);
    assert.match(text, new RegExp(`^expected +file ${place} that contains only: ${token}\n`, 'm'));
    assert.match(text, /^outcome +NOT_FOUND\nexpires +not verified yet\n/m);
    assert.match(text, new RegExp(`^GET ${place} +status 200, text/html, 12 bytes; not a \\? token\n`, 'm'));
    const again = `npx sortie admin target verify ${verificationId}`;
    assert.match(
      text,
      new RegExp(`\\n +Token not found\\. Publish it there\\.\\n +Then check again with: ${again}\\n$`),
    );
    const history = await target('checks', verificationId);
    assert.match(history, /^requested .*\n\S+Z +\S+Z +NOT_FOUND +operator +Token not found\. Publish it there\.\n$/);
  });

  for (const [outcome, expected] of [
    ['UNKNOWN', 1],
    ['FOUND', 0],
  ] as const) {
    it(`verify ends with ${expected} when the outcome is ${outcome}`, async () => {
      const other = `https://${outcome.toLowerCase()}.example.com`;
      const { verificationId } = await admin.target.add({ account, url: other, method: 'file' });
      const verifying = attempt('verify', verificationId, '--json');
      await answerCheck({ outcome, message: `It is ${outcome}.`, lookUps: [], egress: [] });
      const { code, stdout } = await verifying;
      assert.deepEqual([code, JSON.parse(stdout).outcome], [expected, outcome]);
    });
  }

  it('verify says when no worker takes the check', async () => {
    const { verificationId } = await admin.target.add({ account, url, method: 'meta' });
    assert.match(await target('checks', verificationId), /^not checked yet\n$/);
    const { code, stdout: text } = await attempt('verify', verificationId, '--wait', '0');
    assert.equal(code, 1);
    assert.match(text, /^outcome +WAITING\n/m);
    assert.match(
      text,
      /No worker took the check within 0 s\. Check that a node runs with --role all or --role worker\./,
    );
    assert.match(text, new RegExp(`\\n +Show the outcome with: npx sortie admin target checks ${verificationId}\\n$`));
    assert.match(await target('checks', verificationId), / +- +WAITING +operator +-\n$/);
  });

  it('rules shows and changes the rules of engagement', async () => {
    const { verificationId: id } = await admin.target.attest({ account, url });
    assert.match(
      await target('rules', id),
      /^excluded paths +none\nrequests per second +engine default\nwindow +always open\nemergency contact +-\n$/m,
    );
    const flags = ['--exclude', '/admin', '/logout', '--rate', '5', '--contact', 'Ada'];
    assert.match(
      await target('rules', id, ...flags),
      /^excluded paths +\/admin \/logout\nrequests per second +5\nwindow +always open\nemergency contact +Ada\n$/m,
    );
    assert.match(
      await target('rules', id, '--add-exclude', 'GET /leave'),
      /^excluded paths +\/admin \/logout GET \/leave\n/m,
    );
    const opened = new Date(Date.now() - 3_600_000).toISOString().slice(11, 16);
    const closed = new Date(Date.now() + 3_600_000).toISOString().slice(11, 16);
    assert.match(await target('rules', id, '--window', `${opened}-${closed}`), / UTC, open for another (59|60) min\n/);
    assert.match(await target('rules', id, '--clear', '--window', `${closed}-${opened}`), /none\n[\s\S]* closed now\n/);
  });
});
