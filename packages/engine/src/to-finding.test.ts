import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observed } from '../../../test/support/judging.ts';
import { loadActiveChecks } from './active/load-checks.ts';
import type { ActiveCheck, Point } from './active-check.ts';
import { type InventoryItem, parametersOf } from './crawl/inventory.ts';
import { PentestFinding } from './finding.ts';
import { createRedactor } from './http/redactor.ts';
import { toEvidence, toFinding } from './to-finding.ts';

const checks = await loadActiveChecks();
const checkOf = (id: string) => checks.find((check) => check.id === id) as ActiveCheck;

function pointOf(url: string, changes: Partial<InventoryItem> = {}, index = 0): Point {
  const item: InventoryItem = {
    method: 'GET',
    url,
    parameters: parametersOf(url),
    seenAs: null,
    contentType: '',
    ...changes,
  };
  return { item, parameter: item.parameters[index] as Point['parameter'] };
}
const findingOf = (point: Point, id = 'open-redirect') =>
  toFinding(checkOf(id), point, { confidence: 'CONFIRMED' }, []);
const fingerprintOf = (...facts: Parameters<typeof pointOf>) => findingOf(pointOf(...facts)).fingerprint;

describe('a finding', () => {
  const scores: [string, number, string, number, string][] = [
    ['sql-injection-boolean', 9.8, 'CRITICAL', 8.8, 'HIGH'],
    ['path-traversal', 7.5, 'HIGH', 6.5, 'MEDIUM'],
    ['reflected-xss', 6.1, 'MEDIUM', 5.4, 'MEDIUM'],
    ['open-redirect', 4.3, 'MEDIUM', 3.5, 'LOW'],
  ];
  for (const [id, score, severity, scoreAsAccount, severityAsAccount] of scores) {
    it(`of ${id} has a score of ${score}, and of ${scoreAsAccount} when an account is needed for it`, () => {
      const open = findingOf(pointOf('http://shop.test/?a=1'), id);
      assert.deepEqual([open.cvssScore, open.severity], [score, severity]);
      const closed = findingOf(pointOf('http://shop.test/?a=1', { seenAs: 'alice' }), id);
      assert.deepEqual([closed.cvssScore, closed.severity], [scoreAsAccount, severityAsAccount]);
    });
  }

  it('that nobody needs an account for has one score, whoever has met the request', () => {
    const asAlice = pointOf('http://shop.test/?a=1', { seenAs: 'alice' });
    assert.equal(findingOf(asAlice, 'missing-authentication').cvssScore, 7.5);
    assert.equal(findingOf(asAlice, 'cross-site-request-forgery').cvssScore, 4.3);
    assert.equal(findingOf(asAlice, 'broken-object-authorization').cvssScore, 6.5);
  });

  it('does not keep what may hold secrets, only how much it was', () => {
    const exchange = observed({ body: 'DB_PASSWORD=tea' });
    const kept = (isConfidential: boolean) =>
      toEvidence({ label: 'the file', exchange, isConfidential }, createRedactor()).response;
    assert.equal(kept(false), '200\n\nDB_PASSWORD=tea');
    assert.equal(kept(true), '200\n\n‹15 bytes that may hold secrets›');
  });

  it('at an address that is longer than anybody reads can still be stored', () => {
    const { affectedUrl, ...finding } = findingOf(pointOf(`http://shop.test/?a=${'x'.repeat(50_000)}`));
    assert.equal(affectedUrl?.length, 2_000);
    PentestFinding.parse({ ...finding, affectedUrl });
  });

  it('says where it is, and as whom', () => {
    const finding = findingOf(pointOf('http://shop.test/items/7?a=1', { seenAs: 'alice' }));
    assert.match(
      finding.description ?? '',
      /Found in a \(query\) of GET http:\/\/shop\.test\/items\/7\?a=1, as account alice\.$/,
    );
    assert.equal(finding.parameter, 'a');
    const inPath = findingOf(pointOf('http://shop.test/items/7?a=1', {}, 1));
    assert.equal(inPath.parameter, 'segment 1 of the path');
    assert.equal(inPath.affectedUrl, 'http://shop.test/items/7?a=1');
  });

  it('names its place in the title, and has the same fingerprint under any title', () => {
    const point = pointOf('http://shop.test/items/7?a=1');
    assert.equal(findingOf(point).title, 'Open redirect in parameter `a` of /items/7');
    assert.equal(
      findingOf(pointOf('http://shop.test/items/7?a=1', {}, 1)).title,
      'Open redirect in path segment `7` of /items/7',
    );
    const renamed = { ...checkOf('open-redirect'), title: 'Another title', fields: ['a', 'b'] };
    const { title, fingerprint } = toFinding(renamed, { item: point.item }, { confidence: 'FIRM' }, []);
    assert.equal(title, 'Another title (`a`) at /items/7 (+1 more)');
    assert.equal(
      fingerprint,
      toFinding(checkOf('open-redirect'), { item: point.item }, { confidence: 'FIRM' }, []).fingerprint,
    );
  });

  it('can be stored, however odd the names of the page are', () => {
    const parameters = [{ location: 'form' as const, name: 'n'.repeat(50_000), value: '' }];
    const finding = findingOf(pointOf('http://shop.test/', { method: 'POST', parameters }));
    assert.ok(PentestFinding.safeParse(finding).success);
  });
});

describe('the fingerprint of a finding', () => {
  it('is the same in every run, whatever was found on the way', () => {
    const first = fingerprintOf('http://shop.test/items/7?a=1');
    assert.match(first, /^[0-9a-f]{64}$/);
    assert.equal(fingerprintOf('http://shop.test/items/8?a=2'), first);
    assert.equal(fingerprintOf('http://shop.test/items/7?a=1&b=2'), first);
    assert.equal(fingerprintOf('http://shop.test/items/7?a=1', { seenAs: 'alice', contentType: 'text/html' }), first);
  });

  it('differs by check, method, place and parameter', () => {
    const url = 'http://shop.test/items/7?a=1&b=2';
    const post = { method: 'POST' as const };
    const form = { ...post, parameters: [{ location: 'form' as const, name: 'a', value: '1' }] };
    const different = [
      fingerprintOf(url),
      fingerprintOf(url, {}, 1),
      fingerprintOf(url, {}, 2),
      fingerprintOf(url, post),
      fingerprintOf(url, form),
      fingerprintOf('http://shop.test/items?a=1'),
      fingerprintOf('http://shop.test:81/items/7?a=1'),
      findingOf(pointOf(url), 'path-traversal').fingerprint,
    ];
    assert.equal(new Set(different).size, different.length);
  });
});
