import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { startNameServer } from '@sortie/testing/targets/name-server.ts';
import { type Admin, openAdmin } from '../admin/admin.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { returnLease } from '../jobs/leases.ts';
import type { WorkerContext } from '../worker/context.ts';
import { workOnScan } from '../worker/work-on-scan.ts';
import { admitScan, completeScan, type TakenScan, takeScan } from './scans.ts';

const LEASE_MS = 60_000;
const PLACES = { atOnce: 6, anHour: 120 };
const scanned = { result: { failure: { code: 'PLAYED', message: 'As it was played.' } }, egress: [] };

let test: TestDatabase;
let admin: Admin;
/** The database connection of another node. */
let other: Database;
let accounts: string[];
let user: string;

before(async () => {
  test = await createTestDatabase({ connections: 8 });
  other = openDatabase(test.connection, { connections: 8 });
  admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue });
  user = (await admin.user.create({ email: 'a@example.com' })).id;
  const create = () => admin.account.create({ name: 'Acme', kind: 'organization' });
  accounts = [(await create()).id, (await create()).id];
});

after(async () => {
  await admin.close();
  await other.close();
  await test.drop();
});

beforeEach(() => test.database.pool.query('delete from scan; delete from scan_opt_out'));

/** Adds waiting scans of a host, alternating between two accounts, each newer than all before it. */
let started = 0;
async function wait(host: string, count: number): Promise<void> {
  await test.database.pool.query(
    `insert into scan (id, account_id, user_id, url, host, domain, algorithm_version, handed_over_at)
     select 'scn_' || number, ($1::text[])[1 + number % 2], $2, 'https://' || $3::text || '/', $3, $3, 1,
       service_now() + make_interval(secs => number * 0.000001)
     from generate_series($4::integer, $4::integer + $5::integer - 1) as number`,
    [accounts, user, host, started, count],
  );
  started += count;
}

const take = (database = test.database, places = PLACES) =>
  takeScan(database.queries, { owner: 'w', leaseMs: LEASE_MS }, places);
const hostOf = (scan: TakenScan | undefined) => scan && new URL(scan.url).hostname;

async function end(scan: TakenScan | undefined): Promise<void> {
  assert.ok(scan && (await completeScan(test.database, scan, scanned)));
}

/** Takes and ends this many scans, one after the other. */
async function scanOneByOne(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await end(await take());
}

describe('scans of one host', () => {
  it('run two at once, whoever started them, and the next when one of them ends', async () => {
    await wait('a.example', 4);
    const first = await take();
    await take();
    assert.equal(await take(), undefined);
    await end(first);
    assert.equal(hostOf(await take()), 'a.example');
    assert.equal(await take(), undefined);
  });

  it('do not hold up those of another host, however many they are', async () => {
    await wait('a.example', 500);
    await wait('b.example', 1);
    assert.deepEqual(
      [hostOf(await take()), hostOf(await take()), hostOf(await take())],
      ['a.example', 'a.example', 'b.example'],
    );
  });

  it('are two at once also when many workers of two nodes ask at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      await wait(`${round}.example`, 6);
      const asking = Array.from({ length: 12 }, (_, index) => take(index % 2 === 0 ? test.database : other));
      const taken = (await Promise.all(asking)).filter((scan) => scan !== undefined);
      assert.equal(taken.length, 2, `round ${round}`);
      assert.equal(new Set(taken.map(({ id }) => id)).size, 2);
    }
  });

  it('begin thirty times in an hour of the service clock, and again in the next', async () => {
    await wait('a.example', 32);
    await wait('b.example', 1);
    await scanOneByOne(30);
    assert.equal(hostOf(await take()), 'b.example');
    assert.equal(await take(), undefined);
    await admin.clock.advance({ duration: '59m' });
    assert.equal(await take(), undefined);
    await admin.clock.advance({ duration: '2m' });
    assert.equal(hostOf(await take()), 'a.example');
  });

  it('are counted once, however often they are taken', async () => {
    await wait('a.example', 30);
    await scanOneByOne(29);
    for (let attempt = 0; attempt < 3; attempt++) {
      const scan = await take();
      assert.ok(scan);
      await returnLease(test.database.queries, 'scan', scan);
    }
    await wait('a.example', 1);
    await end(await take());
    assert.equal(await take(), undefined);
  });

  it('have room again when the worker of one is gone', async () => {
    await wait('a.example', 3);
    const [first] = [await take(), await take()];
    await test.database.pool.query(`update scan set lease_until = clock_timestamp() - interval '1 s' where id = $1`, [
      first?.id,
    ]);
    const again = await take();
    assert.deepEqual([again?.id, again?.epoch, again?.attempts], [first?.id, 2, 2]);
  });

  it('are found quickly behind ten thousand that must wait', async () => {
    await wait('a.example', 10_000);
    await test.database.pool.query('analyze scan');
    await take();
    await take();
    await wait('b.example', 1);
    const startedAt = performance.now();
    assert.equal(hostOf(await take()), 'b.example');
    const took = performance.now() - startedAt;
    console.log(`it took ${Math.round(took)} ms`);
    assert.ok(took < 1_000, `${took} ms`);
  });
});

describe('scans of many names that lead to one address and port', () => {
  /**
   * Takes the next scan and requests admission for this address and port. Resolves to undefined if it is refused, or
   * if no scan is available.
   */
  async function begin(place = '203.0.113.7 443', limits = PLACES): Promise<TakenScan | undefined> {
    const scan = await take(test.database, limits);
    return scan && (await admitScan(test.database.queries, scan, [place], limits)) ? scan : undefined;
  }
  const waitMany = async (names: number) => {
    for (let index = 0; index < names; index++) await wait(`${index}.many.example`, 1);
  };

  it('run six at once, and the next when one of them ends', async () => {
    await waitMany(8);
    const first = await begin();
    for (let index = 1; index < 6; index++) assert.ok(await begin());
    assert.equal(await begin(), undefined);
    assert.equal(await begin(), undefined);
    assert.equal(await take(), undefined, 'what is known to lead there is not taken');
    await end(first);
    assert.equal(hostOf(await begin()), '6.many.example');
    assert.equal(await take(), undefined);
  });

  it('do not hold up those of another port or address', async () => {
    await waitMany(8);
    for (let index = 0; index < 6; index++) assert.ok(await begin());
    assert.ok(await begin('203.0.113.7 80'));
    assert.ok(await begin('203.0.113.8 443'));
  });

  it('begin so many times in an hour, counted by all that they have contacted', async () => {
    const limits = { atOnce: 6, anHour: 3 };
    await waitMany(5);
    for (let index = 0; index < 2; index++) await end(await begin('203.0.113.7 443', limits));
    const led = await begin('198.51.100.1 80', limits);
    assert.ok(led);
    await completeScan(test.database, led, { ...scanned, places: ['203.0.113.7 443'] });
    assert.equal(await begin('203.0.113.7 443', limits), undefined);
    await admin.clock.advance({ duration: '61m' });
    assert.equal(hostOf(await begin('203.0.113.7 443', limits)), '3.many.example');
  });

  it('wait without using up an attempt or the hour of their host', async () => {
    await waitMany(7);
    for (let index = 0; index < 6; index++) assert.ok(await begin());
    await begin();
    const { rows } = await test.database.pool.query(
      `select attempts, taken_at, placed_at, lease_until from scan where host = '6.many.example'`,
    );
    assert.deepEqual(rows, [{ attempts: 0, taken_at: null, placed_at: null, lease_until: null }]);
  });

  it('are not sent to the engine beyond the cap, unless the operator allows the address', async () => {
    const urls: string[] = [];
    const scanEngine = {
      scan: async ({ url }: { url: string }) => {
        urls.push(url);
        return undefined;
      },
    };
    const work = { isEnded: () => false, onEnd: () => {} };
    const log = { warn: () => {} };
    const config = { scansPerAddress: { atOnce: 1, anHour: 120 }, leaseMs: LEASE_MS };
    const scanWith = async (allowAddresses: string[]) => {
      const network = { allowAddresses, resolvers: [], userAgent: 'x' };
      const context = { database: test.database, network, config, scanEngine, log, isStopping: () => false };
      const scan = await take();
      assert.ok(scan);
      await workOnScan(context as unknown as WorkerContext, scan, work as never);
    };
    await wait('203.0.113.7', 3);
    const running = await take();
    assert.ok(running && (await admitScan(test.database.queries, running, ['203.0.113.7 443'], PLACES)));
    await scanWith([]);
    assert.deepEqual(urls, []);
    await scanWith(['203.0.113.7/32']);
    assert.deepEqual(urls, ['https://203.0.113.7/']);
  });
});

describe('a scan of a name whose address rotates', () => {
  it('is sent to the engine with the addresses that were counted', async () => {
    let lookups = 0;
    const names = await startNameServer((_, type) => (type === 'A' ? [`203.0.113.${++lookups}`] : []));
    const network = { allowAddresses: [], resolvers: [names.address], userAgent: 'x' };
    const sent: unknown[] = [];
    const scanEngine = { scan: async ({ addresses }: { addresses: unknown }) => void sent.push(addresses) };
    const config = { scansPerAddress: PLACES, leaseMs: LEASE_MS };
    const log = { warn: () => {} };
    const context = { database: test.database, network, config, scanEngine, log, isStopping: () => false };
    await wait('rotating.example', 1);
    const scan = await take();
    assert.ok(scan);
    await workOnScan(context as unknown as WorkerContext, scan, { isEnded: () => false, onEnd: () => {} } as never);
    await names.close();
    const { rows } = await test.database.pool.query('select places from scan where id = $1', [scan.id]);
    assert.deepEqual([sent, rows, lookups], [[['203.0.113.1']], [{ places: ['203.0.113.1 443'] }], 1]);
  });
});

describe('a host whose owner wants no scans', () => {
  it('is never looked at, nor is one below it, and only those', async () => {
    await admin.optout.add({ host: 'Example.COM.' });
    const hosts = ['example.com', 'www.example.com', 'notexample.com', 'example.com.evil.example'];
    for (const host of hosts) await wait(host, 1);
    const taken = [await take(), await take(), await take(), await take()];
    assert.deepEqual(
      taken.map((scan) => [hostOf(scan), scan?.isOptedOut]),
      hosts.map((host, index) => [host, index < 2]),
    );
  });

  it('keeps nobody waiting for an answer', async () => {
    await wait('a.example', 40);
    await scanOneByOne(30);
    assert.equal(await take(), undefined);
    await admin.optout.add({ host: 'a.example' });
    for (let index = 0; index < 10; index++) assert.equal((await take())?.isOptedOut, true);
  });

  it('is scanned again once it is off the list', async () => {
    await admin.optout.add({ host: '192.0.2.7' });
    await admin.optout.remove({ host: '192.0.2.7' });
    await wait('192.0.2.7', 1);
    assert.equal((await take())?.isOptedOut, false);
  });
});

describe('optout commands', () => {
  it('add a host once, list hosts by name, and remove one that is there', async () => {
    const first = await admin.optout.add({ host: 'b.example' });
    assert.deepEqual(await admin.optout.add({ host: 'B.example' }), first);
    await admin.optout.add({ host: 'exämple.com' });
    const { hosts } = await admin.optout.list();
    assert.deepEqual(
      hosts.map(({ host }) => host),
      ['b.example', 'xn--exmple-cua.com'],
    );
    assert.deepEqual(await admin.optout.remove({ host: 'b.example' }), { host: 'b.example' });
    await assert.rejects(admin.optout.remove({ host: 'b.example' }), { code: 'NOT_FOUND' });
    const { entries } = await admin.audit.list({ limit: '3' });
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject]),
      [
        ['scan_opt_out.removed', 'b.example'],
        ['scan_opt_out.added', 'xn--exmple-cua.com'],
        ['scan_opt_out.added', 'b.example'],
      ],
    );
  });

  it('take addresses and networks, each in one spelling', async () => {
    const written = ['192.0.2.99/24', '192.0.2.0/24', '192.0.2.7/32', '192.0.2.7', '2001:DB8::1', '2001:db8::/32'];
    for (const host of written) await admin.optout.add({ host });
    const { hosts } = await admin.optout.list();
    assert.deepEqual(
      new Set(hosts.map(({ host }) => host)),
      new Set(['192.0.2.0/24', '192.0.2.7', '[2001:db8::1]', '2001:db8::/32']),
    );
    assert.deepEqual(await admin.optout.remove({ host: '192.0.2.1/24' }), { host: '192.0.2.0/24' });
  });

  it('refuse what is no host', async () => {
    for (const host of ['192.0.2.0/33', 'a.example/24', '', 'https://a.example/', 'a.example:80', '*.example', 'a b']) {
      await assert.rejects(admin.optout.add({ host }), { code: 'VALIDATION_ERROR', field: 'host' });
    }
  });
});
