import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce, observed, twoAccounts } from '@sortie/testing/engine/judging.ts';
import getForm from '../../passive/checks/content/password-in-get-form.ts';
import httpOnly from '../../passive/checks/cookies/cookie-session-httponly-missing.ts';
import cookies from '../checks/login/insecure-session-cookie.ts';
import forms from '../checks/login/password-in-url.ts';
import { answersTo } from '../experiment.ts';

const site = { origin: 'http://shop.test' };
const page = { url: 'http://shop.test/', seenAs: null };

describe('a form with a password in the URL', () => {
  const verdict = (form: string) => {
    const body = `${form}<input type="password" name="secret"></form>`;
    const variant = { check: getForm.id, page };
    return judge(forms, { subject: site, variant }, { page: { headers: { 'content-type': 'text/html' }, body } });
  };

  it('is proved only where the browser itself submits it', () => {
    assert.equal(verdict('<form method="get" action="/in">'), 'PROVED');
    assert.equal(verdict('<form action="/in">'), 'LIKELY');
    assert.equal(verdict('<form method="get" onsubmit="return send()">'), 'LIKELY');
    assert.equal(verdict('<script src="/app.js"></script><form method="get" action="/in">'), 'LIKELY');
    assert.equal(verdict('<form method="post">'), 'REFUTED');
  });
});

describe('a session cookie without HttpOnly', () => {
  const verdict = (given: string, ofAccount = '', toAccount: NonNullable<Given> = {}) => {
    const variant = { check: httpOnly.id, page };
    const seen = observed({ headers: { 'content-type': 'text/html', 'set-cookie': given } });
    const account = observed(toAccount);
    const sent = { ...account, request: { ...account.request, headers: [['Cookie', ofAccount]] as const } };
    const facts = { accounts: twoAccounts };
    const plan = cookies.proof.plan(site, variant, nonce, facts);
    const answers =
      plan &&
      answersTo(
        plan,
        new Map([
          ['page', seen],
          ['account', sent],
        ]),
      );
    assert.ok(answers);
    return cookies.proof.judge(answers, variant, nonce, site, facts);
  };

  it('is proved only if an account has a session of that name', () => {
    assert.equal(verdict('sid=0a1b2c3d4e', 'theme=dark; sid=5f6a7b8c9d'), 'PROVED');
    assert.equal(verdict('sid=0a1b2c3d4e', 'theme=dark'), 'LIKELY');
    assert.equal(verdict('sid=0a1b', 'sid=5f6a'), 'LIKELY');
    assert.equal(verdict('sid=0a1b2c3d4e; HttpOnly', 'sid=5f6a7b8c9d'), 'REFUTED');
  });

  it('is only likely if the target did not respond to the account', () => {
    assert.equal(verdict('sid=0a1b2c3d4e', 'sid=5f6a7b8c9d', { isUnanswered: true }), 'LIKELY');
  });

  it('is none if it is empty or only a switch', () => {
    for (const value of ['', '1', 'true', '"no"'])
      assert.equal(verdict(`session=${value}; Path=/`, 'session=1'), 'REFUTED');
  });
});
