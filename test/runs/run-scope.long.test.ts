import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { allowing, withWorker } from '@sortie/testing/real-runs/real-run.ts';
import { type NameServer, startNameServer } from '@sortie/testing/targets/name-server.ts';
import { startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { startPentest } from '@sortie/testing/world/pentests.ts';
import { inspect, waitUntil, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { grantCredits } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const FILE = '/.well-known/sortie-verification.txt';
/** What the site of each host answers, by host and path; 404 elsewhere. */
const pages = new Map<string, string>();
const texts = new Map<string, string[]>();
/** What was asked for, as a host and a path. */
const requests: string[] = [];

let site: TargetServer;
let names: NameServer;
let world: World;
before(async () => {
  site = await startWebServer((request, response) => {
    const asked = `${request.headers.host?.replace(/:\d+$/, '')}${request.url}`;
    requests.push(asked);
    const page = pages.get(asked);
    const type = request.url === FILE ? 'text/plain' : 'text/html';
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': type }).end(page ?? 'nothing here');
  });
  names = await startNameServer((name, type) => {
    if (type === 'TXT') return texts.get(name) ?? [];
    return type === 'A' ? ['127.0.0.1'] : [];
  });
  world = await createWorld({
    env: { ...allowing(site.port), SORTIE_RESOLVERS: names.address, SORTIE_OWNERSHIP_EVERY_MS: '2000' },
    flags: withWorker,
  });
});
after(async () => {
  await world.end();
  await Promise.all([site.close(), names.close()]);
});

describe('a run of a name with targets of their own below it', () => {
  it('sends nothing to a target that forbids it, and says so', async () => {
    const member = await world.createMember();
    await grantCredits(world.admin, member, 10_000);
    const { accountId: account } = member;
    const domain = `${randomUUID()}.test`;
    const originOf = (name: string) => `http://${name}.${domain}:${site.port}`;
    const [off, closed, partly] = [originOf('off'), originOf('closed'), originOf('partly')];
    const { verificationId, token } = await world.admin.target.add({
      account,
      url: originOf('shop'),
      method: 'dns',
      name: domain,
    });
    texts.set(domain, [`sortie-verification=${token}`]);
    const links = [off, closed, partly].flatMap((origin) => [`${origin}/`, `${origin}/private`]);
    const body = links.map((url) => `<a href="${url}">more</a>`).join('');
    for (const name of ['shop', 'off', 'closed', 'partly']) {
      pages.set(`${name}.${domain}${FILE}`, token ?? '');
      pages.set(`${name}.${domain}/`, `<html><head></head><body>${body}</body></html>`);
    }
    assert.equal((await world.admin.target.verify({ id: verificationId })).outcome, 'FOUND');
    await world.admin.target.add({ account, url: off });
    const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    const window = `${hour(10)}-${hour(12)}`;
    for (const [url, rules] of [
      [closed, { window }],
      [partly, { exclude: ['/private'], rate: '50' }],
    ] satisfies [string, object][]) {
      const { verificationId: id } = await world.admin.target.add({ account, url });
      await world.admin.target.apiRuns({ id, state: 'on' });
      await world.admin.target.rules({ id, ...rules });
    }
    await world.admin.target.apiRuns({ id: verificationId, state: 'on' });
    await world.admin.target.rules({ id: verificationId, rate: '50' });
    const target = { targetUrl: `${originOf('shop')}/`, verificationId };
    const run = { id: await startPentest(world.server.baseUrl, member, target), starter: { ...member, target } };
    const { status } = await waitUntilOver(world, run);
    const summary = (await inspect(world, run)).summary ?? '';
    assert.equal(status, 'COMPLETED', summary);
    const asked = requests.filter((request) => !request.endsWith(FILE));
    assert.ok(asked.includes(`partly.${domain}/`));
    assert.deepEqual(
      asked.filter((request) => /^(?:off|closed)\.|^partly\..*\/private/.test(request)),
      [],
    );
    assert.ok(summary.includes(`${off} was not tested: API runs are off for this target.`), summary);
    assert.ok(summary.includes(`${closed} was not tested: its testing window is closed.`), summary);
    assert.ok(summary.includes(`Excluded paths of ${partly} were not tested: /private.`), summary);
  });
});

describe('a run whose target is verified by DNS', () => {
  it('is cancelled when its server no longer shows that it belongs to the name, and charged for the work done', async () => {
    const member = await world.createMember();
    await grantCredits(world.admin, member, 10_000);
    const host = `${randomUUID()}.test`;
    const targetUrl = `http://${host}:${site.port}/`;
    const added = await world.admin.target.add({ account: member.accountId, url: targetUrl, method: 'dns' });
    const { verificationId, token } = added;
    texts.set(host, [`sortie-verification=${token}`]);
    pages.set(host + FILE, token ?? '');
    pages.set(`${host}/`, '<title>Shop</title><a href="/about?page=1">About</a>');
    assert.equal((await world.admin.target.verify({ id: verificationId })).outcome, 'FOUND');
    await world.admin.target.apiRuns({ id: verificationId, state: 'on' });
    // So slow that it is not over before its server is another one.
    await world.admin.target.rules({ id: verificationId, rate: '1' });
    const target = { targetUrl, verificationId };
    const run = { id: await startPentest(world.server.baseUrl, member, target), starter: { ...member, target } };
    await waitUntil(world, run, ({ status }) => status !== 'QUEUED' && status !== 'VERIFYING');
    pages.delete(host + FILE);
    const { status, credits } = await waitUntilOver(world, run);
    assert.deepEqual([status, credits?.state], ['CANCELLED', 'CHARGED']);
    assert.match(
      (await inspect(world, run)).summary ?? '',
      /The server at 127\.0\.0\.1 does not prove that it belongs to/,
    );
  });
});
