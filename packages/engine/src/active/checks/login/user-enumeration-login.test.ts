import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { RequestCheck } from '../../define-active-check.ts';
import type { RequestLab } from '../../lab.ts';
import { fieldsIn, loginForm } from '../../labs/sql.ts';
import check from './user-enumeration-login.ts';

const users = ['alice@shop.test', 'bob@shop.test'];
const loginWith =
  (toKnown: number, toUnknown: number): RequestLab['vulnerable'] =>
  ({ body }) => {
    const isKnown = users.includes(fieldsIn(body).user ?? '');
    const status = isKnown ? toKnown : toUnknown;
    return { status, body: status >= 500 ? 'Internal Server Error' : 'Wrong password' };
  };

const cases: Record<string, { login: RequestLab['vulnerable']; expected?: 'CONFIRMED' }> = {
  'a server that fails at unknown names only': { login: loginWith(401, 500), expected: 'CONFIRMED' },
  'a server that fails at known names only': { login: loginWith(500, 401) },
  'a server that fails at every name': { login: loginWith(500, 500) },
};

describe('user enumeration at a login', () => {
  const named = Object.entries(cases).map(([name, { login, expected }], index) => {
    const lab = (): RequestLab => ({ item: { ...loginForm, effect: 'logsIn' }, vulnerable: login, safe: login });
    return { name, expected, check: { ...(check as RequestCheck), id: `case-${index}`, lab } };
  });
  let labs: Awaited<ReturnType<typeof openLabs>>;
  before(async () => {
    labs = await openLabs(named.map((each) => each.check));
  });
  after(() => labs.close());

  for (const { name, expected, check: one } of named) {
    it(`${expected ? 'is found' : 'is not found'}: ${name}`, async () => {
      const { verified } = await labs.test(one, 'vulnerable');
      assert.equal(verified?.confidence, expected);
    });
  }
});
