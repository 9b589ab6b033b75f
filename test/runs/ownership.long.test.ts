import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Pentest } from '@sortie/contract';
import { assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { balanceOf, startPentest } from '@sortie/testing/world/pentests.ts';
import { inspect, play, type Run, waitUntil, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { cancel, grantCredits, manyRequests, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

/** What the site of each host answers, by path; 404 elsewhere. */
const pages = new Map<string, string>();
/** TXT records by name, or what the name servers do instead of answering. */
const texts = new Map<string, string[] | 'failure'>();
const FILE = '/.well-known/sortie-verification.txt';
/** Has a name, but nobody may go there. */
const PRIVATE = 'private.example.test';

let site: TargetServer;
let names: NameServer;
let world: World;
before(async () => {
  site = await startWebServer((request, response) => {
    const page = pages.get(`${request.headers.host?.replace(/:\d+$/, '')}${request.url}`);
    const type = request.url === FILE ? 'text/plain' : 'text/html';
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': type }).end(page ?? 'nothing here');
  });
  names = await startNameServer((name, type) => {
    if (type === 'TXT') return texts.get(name) ?? [];
    if (type !== 'A') return [];
    return [name === PRIVATE ? '10.0.0.7' : '127.0.0.1'];
  });
  const env = {
    ...manyRequests,
    SORTIE_ALLOW_ADDRESSES: `127.0.0.1/32:${site.port}`,
    SORTIE_RESOLVERS: names.address,
    SORTIE_LEASE_MS: '2000',
    SORTIE_OWNERSHIP_EVERY_MS: '500',
  };
  world = await createWorld({ env, flags: ['--no-demo', '--role', 'all'] });
});
after(async () => {
  await world.end();
  await Promise.all([site.close(), names.close()]);
});

interface Target {
  member: Member;
  host: string;
  targetUrl: string;
  verificationId: string;
  token: string;
}

/** A target of an account that has all that a start needs, but for a completed verification. */
async function createTarget(
  method: 'dns' | 'file' | 'meta',
  options: { name?: string; host?: string } = {},
): Promise<Target> {
  const member = await world.createMember();
  await grantCredits(world.admin, member, 10_000);
  const host = options.host ?? `${randomUUID()}.example.test`;
  const targetUrl = `http://${host}:${site.port}/`;
  const name = options.name === undefined ? {} : { name: options.name };
  const added = await world.admin.target.add({ account: member.accountId, url: targetUrl, method, ...name });
  await world.admin.target.apiRuns({ id: added.verificationId, state: 'on' });
  return { member, host, targetUrl, verificationId: added.verificationId, token: added.token ?? '' };
}

const verify = ({ verificationId }: Target) => world.admin.target.verify({ id: verificationId });

const startOn = ({ member, verificationId, targetUrl }: Target, url = targetUrl) =>
  start(world.server.baseUrl, '/v1/pentests', member, { targetUrl: url, verificationId });

async function assertNotStarted(target: Target): Promise<void> {
  assertRefused(await startOn(target), 'FORBIDDEN');
}

async function assertStarted(target: Target, url?: string): Promise<void> {
  const answer = await startOn(target, url);
  assert.equal(answer.status, 201, answer.text);
  await cancel(world.server.baseUrl, target.member, (answer.body as { id: string }).id);
}

describe('a target is verified', () => {
  it('by a file whose whole content is the token', async () => {
    const target = await createTarget('file');
    const missing = await verify(target);
    assert.equal(missing.outcome, 'NOT_FOUND');
    assert.match(missing.message, /the response was status 404.* Publish a file there that contains only \w{32}/);
    await assertNotStarted(target);
    pages.set(target.host + FILE, `<p>${target.token}</p>`);
    assert.equal((await verify(target)).outcome, 'NOT_FOUND');
    pages.set(target.host + FILE, `${target.token}\n`);
    const found = await verify(target);
    assert.equal(found.outcome, 'FOUND', found.message);
    assert.ok(found.expiresAt && found.expiresAt.getTime() > Date.now() + 89 * 86_400_000);
    await assertStarted(target);
    const { checks } = await world.admin.target.checks({ id: target.verificationId });
    const asked = checks.filter(({ askedBy }) => askedBy === 'operator').map(({ outcome }) => outcome);
    assert.deepEqual(asked, ['FOUND', 'NOT_FOUND', 'NOT_FOUND']);
    const [went] = checks.at(-1)?.egress ?? [];
    assert.deepEqual([went?.host, went?.port, went?.address], [target.host, site.port, '127.0.0.1']);
  });

  it('by a tag in the head of its main page, not in the body', async () => {
    const target = await createTarget('meta');
    const tag = `<meta name="sortie-verification" content="${target.token}">`;
    pages.set(`${target.host}/`, `<html><head></head><body>${tag}</body></html>`);
    const lost = await verify(target);
    assert.equal(lost.outcome, 'NOT_FOUND', lost.message);
    await assertNotStarted(target);
    pages.set(`${target.host}/`, `<html><head>${tag}</head><body>Hello</body></html>`);
    assert.equal((await verify(target)).outcome, 'FOUND');
    await assertStarted(target);
  });

  it('by a TXT record, for its name with all below it', async () => {
    const domain = `${randomUUID()}.test`;
    const target = await createTarget('dns', { name: domain, host: `shop.${domain}` });
    texts.set(`shop.${domain}`, [`sortie-verification=${target.token}`]);
    const lost = await verify(target);
    assert.equal(lost.outcome, 'NOT_FOUND', lost.message);
    assert.deepEqual(lost.lookUps.at(-1), { place: `TXT ${domain}`, seen: ['no such record'] });
    texts.set(domain, ['v=spf1 -all', `sortie-verification=|${target.token}`]);
    const found = await verify(target);
    assert.equal(found.outcome, 'FOUND', found.message);
    await assertStarted(target);
    await assertStarted(target, `http://other.${domain}:${site.port}/`);
    assertRefused(await startOn(target, `http://${domain}.example.test/`), 'FORBIDDEN');
  });
});

describe('nothing is found out', () => {
  it('when the name servers fail', async () => {
    const target = await createTarget('dns');
    texts.set(target.host, 'failure');
    const { outcome, message } = await verify(target);
    assert.equal(outcome, 'UNKNOWN', message);
    assert.match(message, /the name servers did not respond/);
  });

  it('about a host at an address that may not be contacted', async () => {
    const target = await createTarget('file', { host: PRIVATE });
    const { outcome, message } = await verify(target);
    assert.equal(outcome, 'UNKNOWN', message);
    assert.match(message, /^Could not look up the token/);
    const [check] = (await world.admin.target.checks({ id: target.verificationId })).checks;
    assert.deepEqual(
      check?.egress?.map(({ host, address, outcome, connections }) => [host, address, outcome, connections]),
      [[PRIVATE, '10.0.0.7', 'REFUSED', 0]],
    );
  });
});

/** A real run: a script would touch no target. It is so slow that it is not over before its test is. */
describe('a run', () => {
  const PAGE = '<html><head><title>Shop</title></head><body><a href="/about">About</a></body></html>';

  async function begin({ member, targetUrl, verificationId }: Omit<Target, 'host' | 'token'>) {
    await world.admin.target.rules({ id: verificationId, rate: '1' });
    const target = { targetUrl, verificationId };
    const id = await startPentest(world.server.baseUrl, member, target);
    return { id, starter: { ...member, target } };
  }

  async function createVerified(): Promise<Target> {
    const target = await createTarget('file');
    pages.set(target.host + FILE, target.token);
    for (const path of ['/', '/about']) pages.set(target.host + path, PAGE);
    assert.equal((await verify(target)).outcome, 'FOUND');
    return target;
  }

  const hasBegun = ({ status }: Pentest) => status !== 'QUEUED' && status !== 'VERIFYING';
  const summaryOf = async (run: Run) => (await inspect(world, run)).summary ?? '';

  it('looks for the token again, before it begins and while it goes on', async () => {
    const target = await createVerified();
    const run = await begin(target);
    await waitUntil(world, run, hasBegun);
    const looks = async () => {
      const { checks } = await world.admin.target.checks({ id: target.verificationId });
      const own = checks.filter(({ pentestId }) => pentestId === run.id);
      assert.ok(own.every(({ outcome, askedBy }) => outcome === 'FOUND' && askedBy === null));
      return own.length >= 3;
    };
    await waitFor(looks, { what: 'three looks of the run' });
    await cancel(world.server.baseUrl, target.member, run.id);
  });

  it('fails when the token is gone before it begins, and costs nothing', async () => {
    const target = await createVerified();
    pages.delete(target.host + FILE);
    const run = await begin(target);
    const { status, credits } = await waitUntilOver(world, run);
    assert.deepEqual([status, credits?.state, credits?.charged], ['FAILED', 'RETURNED', 0]);
    assert.match(await summaryOf(run), /could not be confirmed\. Did not find the token/);
    assert.equal((await balanceOf(world.server.baseUrl, target.member)).available, 10_000);
  });

  it('fails when the name of a DNS proof leads to a server that does not prove that it belongs to it', async () => {
    const target = await createTarget('dns');
    texts.set(target.host, [`sortie-verification=${target.token}`]);
    pages.set(`${target.host}/`, PAGE);
    assert.equal((await verify(target)).outcome, 'FOUND');
    const run = await begin(target);
    const { status, credits } = await waitUntilOver(world, run);
    assert.deepEqual([status, credits?.state, credits?.charged], ['FAILED', 'RETURNED', 0]);
    assert.match(await summaryOf(run), /The server at 127\.0\.0\.1 does not prove that it belongs to/);
  });

  it('is cancelled when the token goes away later, and charged for the work done', async () => {
    const target = await createVerified();
    const run = await begin(target);
    await waitUntil(world, run, hasBegun);
    pages.delete(target.host + FILE);
    const { status, credits } = await waitUntilOver(world, run);
    assert.deepEqual([status, credits?.state], ['CANCELLED', 'CHARGED']);
    assert.ok(credits?.charged && credits.charged < 100, `charged ${credits?.charged}`);
    assert.match(await summaryOf(run), /could not be confirmed\. Did not find the token/);
  });

  it('is cancelled when the attestation of its target expires', async () => {
    const { member, host, targetUrl } = await createTarget('file');
    for (const path of ['/', '/about']) pages.set(host + path, PAGE);
    const { verificationId } = await world.admin.target.attest({ account: member.accountId, url: targetUrl });
    const run = await begin({ member, targetUrl, verificationId });
    await waitUntil(world, run, hasBegun);
    await world.testDatabase.database.pool.query(
      "update verification set verified_at = service_now() - interval '90 d', expires_at = service_now() where id = $1",
      [verificationId],
    );
    assert.equal((await waitUntilOver(world, run)).status, 'CANCELLED');
    assert.match(await summaryOf(run), /has expired\. Ask the operator to renew it\./);
  });
});

describe('a run whose target may not be tested at this hour', () => {
  it('waits in the queue while others pass it, and begins when it may', async () => {
    const member = await world.createMember();
    await grantCredits(world.admin, member, 10_000);
    await play(world, member, { steps: [{ phase: 'VERIFYING' }] });
    async function startAttested() {
      const targetUrl = `http://${randomUUID()}.example.test:${site.port}/`;
      const { verificationId } = await world.admin.target.attest({ account: member.accountId, url: targetUrl });
      await world.admin.target.apiRuns({ id: verificationId, state: 'on' });
      return { targetUrl, verificationId };
    }
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    const [closed, open] = [await startAttested(), await startAttested()];
    await world.admin.target.rules({ id: closed.verificationId, window: `${hour(10)}-${hour(12)}` });
    await world.admin.target.rules({ id: open.verificationId, window: `${hour(-2)}-${hour(2)}` });
    const begin = async (target: typeof open) => ({
      id: await startPentest(world.server.baseUrl, member, target),
      starter: { ...member, target },
    });
    const [waiting, passing] = [await begin(closed), await begin(open)];
    assert.equal((await waitUntilOver(world, passing)).status, 'COMPLETED');
    assert.equal((await inspect(world, waiting)).status, 'QUEUED');
    await world.admin.target.rules({ id: closed.verificationId, clear: true });
    assert.equal((await waitUntilOver(world, waiting)).status, 'COMPLETED');
  });
});
