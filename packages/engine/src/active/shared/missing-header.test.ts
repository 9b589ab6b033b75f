import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge } from '@sortie/testing/engine/judging.ts';
import csp from '../checks/headers/csp-missing.ts';
import nosniff from '../checks/headers/nosniff-missing.ts';

const subject = { origin: 'http://shop.test' };
const page = (path: string) => ({ url: `http://shop.test${path}`, seenAs: null });
const html = { 'content-type': 'text/html' };

describe('a missing header', () => {
  const pages = [page('/'), page('/teas')];
  const verdict = (first: Record<string, string>, second: Record<string, string>) =>
    judge(csp, { subject, variant: { pages } }, { 'a page': { headers: first }, 'another page': { headers: second } });
  const policy = { ...html, 'content-security-policy': "default-src 'self'" };

  it('is proved if two pages lack it', () => {
    assert.equal(verdict(html, html), 'PROVED');
    assert.equal(verdict(html, policy), 'LIKELY');
    assert.equal(verdict(policy, html), 'REFUTED');
  });

  it('is likely on a site of one page', () => {
    const variant = { pages: [page('/')] };
    assert.equal(judge(nosniff, { subject, variant }, { 'a page': { headers: html } }), 'LIKELY');
  });

  it('is not judged by redirects and errors', () => {
    for (const status of [302, 404]) {
      const answers = { 'a page': { status, headers: html }, 'another page': { headers: html } };
      assert.equal(judge(csp, { subject, variant: { pages } }, answers), 'REFUTED');
    }
  });
});
