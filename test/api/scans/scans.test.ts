import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { assertCarriesHeaders, assertRefused } from '@sortie/testing/http/assert-answer.ts';
import { createScanning, isReplay, readStarted, scanWorld } from '@sortie/testing/world/scans.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
before(async () => {
  world = await createWorld(scanWorld);
});
after(() => world.end());

const { startScan, get, started, readScan, assign } = createScanning(() => world);

describe('POST /v1/scans answers 201', () => {
  let owner: Member;
  before(async () => {
    owner = await world.createMember();
  });

  it('with exactly the id, the domain and STARTED', async () => {
    const answer = await startScan(owner, 'https://www.example.com/shop?tab=1#top');
    const { domain, status } = readStarted(answer);
    assert.deepEqual({ domain, status }, { domain: 'example.com', status: 'STARTED' });
    assert.equal(answer.headers['idempotent-replayed'], undefined);
    assert.match(String(answer.headers['content-type']), /^application\/json\b/);
    assertCarriesHeaders(answer);
  });

  for (const [url, expected] of Object.entries({
    'https://www.example.com/': 'example.com',
    'http://a.b.c.example.com/': 'example.com',
    'https://example.com': 'example.com',
    'https://www.example.co.uk/': 'example.co.uk',
    'https://co.uk/': 'co.uk',
    'https://foo.github.io/': 'foo.github.io',
    'https://docs.foo.github.io/': 'foo.github.io',
    'https://github.io/': 'github.io',
    'http://192.0.2.7:8080/login': '192.0.2.7',
    'http://0xc0.0.2.7/': '192.0.2.7',
    'http://[2001:DB8:0::1]:8080/': '[2001:db8::1]',
    'http://localhost:3000/': 'localhost',
    'http://intranet/': 'intranet',
    'https://www.example.com./': 'example.com',
    'HTTPS://WWW.EXAMPLE.CO.UK/': 'example.co.uk',
    'https://www.exämple.com/': 'xn--exmple-cua.com',
    'https://www.xn--exmple-cua.com/': 'xn--exmple-cua.com',
    'https://www.example.com:8443/': 'example.com',
    'https://_service.example.com/': 'example.com',
    'www.example.co.uk': 'example.co.uk',
    'WWW.Example.COM.': 'example.com',
    'www.exämple.com': 'xn--exmple-cua.com',
    localhost: 'localhost',
    '192.0.2.7': '192.0.2.7',
  })) {
    it(`and the domain of ${url} is ${expected}`, async () => {
      assert.equal(readStarted(await startScan(owner, url)).domain, expected);
    });
  }

  it('and a bare domain means its front page over https', async () => {
    assert.equal((await readScan(owner, await started(owner, 'www.example.com'))).url, 'https://www.example.com/');
  });

  it('again to the same request, with the same bytes and Idempotent-Replayed, and starts nothing', async () => {
    const key = randomUUID();
    const first = await startScan(owner, 'https://www.example.com/', key);
    const second = await startScan(owner, 'https://www.example.com/', key);
    assert.deepEqual([second.status, second.text, isReplay(second)], [201, first.text, true]);
    const location = `/v1/scans/${first.body?.id}`;
    assert.deepEqual([first.headers.location, second.headers.location], [location, location]);
    assertRefused(await startScan(owner, 'https://www.example.com/other', key), 'IDEMPOTENCY_KEY_REUSED');
  });

  it('again to another caller only if the host is assigned to them', async () => {
    const key = randomUUID();
    const url = 'https://replayed.example.com/';
    assert.equal((await startScan(owner, url, key)).status, 201);
    const other = await world.createMember({ accountId: owner.accountId, role: 'MEMBER' });
    assertRefused(await startScan(other, url, key), 'TARGET_NOT_ASSIGNED');
    const admin = await world.createMember({ accountId: owner.accountId, role: 'ADMIN' });
    assert.ok(isReplay(await startScan(admin, url, key)));
  });

  it('and takes no credits', async () => {
    const member = await world.createMember();
    await grantCredits(world.admin, member, 500);
    const read = async () =>
      Promise.all(['balance', 'usage'].map(async (what) => (await get(`/v1/credits/${what}`, member)).text));
    const before = await read();
    await started(member);
    assert.deepEqual(await read(), before);
    // Neither does it need any.
    await started(await world.createMember());
  });
});

describe('POST /v1/scans answers 400 with the field', () => {
  let owner: Member;
  before(async () => {
    owner = await world.createMember();
  });

  for (const [what, url] of Object.entries({
    'a missing value': undefined,
    null: null,
    'a number': 7,
    'a list': ['https://example.com/'],
    'no text': '',
    'another scheme': 'ftp://example.com/',
    'no host': 'https:///path',
    'user info': 'https://user:secret@example.com/',
    'an empty user': 'https://@example.com/',
    'a bare domain with a port': 'example.com:8080',
    'a bare domain with a path': 'example.com/login',
    'a bare IPv6 address': '[2001:db8::1]',
    'a space': 'https://example.com/a b',
    'a line break': 'https://example.com/\nX: y',
    'a port that does not exist': 'https://example.com:65536/',
    'an empty label': 'https://www..example.com/',
    'two dots at its end': 'https://example.com../',
    'a wildcard': 'https://*.example.com/',
    'a host of 254 characters': `https://${'a.'.repeat(126)}bb/`,
    '2,049 characters': `https://example.com/${'a'.repeat(2_029)}`,
  })) {
    it(`url for ${what}`, async () => assertRefused(await startScan(owner, url), 'VALIDATION_ERROR', 'url'));
  }

  it('of a member that is not url', async () => {
    const body = { url: 'https://example.com/', depth: 'LEAD' };
    assertRefused(await start(world.server.baseUrl, '/v1/scans', owner, body), 'VALIDATION_ERROR', 'depth');
  });

  it('and takes the longest URL and the longest host', async () => {
    await started(owner, `https://example.com/${'a'.repeat(2_028)}`);
    await started(owner, `https://${'a.'.repeat(126)}b/`);
  });
});

describe('POST /v1/scans answers 403 TARGET_NOT_ASSIGNED', () => {
  let owner: Member;
  let member: Member;
  before(async () => {
    owner = await world.createMember();
    member = await world.createMember({ accountId: owner.accountId, role: 'MEMBER' });
    await assign(member, 'https://shop.example.test:8443/');
    await assign(member, 'http://192.0.2.7/');
    // Of the organization, but of nobody in it.
    await createTarget(world.admin, member, 'https://wiki.example.test/');
  });

  for (const url of [
    'https://example.test/',
    'https://wiki.example.test/',
    'https://evil-shop.example.test/',
    'https://evilshop.example.test/',
    'https://shop.example.test.evil.test/',
    'https://evil.test/shop.example.test',
    'https://evil.test?.shop.example.test',
    'https://evil.test#.shop.example.test',
    'https://shop-example.test/',
    'http://1.192.0.2.7.example.test/',
    'http://192.0.2.70/',
    'http://[::ffff:192.0.2.7]/',
    'example.test',
  ]) {
    it(`to a MEMBER for ${url}`, async () => assertRefused(await startScan(member, url), 'TARGET_NOT_ASSIGNED'));
  }

  for (const url of [
    'https://shop.example.test/',
    'http://shop.example.test:80/login',
    'https://a.b.shop.example.test/',
    'HTTPS://SHOP.Example.Test./',
    'shop.example.test',
    'eu.shop.example.test',
    'http://192.0.2.7:8080/',
    'http://3221225991/',
  ]) {
    it(`but not for ${url}, which is an assigned name or lies under one`, async () => {
      await started(member, url);
    });
  }

  it('never to an OWNER or an ADMIN', async () => {
    const admin = await world.createMember({ accountId: owner.accountId, role: 'ADMIN' });
    await started(owner, 'https://anywhere.example.test/');
    await started(admin, 'https://anywhere.example.test/');
  });

  it('and remembers nothing of it: once assigned, the same request with the same key starts', async () => {
    const key = randomUUID();
    const url = 'https://later.example.test/';
    assertRefused(await startScan(member, url, key), 'TARGET_NOT_ASSIGNED');
    const { unassign } = await assign(member, url);
    const answer = await startScan(member, url, key);
    assert.deepEqual([readStarted(answer).status, isReplay(answer)], ['STARTED', false]);
    await unassign();
    assertRefused(await startScan(member, url), 'TARGET_NOT_ASSIGNED');
  });
});
