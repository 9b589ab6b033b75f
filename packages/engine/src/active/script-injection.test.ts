import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeOf } from '../pentest/testing/build-finding.ts';
import { fingerprintOf } from '../pentest/testing/fingerprint.ts';
import { planTests } from '../pentest/testing/plan-tests.ts';
import type { ActiveCheck, PointCheck } from './define-active-check.ts';
import { loadActiveChecks } from './load-checks.ts';

const IDS = ['html-injection', 'csti', 'reflected-xss'];
const isOfValues = (check: ActiveCheck): check is PointCheck => IDS.includes(check.id);
const checks = (await loadActiveChecks()).filter(isOfValues);

describe('a value that is shown as it came', () => {
  const parameter = { location: 'query' as const, name: 'q', value: 'tea' };
  const item = {
    method: 'GET' as const,
    url: 'http://shop.test/search?q=tea',
    parameters: [parameter],
    seenAs: null,
    contentType: 'text/html',
  };
  const jobs = planTests(checks, { inventory: [item], accounts: [] }).flatMap((step) => step.jobs);

  it('is first tried for what harms most', () => {
    assert.deepEqual(
      jobs.map(({ check }) => check.id),
      ['reflected-xss', 'csti', 'html-injection'],
    );
  });

  it('is one flaw, however it is proved', () => {
    assert.equal(new Set(jobs.map((job) => fingerprintOf(job.check, placeOf(job), 'http://shop.test/'))).size, 1);
  });
});
