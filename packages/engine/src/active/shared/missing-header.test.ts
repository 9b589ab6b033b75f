import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge, nonce, observed } from '@sortie/testing/engine/judging.ts';
import csp from '../checks/headers/csp-missing.ts';
import nosniff from '../checks/headers/nosniff-missing.ts';
import type { Asking } from '../define-active-check.ts';
import type { LabAnswer } from '../lab.ts';

const subject = { origin: 'http://shop.test' };
const page = (path: string) => ({ url: `http://shop.test${path}`, seenAs: null });
const html = { 'content-type': 'text/html' };
const policy = { ...html, 'content-security-policy': "default-src 'self'" };
const [front, teas] = [page('/'), page('/teas')];

/** Resolves to the variants that the probe selects on a site with these pages. */
async function probed(pages: Record<string, LabAnswer>) {
  const ask: Asking['ask'] = async ({ url }) => {
    const answer = observed(pages[new URL(url).pathname] ?? { status: 404 });
    return { ...answer, request: { ...answer.request, url } };
  };
  const inventory = Object.keys(pages).map((path) => ({ ...page(path), method: 'GET', contentType: 'text/html' }));
  const asking = { ask, known: { inventory: inventory.map((item) => ({ ...item, parameters: [] })), accounts: [] } };
  return csp.probe?.(subject, nonce, asking as unknown as Asking);
}

describe('a missing header', () => {
  const verdict = (first: LabAnswer, second: LabAnswer) =>
    judge(csp, { subject, variant: { pages: [front, teas] } }, { page: first, another: second });

  it('is proved if two pages lack it, and refuted if one has it', () => {
    assert.equal(verdict({ headers: html }, { headers: html }), 'PROVED');
    assert.equal(verdict({ headers: html }, { headers: policy }), 'REFUTED');
    assert.equal(verdict({ headers: policy }, { headers: html }), 'REFUTED');
  });

  it('is likely on a site of one page', () => {
    const variant = { pages: [front] as const };
    assert.equal(judge(nosniff, { subject, variant }, { page: { headers: html } }), 'LIKELY');
    assert.equal(judge(csp, { subject, variant }, { page: { headers: policy } }), 'REFUTED');
  });

  it('keeps no page in its evidence', () => {
    const planned = Object.values(csp.proof.plan(subject, { pages: [front, teas] }, nonce, { accounts: [] }) ?? {});
    assert.ok(planned.length === 2 && planned.every((each) => each?.answer?.isConfidential));
  });

  it('is not judged by redirects and errors', () => {
    for (const status of [302, 404]) {
      assert.equal(verdict({ status, headers: html }, { headers: html }), 'VOID');
      assert.equal(verdict({ headers: html }, { status, headers: html }), 'VOID');
    }
  });

  it('is proved with pages that the site has', async () => {
    const plain = { headers: html };
    assert.deepEqual(await probed({ '/teas': plain, '/': plain }), [{ pages: [front, teas] }]);
    assert.deepEqual(await probed({ '/': plain, '/teas': { headers: policy } }), []);
    assert.deepEqual(await probed({ '/': plain, '/teas': { status: 404 } }), [{ pages: [front] }]);
  });

  it('is reported at the page that was seen, with what the proof observed', () => {
    const [one, two] = [{ pages: [teas] as const }, { pages: [teas, page('/cups')] as const }];
    assert.equal(csp.placeOf?.(subject, one), 'http://shop.test/teas');
    assert.match(
      csp.describe?.(one).why ?? '',
      / One page of the site was requested; it did not have an enforced policy\.$/,
    );
    assert.match(nosniff.describe?.(two).why ?? '', / Two pages of the site were requested; neither had the header\.$/);
  });
});
