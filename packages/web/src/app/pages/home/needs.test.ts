import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Known, needsOf } from './needs.ts';

const now = Date.parse('2026-03-15T12:00:00Z');
const nothing: Known = {
  runs: [],
  targets: [],
  keys: [],
  findings: [],
  balance: undefined,
  cheapest: 400,
  userId: 'usr_1',
};

const idsOf = (known: { [Name in keyof Known]?: unknown }) =>
  needsOf({ ...nothing, ...known } as Known, now).map(({ id }) => id);

describe('what needs a person', () => {
  it('is nothing where nothing is', () => {
    assert.deepEqual(idsOf({}), []);
  });

  it('is a run that waits for credits or that failed lately', () => {
    const run = (id: string, status: string, completedAt: string | null = null) => ({
      id,
      status,
      targetUrl: '/',
      completedAt,
    });
    const runs = [
      run('1', 'PAUSED'),
      run('2', 'WEB_TEST'),
      run('3', 'FAILED', '2026-03-14T00:00:00Z'),
      run('4', 'FAILED', '2026-03-01T00:00:00Z'),
      run('5', 'COMPLETED', '2026-03-14T00:00:00Z'),
    ];
    assert.deepEqual(idsOf({ runs }), ['run 1', 'run 3']);
  });

  it('is a verification that is missing, has expired or expires soon', () => {
    const target = (verificationId: string, verified: boolean, expiresAt: string | null) => ({
      verificationId,
      verified,
      expiresAt,
    });
    const targets = [
      target('1', false, null),
      target('2', false, '2026-03-01T00:00:00Z'),
      target('3', true, '2026-03-20T00:00:00Z'),
      target('4', true, '2026-06-01T00:00:00Z'),
    ];
    assert.deepEqual(idsOf({ targets }), ['target 1', 'target 2', 'target 3']);
  });

  it('is an own key that expires soon, and any key near its budget', () => {
    const key = { name: 'CI', state: 'ACTIVE', isOwn: true, expiresAt: null, budget: null, usedThisMonth: 0 };
    const keys = [
      { ...key, id: '1', expiresAt: '2026-03-16T00:00:00Z' },
      { ...key, id: '2', expiresAt: '2026-03-16T00:00:00Z', isOwn: false },
      { ...key, id: '3', budget: { limit: 100 }, usedThisMonth: 80, isOwn: false },
      { ...key, id: '4', budget: { limit: 100 }, usedThisMonth: 79 },
      { ...key, id: '5', expiresAt: '2026-03-16T00:00:00Z', state: 'REVOKED' },
    ];
    assert.deepEqual(idsOf({ keys }), ['key 1', 'key 3']);
  });

  it('is a critical finding that nobody takes care of, and what is assigned to the person', () => {
    const finding = { state: 'OPEN', severity: 'CRITICAL', assignee: null };
    assert.deepEqual(idsOf({ findings: [finding] }), ['critical']);
    assert.deepEqual(idsOf({ findings: [{ ...finding, assignee: { userId: 'usr_1' } }] }), ['own']);
    assert.deepEqual(idsOf({ findings: [{ ...finding, state: 'ACCEPTED' }] }), []);
  });

  it('is an account whose credits do not suffice or expire soon', () => {
    const balance = { available: 399, nextExpiry: null };
    assert.deepEqual(idsOf({ balance }), ['credits']);
    assert.deepEqual(idsOf({ balance: { available: 400, nextExpiry: { credits: 1, at: '2026-03-16T00:00:00Z' } } }), [
      'expiry',
    ]);
  });
});
