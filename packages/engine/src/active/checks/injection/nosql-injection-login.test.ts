import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import type { PlannedRequest } from '../../experiment.ts';
import { loginForm } from '../../labs/sql.ts';
import check from './nosql-injection-login.ts';

const nonce = { word: 'w0rd', numbers: [1111, 2222, 3333] as const };
const facts = { accounts: [] };

function bodiesOf(item: InventoryItem): string[] {
  const plan = check.proof.plan(item, 'operators', nonce, facts) ?? {};
  const planned: readonly PlannedRequest[] = Object.values(plan);
  return planned.map(({ request }) => decodeURIComponent(String(request.body)));
}

describe('operators in a login', () => {
  it('stand in brackets behind the names of a form', () => {
    assert.deepEqual(bodiesOf(loginForm), [
      'user=w0rd&password=w0rd',
      'user[$ne]=w0rd&password[$ne]=w0rd',
      'user[$ne]=w0rd&password[$eq]=w0rd',
      'user[$nin][]=w0rd&password[$nin][]=w0rd',
      'user[$ne]=w0rd&password[$w0rd]=w0rd',
    ]);
  });

  it('are objects in JSON, and other fields stay as they are', () => {
    const item: InventoryItem = {
      ...loginForm,
      parameters: ['email', 'password', 'remember'].map((name) => ({ location: 'json', name: `/${name}`, value: 'x' })),
      body: { type: 'application/json', text: '{"email":"x","password":"x","remember":"x"}' },
    };
    const [, bypass, , list] = bodiesOf(item);
    assert.equal(bypass, '{"email":{"$ne":"w0rd"},"password":{"$ne":"w0rd"},"remember":"x"}');
    assert.equal(list, '{"email":{"$nin":["w0rd"]},"password":{"$nin":["w0rd"]},"remember":"x"}');
  });

  it('are not sent to a GraphQL login, whose values have types', () => {
    const parameters = loginForm.parameters.map((each) => ({ ...each, location: 'graphql' as const }));
    const login = { ...loginForm, url: 'http://shop.test/login' };
    assert.ok(check.appliesTo(login, { inventory: [], accounts: [] }));
    assert.ok(!check.appliesTo({ ...login, parameters }, { inventory: [], accounts: [] }));
  });
});
