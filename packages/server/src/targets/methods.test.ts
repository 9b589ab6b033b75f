import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { createAccount } from '../accounts/accounts.ts';
import { listAudit } from '../audit/audit.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction, type Transaction } from '../db/database.ts';
import * as targets from './targets.ts';

const actor = 'operator';
const url = 'https://shop.example.co.uk/login';
const origin = 'https://shop.example.co.uk';

let test: TestDatabase;
let accountId: string;
before(async () => {
  test = await createTestDatabase();
});
after(() => test.drop());

const change = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(test.database, work);
beforeEach(async () => {
  const account = { name: 'Acme', kind: 'organization', plan: 'free', actor } as const;
  accountId = (await change((tx) => createAccount(tx, account, defaultCatalogue))).id;
});

type Options = Partial<Parameters<typeof targets.addTarget>[1]>;
const add = (options: Options = {}) => change((tx) => targets.addTarget(tx, { accountId, url, actor, ...options }));
const attest = () => change((tx) => targets.attestTarget(tx, { accountId, url, actor }));
const audit = async () =>
  (await listAudit(test.database.queries, { accountId, limit: 10 }))
    .filter(({ action }) => action.startsWith('target.'))
    .map(({ action, subject, details }) => ({ action, subject, details }));
const refusal = (field: string) => ({ name: 'AppError', code: 'VALIDATION_ERROR', field });

describe('a verification', () => {
  it('by file or meta tag covers the origin, by DNS the host with all below it, each with a token of its own', async () => {
    const added = [await add({ method: 'file' }), await add({ method: 'meta' }), await add({ method: 'dns' })];
    const [byFile, byTag, byDns] = added;
    assert.deepEqual(
      added.map(({ coveredName, coveredOrigin }) => [coveredName, coveredOrigin]),
      [
        [null, origin],
        [null, origin],
        ['shop.example.co.uk', null],
      ],
    );
    for (const { token, verifiedAt } of added) {
      assert.match(token, /^[0-9a-f]{32}$/);
      assert.equal(verifiedAt, null);
    }
    assert.equal(new Set(added.map(({ token }) => token)).size, 3);
    assert.ok(byFile && byTag && byDns);
    assert.equal(
      targets.describeProof(byFile),
      `file ${origin}/.well-known/sortie-verification.txt that contains only: ${byFile.token}`,
    );
    assert.equal(
      targets.describeProof(byTag),
      `in the head of ${origin}/: <meta name="sortie-verification" content="${byTag.token}">`,
    );
    assert.equal(targets.describeProof(byDns), `TXT record of shop.example.co.uk: sortie-verification=${byDns.token}`);
    assert.equal(targets.describeProof(await add()), null);
  });

  it('is another of the same target when the target is there, and the audit log tells them apart', async () => {
    const first = await add({ method: 'dns' });
    const second = await add({ method: 'file', url: 'https://SHOP.example.co.uk:443/' });
    const attested = await attest();
    assert.deepEqual([second.targetId, attested.targetId], [first.targetId, first.targetId]);
    const added = ({ id: verificationId, method }: targets.Verification) => ({
      subject: first.targetId,
      details: { verificationId, origin, method },
    });
    const [, ...before] = await audit();
    assert.deepEqual(before, [
      { action: 'target.verification-added', ...added(attested) },
      { action: 'target.verification-added', ...added(second) },
      { action: 'target.added', ...added(first) },
    ]);
    assert.equal((await targets.listTargets(test.database.queries, accountId)).length, 3);
    const [only, ...others] = await targets.listTargets(test.database.queries, accountId, [second.id]);
    assert.deepEqual([only?.id, others], [second.id, []]);
  });

  it('is there once for each method, also when added several times at once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => add({ method: 'dns' })));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    const { id } = (await targets.listTargets(test.database.queries, accountId))[0] ?? {};
    await assert.rejects(add({ method: 'dns', name: 'example.co.uk' }), { ...refusal('url'), message: /method dns/ });
    await assert.rejects(add({ method: 'dns' }), (error: Error) => error.message.includes(id ?? 'no id'));
  });
});

describe('the name that a verification by DNS covers', () => {
  const cases: Record<string, { host: string; names: string[]; not: string[] }> = {
    'is the host or one above it, down to the registrable domain': {
      host: 'a.shop.example.co.uk',
      names: ['a.shop.example.co.uk', 'shop.example.co.uk', 'example.co.uk', 'Example.CO.UK.'],
      not: [
        'co.uk',
        'uk',
        'b.shop.example.co.uk',
        'x.a.shop.example.co.uk',
        'example.com',
        'ample.co.uk',
        '',
        '.',
        'a/b',
      ],
    },
    'is not above a private suffix': {
      host: 'www.ada.github.io',
      names: ['www.ada.github.io', 'ada.github.io'],
      not: ['github.io', 'io', 'eve.github.io'],
    },
    'may be international': {
      host: 'shop.exämple.com',
      names: ['exämple.com', 'xn--exmple-cua.com'],
      not: ['example.com'],
    },
  };
  for (const [what, { host, names, not }] of Object.entries(cases)) {
    it(what, async () => {
      for (const [index, name] of names.entries()) {
        const { coveredName } = await add({ url: `https://${host}:${4_000 + index}`, method: 'dns', name });
        assert.equal(coveredName, new URL(`https://${name}`).hostname.replace(/\.$/, ''));
      }
      for (const name of not) {
        await assert.rejects(add({ url: `https://${host}`, method: 'dns', name }), refusal('name'), name);
      }
    });
  }

  it('does not exist for addresses, nor for names that others register names below', async () => {
    for (const host of ['192.0.2.7', '[2001:db8::1]', 'github.io', 'co.uk', 'localhost', 'intranet']) {
      await assert.rejects(add({ url: `http://${host}`, method: 'dns' }), refusal('method'), host);
      assert.ok(await add({ url: `http://${host}`, method: 'file' }));
    }
  });

  it('is given with method dns only', async () => {
    for (const method of ['file', 'meta', 'attestation', undefined] as const) {
      await assert.rejects(add({ method, name: 'example.co.uk' }), refusal('name'));
    }
  });
});
