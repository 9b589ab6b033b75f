import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judge, nonce, observed, twoAccounts } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import hidden from './checks/access/bfla-hidden-page.ts';
import password from './checks/cross-site/csrf-password-change.ts';
import captcha from './checks/login/captcha-answer-disclosure.ts';
import { answersTo } from './experiment.ts';

const item: InventoryItem = {
  method: 'GET',
  url: 'http://shop.test/page',
  parameters: [],
  seenAs: 'alice',
  contentType: 'text/html',
};
const html = (body: string) => ({ headers: { 'content-type': 'text/html' }, body });

describe('a hidden page', () => {
  const verdict = (body: string, url = 'http://shop.test/news') =>
    judge(
      hidden,
      { subject: { origin: 'http://shop.test' }, variant: { url, high: 'alice', low: 'bob' } },
      {
        nobody: { status: 302, headers: { location: '/login' } },
        low: html(body),
        elsewhere: { status: 404, body: 'help@shop.test' },
        high: html(body),
      },
    );

  it('is a flaw only if it is a function or shows other people', () => {
    assert.equal(verdict('<h1>News</h1> help@shop.test bob@shop.test'), 'REFUTED');
    assert.equal(verdict('<h1>News</h1><form method="post" action="/logout"></form>'), 'REFUTED');
    assert.equal(verdict('<h1>News</h1>', 'http://shop.test/admin/news'), 'LIKELY');
    assert.equal(verdict('<h1>News</h1><form method="post" action="/news"><input name="title"></form>'), 'LIKELY');
    assert.equal(verdict('<h1>News</h1> carol@shop.test, dave@shop.test'), 'LIKELY');
  });
});

describe('the answer of a CAPTCHA', () => {
  const verdict = (first: string, second: string) => {
    const answered = (answer: string, id: number) => ({ body: JSON.stringify({ id, answer }) });
    return judge(
      captcha,
      { subject: item, variant: 'answer' },
      {
        first: answered(first, 1),
        second: answered(second, 2),
        elsewhere: { status: 404 },
      },
    );
  };

  it('differs between two of them', () => {
    assert.equal(verdict('12', '15'), 'LIKELY');
    assert.equal(verdict('text', 'text'), 'REFUTED');
  });
});

describe('a a link changes the password', () => {
  const form = (attributes: string, text: string) =>
    `<form method="get" ${attributes}>${text}<input type="password" name="one"><input type="password" name="two"></form>`;
  const verdict = (body: string, cookie = 'sid=0a1b2c3d4e', headers: (readonly [string, string])[] = []) => {
    const seen = observed(html(body));
    const page = { ...seen, request: { ...seen.request, headers } };
    const visitor = observed({ headers: { 'set-cookie': cookie } });
    const plan = password.proof.plan(item, null, nonce, { accounts: twoAccounts });
    const pages = new Map(Object.entries({ first: page, second: page, visitor }));
    const answers = plan && answersTo(plan, pages);
    assert.ok(answers);
    return password.proof.judge(answers, null, nonce, item, { accounts: twoAccounts });
  };
  const change = form('', 'New password');

  it('is likely where the form itself says so', () => {
    assert.equal(verdict(change), 'LIKELY');
    assert.equal(verdict(`<h2>Change your password</h2>${form('', '')}`), 'LIKELY');
    assert.equal(verdict(form('action="/change_password"', '')), 'LIKELY');
    const other = '<h2>Key generator</h2>';
    assert.equal(verdict(`<footer>Change your password</footer>${other}${form('', '')}`), 'REFUTED');
  });

  it('is refuted where no session comes along, or a script submits the form', () => {
    assert.equal(verdict(change, 'sid=0a1b2c3d4e; SameSite=Strict'), 'REFUTED');
    assert.equal(verdict(change, 'sid=0a1b2c3d4e; SameSite=Lax'), 'LIKELY');
    assert.equal(verdict(change, '', [['Authorization', 'Bearer 0a1b2c3d4e']]), 'REFUTED');
    assert.equal(verdict(form('onsubmit="return send(this)"', 'New password')), 'REFUTED');
  });
});
