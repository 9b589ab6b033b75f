import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Capsule, CapsuleContent } from '@sortie/contract';
import { cliEnvironment, emptyFolder } from '@sortie/testing/cli/cli.ts';
import { type Commands, createCommands } from '@sortie/testing/cli/commands.ts';
import { createStarter, findingOf, type Starter, startPentest } from '@sortie/testing/world/pentests.ts';
import { createTarget, manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';
import { sql } from 'kysely';

let world: World;
let starter: Starter;
let commands: Commands;
let target: Server;
let origin: string;
let run: string;
let isRepaired = false;
let status = 200;
let requests = 0;
let foreign: Server;
let foreignOrigin: string;
let foreignRequests = 0;
const home = emptyFolder();

before(async () => {
  target = createServer((_request, response) => {
    requests++;
    const policy = isRepaired ? { 'content-security-policy': "default-src 'self'" } : {};
    response.writeHead(status, { 'content-type': 'text/html', ...policy }).end('<p>Welcome</p>');
  });
  foreign = createServer((_request, response) => {
    foreignRequests++;
    response.setHeader('content-type', 'text/html').end('<p>Welcome</p>');
  });
  [origin, foreignOrigin] = await Promise.all([originOf(target), originOf(foreign)]);
  world = await createWorld({ env: { ...manyRequests, SORTIE_ALLOW_ADDRESSES: '127.0.0.1/32' } });
  starter = await createStarter(world);
  run = await startPentest(world.server.baseUrl, starter, await createTarget(world.admin, starter, `${origin}/`));
  await storeFinding('fnd_csp');
  const settings = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: world.server.baseUrl, SORTIE_API_KEY: starter.apiKey };
  commands = createCommands('', { cwd: home, env: { ...cliEnvironment(), ...settings } });
});
after(async () => {
  await world.end();
  target.close();
  foreign.close();
  rmSync(home, { recursive: true });
});

async function originOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Stores a finding with its capsule, as a worker would. */
async function storeFinding(id: string, changes: Partial<CapsuleContent> = {}): Promise<void> {
  const { queries } = world.testDatabase.database;
  const pages = ['/', '/teas'].map((place) => ({ url: origin + place, seenAs: null }));
  const content: CapsuleContent = {
    version: 1,
    checkId: 'csp-missing',
    fingerprint: id,
    confidence: 'CONFIRMED',
    depth: 'STANDARD',
    origin,
    subject: { origin },
    variant: { pages },
    accounts: [],
    steps: [],
    oracle: { name: 'csp-missing', verdicts: ['PROVED', 'PROVED'] },
    isComplete: true,
    provedAt: '2026-01-01T12:20:00.000Z',
    ...changes,
  };
  const finding = { title: 'CSP missing', severity: 'LOW', confidence: 'CONFIRMED', fingerprint: id } as const;
  await queries
    .insertInto('pentest_finding')
    .values({ ...finding, id, pentest_id: run })
    .execute();
  const stored = { pentest_id: run, fingerprint: id, content: JSON.stringify(content) };
  await queries.insertInto('capsule').values(stored).execute();
}

const expireIn = (time: string) =>
  sql`update verification set verified_at = service_now() + ${time}::interval - interval '90 days',
    expires_at = service_now() + ${time}::interval`.execute(world.testDatabase.database.queries);

/** Resolves to the outcome and how many requests the target received. */
async function replay(...args: string[]) {
  return replayOnPublicAddresses(...args, '--allow-address', '127.0.0.1/32');
}

async function replayOnPublicAddresses(...args: string[]) {
  const before = requests;
  const { exitCode, stdout, stderr } = await commands.run(['finding', 'replay', ...args, '--json']);
  const told = stdout.startsWith('{') ? JSON.parse(stdout) : {};
  return { exitCode, outcome: told.outcome, reason: told.reason, received: requests - before, stderr };
}

function saved(capsule: Capsule): string {
  const file = path.join(home, 'capsule.json');
  writeFileSync(file, JSON.stringify(capsule));
  return file;
}

async function capsuleOf(): Promise<Capsule> {
  const { capsule } = await findingOf(world.server.baseUrl, starter, run, 'fnd_csp');
  return capsule ?? assert.fail('no capsule');
}

describe('sortie finding replay', () => {
  it('says that the finding is still there, with exit code 1', async () => {
    const { exitCode, outcome, received } = await replay(run, 'fnd_csp');
    assert.deepEqual([exitCode, outcome], [1, 'STILL_THERE']);
    assert.ok(received >= 4, `${received} requests: the proof is repeated twice`);
  });

  it('says that it is gone after the repair, with exit code 0, from a file as well', async () => {
    isRepaired = true;
    assert.deepEqual((await replay(run, 'fnd_csp')).outcome, 'GONE');
    const { exitCode, outcome } = await replay(saved(await capsuleOf()));
    isRepaired = false;
    assert.deepEqual([exitCode, outcome], [0, 'GONE']);
  });

  it('does not call a finding gone of which it replayed one of several places', async () => {
    const document = await findingOf(world.server.baseUrl, starter, run, 'fnd_csp');
    const file = path.join(home, 'finding.json');
    const place = { url: `${origin}/`, method: 'GET', parameter: null, location: null, accounts: [], fingerprints: [] };
    writeFileSync(file, JSON.stringify({ ...document, places: [place, place, place] }));
    isRepaired = true;
    const { exitCode, outcome, reason } = await replay(file);
    isRepaired = false;
    assert.deepEqual([exitCode, outcome], [6, 'VOID']);
    assert.match(reason, /^Gone, but 2 other places were not replayed\./);
  });

  it('sends nothing for a capsule that was changed, or that another service signed', async () => {
    const capsule = await capsuleOf();
    const keyId = 'another';
    for (const changed of [
      { ...capsule, origin: 'http://127.0.0.1:1' },
      { ...capsule, variant: { pages: [] } },
      { ...capsule, signature: { ...capsule.signature, keyId } },
    ]) {
      const { exitCode, outcome, received, reason } = await replay(saved(changed));
      assert.deepEqual([exitCode, outcome, received], [6, 'VOID', 0]);
      assert.match(reason, /not signed by this service, or was changed\. Nothing was sent\./);
    }
  });

  it('sends nothing for a signed capsule whose host is not verified', async () => {
    const pages = [{ url: `${foreignOrigin}/`, seenAs: null }];
    await storeFinding('fnd_foreign', {
      origin: foreignOrigin,
      subject: { origin: foreignOrigin },
      variant: { pages },
    });
    const { exitCode, outcome, reason, received } = await replay(run, 'fnd_foreign');
    assert.deepEqual([exitCode, outcome, received, foreignRequests], [6, 'VOID', 0, 0]);
    assert.equal(
      reason,
      `The verification of ${foreignOrigin} is not valid. Verify the target again. Nothing was sent.`,
    );
  });

  it('sends nothing to another host that the experiment of a signed capsule names', async () => {
    const pages = [{ url: `${foreignOrigin}/`, seenAs: null }];
    await storeFinding('fnd_elsewhere', { subject: { origin: foreignOrigin }, variant: { pages } });
    const { exitCode, outcome, reason } = await replay(run, 'fnd_elsewhere');
    assert.deepEqual([exitCode, outcome, foreignRequests], [6, 'VOID', 0], reason);
  });

  it('names the accounts that the proof needs and the flag for them, before it sends anything', async () => {
    const accounts = ['alice', 'bob', 'carol'].map((name) => ({ name, id: null }));
    await storeFinding('fnd_accounts', { accounts });
    const none = await replay(run, 'fnd_accounts');
    assert.deepEqual([none.exitCode, none.outcome, none.received], [6, 'VOID', 0]);
    assert.match(none.reason, /^The proof needs the accounts "alice", "bob" and "carol"\. Add --credentials FILE /);
    const file = path.join(home, 'accounts.json');
    const known = ['alice', 'carol'].map((name) => ({ name, kind: 'BASIC_AUTH', user: name, pass: 'x-of-y' }));
    writeFileSync(file, JSON.stringify(known));
    const some = await replay(run, 'fnd_accounts', '--credentials', file);
    assert.deepEqual([some.exitCode, some.outcome, some.received], [6, 'VOID', 0]);
    assert.match(some.reason, /^The proof needs the account "bob"\. /);
  });

  it('says that nothing was proved while the target answers with errors only', async () => {
    for (const code of [502, 503]) {
      status = code;
      const { exitCode, outcome } = await replay(run, 'fnd_csp');
      assert.deepEqual([exitCode, outcome], [6, 'VOID'], String(code));
    }
    status = 200;
  });

  it('refuses a file that is no capsule', async () => {
    const file = path.join(home, 'other.json');
    writeFileSync(file, '{"version": 1}');
    const { exitCode, received } = await replay(file);
    assert.deepEqual([exitCode, received], [2, 0]);
  });

  it('names the flag that allows a private address', async () => {
    const { exitCode, outcome, received, reason } = await replayOnPublicAddresses(run, 'fnd_csp');
    assert.deepEqual([exitCode, outcome, received], [6, 'VOID', 0]);
    assert.ok(
      reason.endsWith(` If the target is yours, add --allow-address 127.0.0.1/32:${new URL(origin).port}`),
      reason,
    );
  });

  it('sends nothing once the verification of the target has expired', async () => {
    await expireIn('-1 day');
    const { exitCode, outcome, received, reason } = await replay(run, 'fnd_csp');
    await expireIn('90 days');
    assert.deepEqual([exitCode, outcome, received], [6, 'VOID', 0]);
    assert.match(reason, /Verify the target again/);
  });

  it('says that nothing was proved while the target is down, with exit code 6', async () => {
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
    const { exitCode, outcome } = await replay(run, 'fnd_csp');
    assert.deepEqual([exitCode, outcome], [6, 'VOID']);
  });
});
