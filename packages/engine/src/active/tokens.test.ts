import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answered, type Given, judge, nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import none from './checks/tokens/jwt-alg-none.ts';
import expired from './checks/tokens/jwt-expiry-not-enforced.ts';
import weak from './checks/tokens/jwt-weak-secret.ts';
import { createRunMemory } from './run-memory.ts';
import { COMMON_SECRETS } from './shared/common-secrets.ts';
import { hmacOf, openJwt, writeJwt } from './shared/jwt.ts';

const item: InventoryItem = {
  method: 'GET',
  url: 'http://shop.test/me',
  parameters: [],
  seenAs: 'alice',
  contentType: 'application/json',
};
const place = { item, as: 'alice' };
const site = { origin: 'http://shop.test' };
const token = (secret: string, alg = 'HS256') =>
  writeJwt({ alg }, { sub: 'alice' }, (signed) => hmacOf(alg, secret, signed) ?? 'c2ln');

const inside = { body: '{"email":"alice@shop.test","points":12}' };
const refusal = { status: 401, body: '{"error":"log in first"}' };
const answers = {
  good: inside,
  forged: inside,
  control: refusal,
  nobody: refusal,
  again: inside,
};

describe('a forged token', () => {
  const verdict = (changes: Record<string, Given>) =>
    judge(none, { subject: site, variant: { way: 'none', place } }, { ...answers, ...changes });

  it('is proved to be taken for that of the account, with all controls', () => {
    assert.equal(verdict({}), 'PROVED');
    const changed = { body: '{"email":"alice@shop.test","seen":"now"}' };
    assert.equal(verdict({ forged: changed }), 'PROVED');
  });

  it('proves nothing where any token, or none, is answered alike', () => {
    assert.equal(verdict({ control: inside }), 'REFUTED');
    assert.equal(verdict({ nobody: inside }), 'REFUTED');
    assert.equal(verdict({ forged: refusal }), 'REFUTED');
    assert.equal(verdict({ forged: { body: '{"error":"log in first"}' } }), 'REFUTED');
  });

  it('says nothing when the session has ended or answers change by themselves', () => {
    assert.equal(verdict({ good: refusal }), 'VOID');
    assert.equal(verdict({ again: { body: '{"points":13}' } }), 'VOID');
    assert.equal(verdict({ nobody: undefined }), 'VOID');
  });

  it('takes the place of the token wherever the account shows it, and of nothing else', () => {
    const plan = none.proof.plan(site, { way: 'none', place }, nonce, { accounts: [] });
    const forged = plan?.forged.session.showing.change;
    const sent = openJwt(forged?.(token('secret')) ?? '');
    assert.deepEqual([sent?.header, sent?.claims, sent?.signature], [{ alg: 'none' }, { sub: 'alice' }, '']);
    assert.equal(forged?.('en-GB'), 'en-GB');
  });
});

describe('an account that shows two tokens', () => {
  const [older, newer] = [token('secret'), writeJwt({ alg: 'HS256' }, { sub: 'alice', iat: 7 }, () => 'c2ln')];
  const probeAt = (isTaken: (inHeader: string, inCookie: string) => boolean) =>
    none.probe?.(site, nonce, {
      known: { inventory: [item], accounts: [] },
      memory: createRunMemory(),
      credentialsOf: async () => [older, 'en-GB', newer],
      willChange: () => assert.fail('nothing is changed'),
      askAsNewVisitor: () => assert.fail('nobody comes for the first time'),
      open: () => assert.fail('nothing is shown in a browser'),
      async ask(request, _as, showing) {
        const shown = [older, newer].map((each) => showing?.change?.(each) ?? each);
        const isIn =
          shown.every((each) => openJwt(each)?.claims.sub === 'alice') && isTaken(shown[0] ?? '', shown[1] ?? '');
        return answered(request, { status: isIn ? 200 : 401, body: 'alice' });
      },
    });

  it('shows one forged token in the place of both where a site compares them', async () => {
    const [variant] = (await probeAt((inHeader, inCookie) => inHeader === inCookie)) ?? [];
    assert.ok(variant);
    const plan = none.proof.plan(site, variant, nonce, { accounts: [] });
    for (const planned of [plan?.forged, plan?.control]) {
      const change = planned?.session.showing.change;
      assert.equal(change?.(older), change?.(newer));
      assert.notEqual(change?.(older), older);
    }
  });

  it('shows each of them forged by itself where that is enough', async () => {
    const [variant] = (await probeAt(() => true)) ?? [];
    assert.ok(variant);
    const plan = none.proof.plan(site, variant, nonce, { accounts: [] });
    const change = plan?.forged.session.showing.change;
    assert.equal(openJwt(change?.(newer) ?? '')?.claims.iat, 7);
  });
});

describe('a secret', () => {
  const waysFor = async (given: string) => {
    const sent: string[] = [];
    const found = await weak.probe?.(site, nonce, {
      known: { inventory: [item], accounts: [] },
      memory: createRunMemory(),
      credentialsOf: async () => [given],
      willChange: () => assert.fail('nothing is changed'),
      askAsNewVisitor: () => assert.fail('nobody comes for the first time'),
      open: () => assert.fail('nothing is shown in a browser'),
      async ask(request, as, showing) {
        const shown = showing?.change?.(given) ?? (as === null ? '' : given);
        sent.push(shown);
        return answered(request, { body: openJwt(shown) ? 'alice' : 'nobody' });
      },
    });
    return found?.map(({ way }) => way);
  };

  it('is guessed by itself or by the names of the site, for each algorithm with a secret', async () => {
    assert.deepEqual(await waysFor(token('Secret123')), ['Secret123']);
    assert.deepEqual(await waysFor(token('shop-secret', 'HS512')), ['shop-secret']);
    assert.deepEqual(await waysFor(token('1c0f6c3b5f7e4a3e')), []);
    assert.deepEqual(await waysFor(token('secret', 'RS256')), []);
  });

  it('is one of some thousands, each of them once', () => {
    assert.ok(COMMON_SECRETS.length > 2_000);
    assert.equal(new Set(COMMON_SECRETS).size, COMMON_SECRETS.length);
  });
});

describe('a token that has ended', () => {
  const verdict = (date: string) => {
    const given = { ...answers, good: { ...inside, headers: { date } } };
    return judge(expired, { subject: site, variant: { way: 1_700_000_000, place } }, given);
  };

  it('is told by the clock of the target, with five minutes to spare', () => {
    assert.equal(verdict(new Date(1_700_000_301_000).toUTCString()), 'PROVED');
    assert.equal(verdict(new Date(1_700_000_299_000).toUTCString()), 'REFUTED');
    assert.equal(verdict('soon'), 'REFUTED');
  });

  it('is likely to stay valid if it has no exp, whatever the clock of the target says', () => {
    const given = { ...answers, good: { ...inside, headers: { date: 'soon' } } };
    const withoutEnd = { subject: site, variant: { way: null, place } };
    assert.equal(judge(expired, withoutEnd, given), 'LIKELY');
    assert.equal(judge(expired, withoutEnd, { ...given, control: inside }), 'REFUTED');
  });

  it('is tried where it has no exp or where that has passed', async () => {
    const waysFor = async (claims: Record<string, unknown>) => {
      const own = writeJwt({ alg: 'HS256' }, { sub: 'alice', ...claims }, () => 'c2ln');
      const found = await expired.probe?.(site, nonce, {
        known: { inventory: [item], accounts: [] },
        memory: createRunMemory(),
        credentialsOf: async () => [own],
        willChange: () => assert.fail('nothing is changed'),
        askAsNewVisitor: () => assert.fail('nobody comes for the first time'),
        open: () => assert.fail('nothing is shown in a browser'),
        ask: async (request, _as, showing) =>
          answered(request, { status: showing?.change?.(own) === own ? 200 : 401, body: 'alice' }),
      });
      return found?.map(({ way }) => way);
    };
    assert.deepEqual(await waysFor({}), [null]);
    assert.deepEqual(await waysFor({ exp: 1_700_000_000 }), [1_700_000_000]);
    assert.deepEqual(await waysFor({ exp: 9_700_000_000 }), []);
    assert.deepEqual(await waysFor({ exp: 'never' }), []);
  });
});
