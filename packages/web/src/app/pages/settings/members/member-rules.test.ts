import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Role } from '@sortie/contract';
import { rulesFor } from './member-rules.ts';

const member = (role: Role) => ({ userId: `usr_${role}`, role });

/** What a person of a role is offered for a member of another, in an organization with these owners. */
function offered(own: Role, role: Role, owners = 2) {
  const members = [...Array.from({ length: owners }, () => member('OWNER')), member('ADMIN'), member('VIEWER')];
  const rules = rulesFor({ role: own, kind: 'organization' }, member(role), { members, ownId: `usr_${own}` });
  return [rules.roles.join(' '), rules.mayRemove, rules.maySetAllowance];
}

const all = 'OWNER ADMIN MEMBER VIEWER';

describe('what is offered for a member', () => {
  it('leaves owners to owners', () => {
    assert.deepEqual(offered('OWNER', 'OWNER'), [all, true, true]);
    assert.deepEqual(offered('OWNER', 'VIEWER'), [all, true, true]);
    assert.deepEqual(offered('ADMIN', 'OWNER'), ['', false, false]);
    assert.deepEqual(offered('ADMIN', 'VIEWER'), ['ADMIN MEMBER VIEWER', true, true]);
  });

  it('keeps the last owner', () => {
    assert.deepEqual(offered('OWNER', 'OWNER', 1), ['', false, true]);
  });

  it('lets others only leave', () => {
    assert.deepEqual(offered('MEMBER', 'MEMBER'), ['', true, false]);
    assert.deepEqual(offered('VIEWER', 'VIEWER'), ['', true, false]);
    assert.deepEqual(offered('MEMBER', 'VIEWER'), ['', false, false]);
  });

  it('keeps the role in a personal account', () => {
    const only = [member('OWNER')];
    const rules = rulesFor({ role: 'OWNER', kind: 'personal' }, member('OWNER'), { members: only, ownId: 'usr_OWNER' });
    assert.deepEqual([rules.roles, rules.mayRemove, rules.maySetAllowance], [[], false, true]);
  });
});
