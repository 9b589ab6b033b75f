import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createAccount, lockAccount } from '../accounts/accounts.ts';
import { listAudit } from '../audit/audit.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { advanceClock } from '../clock/clock.ts';
import { inTransaction, serviceNow, type Transaction } from '../db/database.ts';
import * as targets from './targets.ts';

const actor = 'operator';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let test: TestDatabase;
let target: targets.Verification;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const change = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(test.database, work);
beforeEach(async () => {
  const account = { name: 'Acme', kind: 'organization', plan: 'free', actor } as const;
  const { id: accountId } = await change((tx) => createAccount(tx, account, defaultCatalogue));
  target = await change((tx) => targets.addTarget(tx, { accountId, url: 'https://shop.example.com', actor }));
});

const set = (changes: Partial<targets.Rules>, clear = false) =>
  change((tx) => targets.setRules(tx, { verificationId: target.id, changes, clear, actor }));
const read = () => targets.readRules(test.database.queries, target.targetId);
const entries = async () =>
  (await listAudit(test.database.queries, { accountId: target.accountId, limit: 20 }))
    .filter(({ action }) => action === 'target.rules-set')
    .map(({ subject, details }) => ({ subject, details }));

const none: targets.Rules = { excludedPaths: [], requestsPerSecond: null, window: null, emergencyContact: null };

describe('the rules of engagement of a target', () => {
  it('are none at first: nothing excluded, no cap, always open', async () => {
    assert.deepEqual(await read(), { rules: none, windowLeftMs: null });
  });

  it('are changed one by one or taken back at once, with one audit entry for each real change', async () => {
    const rules: targets.Rules = {
      excludedPaths: ['/admin', '/a b', '/ö'],
      requestsPerSecond: 5,
      window: { from: '22:00', to: '06:30' },
      emergencyContact: 'Ada, +44 20 7946 0000',
    };
    await set(rules);
    assert.deepEqual((await read()).rules, rules);
    await set({ requestsPerSecond: 7 });
    await set({ requestsPerSecond: 7 });
    await set({});
    assert.deepEqual((await read()).rules, { ...rules, requestsPerSecond: 7 });
    await set({ emergencyContact: 'Bob' }, true);
    assert.deepEqual((await read()).rules, { ...none, emergencyContact: 'Bob' });
    await set({}, true);
    assert.deepEqual((await read()).rules, none);
    const [cleared, replaced, faster, first, ...more] = await entries();
    const { emergencyContact: _contact, window: _window, ...audited } = rules;
    const details = { ...audited, window: '22:00-06:30', hasEmergencyContact: true };
    assert.deepEqual([first, more], [{ subject: target.targetId, details }, []]);
    assert.deepEqual(faster?.details, { ...details, requestsPerSecond: 7 });
    assert.equal(replaced?.details.hasEmergencyContact, true);
    assert.equal(cleared?.details.hasEmergencyContact, false);
  });

  it('are changed before or after a start, never while it records them', async () => {
    let changing: Promise<void> | undefined;
    const isWaiting = async () => {
      const { rows } = await test.database.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    };
    await change(async (tx) => {
      await lockAccount(tx, target.accountId);
      changing = set({ requestsPerSecond: 3 });
      await waitFor(isWaiting, { what: 'the change to wait' });
      assert.deepEqual((await read()).rules, none);
    });
    await changing;
    assert.equal((await read()).rules.requestsPerSecond, 3);
  });

  it('are those of the target, whichever of its verifications names it', async () => {
    const url = target.origin;
    const byFile = { accountId: target.accountId, url, actor, method: 'file' as const };
    const { id: verificationId } = await change((tx) => targets.addTarget(tx, byFile));
    await change((tx) =>
      targets.setRules(tx, { verificationId, changes: { requestsPerSecond: 3 }, clear: false, actor }),
    );
    assert.equal((await read()).rules.requestsPerSecond, 3);
  });

  it('are kept within their bounds by the database too', async () => {
    const wrong: Partial<targets.Rules>[] = [
      { requestsPerSecond: 0 },
      { requestsPerSecond: 51 },
      { excludedPaths: Array.from({ length: 51 }, (_, index) => `/${index}`) },
      { window: { from: '10:00', to: '10:00' } },
      { emergencyContact: '' },
      { emergencyContact: 'x'.repeat(201) },
    ];
    for (const changes of wrong) await assert.rejects(set(changes), { code: '23514' }, JSON.stringify(changes));
    assert.deepEqual((await read()).rules, none);
  });
});

describe('the window in which a target may be tested', () => {
  const leftAt = async (from: string, to: string, at: string) => {
    const question = 'select window_left_ms($1, $2, $3::timestamptz) as left';
    return (await test.database.pool.query(question, [from, to, `2026-03-01T${at}Z`])).rows[0].left;
  };
  const minutes = (count: number) => count * MINUTE_MS;

  const cases: [from: string, to: string, at: string, left: number][] = [
    ['09:00', '17:00', '08:59:59.999', 0],
    ['09:00', '17:00', '09:00:00', minutes(480)],
    ['09:00', '17:00', '16:59:59', 1_000],
    ['09:00', '17:00', '17:00:00', 0],
    ['22:00', '06:00', '21:59:59', 0],
    ['22:00', '06:00', '22:00:00', minutes(480)],
    ['22:00', '06:00', '00:00:00', minutes(360)],
    ['22:00', '06:00', '05:59:00', minutes(1)],
    ['22:00', '06:00', '06:00:00', 0],
    ['22:00', '06:00', '12:00:00', 0],
    ['00:00', '23:59', '23:58:00', minutes(1)],
    ['00:00', '23:59', '23:59:00', 0],
    ['10:01', '10:00', '10:00:30', 0],
    ['10:01', '10:00', '10:01:00', minutes(1_439)],
  ];
  for (const [from, to, at, left] of cases) {
    it(`${from}-${to} is ${left > 0 ? `open for ${left} ms` : 'closed'} at ${at}`, async () => {
      assert.equal(await leftAt(from, to, at), left);
    });
  }

  it('is open without end when there is none', async () => {
    const { rows } = await test.database.pool.query('select window_left_ms(null, null, now()) as left');
    assert.equal(rows[0].left, null);
  });

  it('opens and closes with the service clock, and can be asked for in any statement on targets', async () => {
    const isOpen = async () => {
      const row = await test.database.queries
        .selectFrom('target')
        .select(targets.isWindowOpen.as('isOpen'))
        .where('id', '=', target.targetId)
        .executeTakeFirstOrThrow();
      return row.isOpen;
    };
    const timeIn = (at: Date, milliseconds: number) =>
      new Date(at.getTime() + milliseconds).toISOString().slice(11, 16);
    assert.equal(await isOpen(), true);
    const now = await serviceNow(test.database.queries);
    await set({ window: { from: timeIn(now, DAY_MS / 2), to: timeIn(now, DAY_MS / 2 + 30 * MINUTE_MS) } });
    assert.deepEqual([await isOpen(), (await read()).windowLeftMs], [false, 0]);
    await change((tx) => advanceClock(tx, { seconds: (DAY_MS / 2 + 10 * MINUTE_MS) / 1_000, actor }));
    const { windowLeftMs } = await read();
    assert.ok(windowLeftMs !== null && windowLeftMs > 15 * MINUTE_MS && windowLeftMs <= 20 * MINUTE_MS);
    assert.equal(await isOpen(), true);
  });
});
