import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chargedByMonth, openOverTime, scoresOverTime } from './trends.ts';

const now = Date.parse('2026-03-15T12:00:00Z');

describe('the findings over time', () => {
  it('count a finding from its first sight until it is closed, and end with those that are open', () => {
    const found = (firstSeenAt: string, closedAt: string | null) => ({
      severity: 'HIGH' as const,
      firstSeenAt,
      closedAt,
    });
    const findings = [
      found('2026-03-01T00:00:00Z', null),
      found('2026-02-20T00:00:00Z', '2026-03-10T00:00:00Z'),
      found('2026-03-15T11:59:59Z', null),
    ];
    const counted = openOverTime(findings, now, 4, 7).map(({ counts }) => counts.HIGH);
    assert.deepEqual(counted, [1, 2, 2, 2]);
    assert.equal(counted.at(-1), findings.filter(({ closedAt }) => closedAt === null).length);
  });
});

describe('the credits by month', () => {
  it('are those that were charged, by the months of UTC', () => {
    const record = (type: 'CHARGE' | 'HOLD', credits: number, createdAt: string) => ({ type, credits, createdAt });
    const months = chargedByMonth(
      [
        record('CHARGE', -400, '2026-03-01T00:00:00.000Z'),
        record('CHARGE', -100, '2026-02-28T23:59:59.999Z'),
        record('CHARGE', -20, '2026-02-01T00:00:00.000Z'),
        record('HOLD', -900, '2026-02-03T00:00:00.000Z'),
      ],
      now,
      3,
    );
    assert.deepEqual(months, [
      { month: '2026-01', credits: 0 },
      { month: '2026-02', credits: 120 },
      { month: '2026-03', credits: 400 },
    ]);
  });
});

describe('the scores over time', () => {
  it('are those of the latest scan of each day, for the sites scanned last', () => {
    const scan = (url: string, score: number | null, createdAt: string) => ({ url, score, createdAt });
    const { days, lines } = scoresOverTime(
      [
        scan('https://a.example/', 50, '2026-03-01T10:00:00Z'),
        scan('https://a.example/', 70, '2026-03-01T12:00:00Z'),
        scan('https://b.example/', 90, '2026-03-02T12:00:00Z'),
        scan('https://a.example/', null, '2026-03-03T12:00:00Z'),
        scan('https://old.example/', 10, '2026-01-01T12:00:00Z'),
      ],
      2,
      5,
    );
    assert.deepEqual(days, ['2026-03-01', '2026-03-02']);
    assert.deepEqual(lines, [
      { url: 'https://b.example/', scores: [null, 90] },
      { url: 'https://a.example/', scores: [70, null] },
    ]);
  });
});
