import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem } from '../crawl/inventory/inventory.ts';
import registration from './checks/access/mass-assignment-registration.ts';
import { withFields } from './shared/extra-fields.ts';

const json = (names: readonly string[], body: object): InventoryItem => ({
  method: 'POST',
  url: 'http://shop.test/members',
  parameters: names.map((name) => ({ location: 'json', name, value: '' })),
  seenAs: null,
  contentType: 'application/json',
  effect: 'changes',
  body: { type: 'application/json', text: JSON.stringify(body) },
});
const register = json(['/name', '/password'], { name: '', password: '' });
const login: InventoryItem = { ...register, url: 'http://shop.test/login', effect: 'logsIn' };

describe('a role at the registration', () => {
  const own = { register, login, nameField: '/name', page: 'http://shop.test/me' };
  const variant = { own, page: 'http://shop.test/staff', field: ['role', 'admin'] as const };
  const refused: Given = { status: 403, body: 'for the staff' };
  const answers: Record<string, Given> = {
    ...Object.fromEntries(
      ['usual', 'other', 'made'].flatMap((key) => [`${key}Registered`, `${key}Login`]).map((key) => [key, {}]),
    ),
    usualInside: { body: `${nonce.word}usual` },
    otherInside: { body: `${nonce.word}other` },
    usual: refused,
    other: refused,
    stranger: { status: 401 },
    made: { body: 'wages: 410' },
  };
  const verdict = (changes: Record<string, Given> = {}) =>
    judge(registration, { subject: register, variant }, { ...answers, ...changes });

  it('is stored where only the account registered with it opens the page', () => {
    assert.equal(verdict(), 'PROVED');
    assert.equal(verdict({ made: refused }), 'REFUTED');
    assert.equal(
      verdict({ made: { body: '<form><input name="user"><input type="password" name="p"></form>' } }),
      'REFUTED',
    );
  });

  it('decides nothing where the page opens for other accounts or visitors as well', () => {
    for (const key of ['usual', 'other', 'stranger'])
      assert.equal(verdict({ [key]: { body: 'wages: 410' } }), 'REFUTED');
  });

  it('proves nothing where the other accounts were not logged in', () => {
    for (const key of ['usualInside', 'otherInside']) assert.equal(verdict({ [key]: { body: 'log in' } }), 'VOID');
    assert.equal(verdict({ otherInside: undefined }), 'VOID');
  });

  it('gets a password that the name of the account does not tell', () => {
    const plan = registration.proof.plan(register, variant, nonce, { accounts: [] });
    const sent = JSON.parse(String(plan?.madeRegistered.request.body)) as Record<string, string>;
    assert.equal(sent.role, 'admin');
    assert.match(sent.password ?? '', new RegExp(nonce.numbers.join('')));
    // The evidence masks it, because the account may have the rights of staff.
    assert.deepEqual(plan?.madeRegistered.secrets, [sent.password]);
    assert.deepEqual(plan?.madeLogin.secrets, [sent.password]);
  });
});

describe('a further field', () => {
  it('stands beside the password', () => {
    const nested = json(['/user/name', '/user/password'], { user: { name: 'a', password: 'b' } });
    const request = { method: 'POST', url: nested.url, body: nested.body?.text ?? '' };
    const sent = withFields(request, nested, [['role', 'admin']]);
    assert.deepEqual(JSON.parse(String(sent?.body)), { user: { name: 'a', password: 'b', role: 'admin' } });
  });

  it('is added to a form', () => {
    const { body: _none, ...form } = register;
    const item: InventoryItem = { ...form, parameters: [{ location: 'form', name: 'password', value: '' }] };
    const sent = withFields({ method: 'POST', url: item.url, body: 'password=b' }, item, [['admin', true]]);
    assert.equal(sent?.body, 'password=b&admin=true');
  });
});
