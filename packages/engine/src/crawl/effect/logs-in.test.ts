import assert from 'node:assert/strict';
import { it } from 'node:test';
import { draftOf } from '../requests/draft.ts';

const effectOf = (url: string, operationId = '', summary = '', fields = ['name', 'password']) =>
  draftOf({
    method: 'POST',
    url: `http://shop.test${url}`,
    source: 'openapi',
    words: { names: [operationId], prose: [summary] },
    json: Object.fromEntries(fields.map((name) => [name, 'x'])),
  })?.effect;

it('a described request that takes a name and a password is a login only if its words say so', () => {
  const logins: Parameters<typeof effectOf>[] = [
    ['/api/login'],
    ['/v7/sessions'],
    ['/door/knock', 'userLogin'],
    ['/door/knock', '', 'Sign in with a passphrase', ['visitor', 'passphrase']],
    ['/door', '', 'Verifies name and password and returns a token'],
    ['/users/token'],
  ];
  for (const login of logins) assert.equal(effectOf(...login), 'logsIn', login.join(' '));
  const others: Parameters<typeof effectOf>[] = [
    ['/api/printers', '', 'Adds a printer with its account'],
    ['/api/users', 'createUser'],
    ['/auth/register'],
    ['/auth/people', 'auth_create_user'],
    ['/session/people', '', 'Create a new user'],
    ['/auth/me', '', 'Change the password of the session'],
    ['/api/login', '', 'Log in', ['name', 'password', 'new_password']],
    ['/api/login', '', 'Log in', ['name']],
  ];
  for (const other of others) assert.equal(effectOf(...other), 'changes', other.join(' '));
});
