import assert from 'node:assert/strict';
import { type Role, roles } from '@sortie/contract';
import { createVisitor, type Visitor } from '../http/visitor.ts';
import type { World } from '../world/world.ts';

export interface Person extends Visitor {
  userId: string;
}

/** An organization with one person who has signed in for each role, and a stranger to it. */
export interface People extends Record<Role | 'STRANGER', Person> {
  accountId: string;
}

export async function signUp(world: World, name: string): Promise<Person> {
  const visitor = createVisitor(world.server.baseUrl);
  const { body, text } = await visitor.signUp(`${name.toLowerCase()}@example.com`);
  return { ...visitor, userId: (body?.user as { id?: string })?.id ?? assert.fail(text) };
}

let organizations = 0;

export async function createPeople(world: World): Promise<People> {
  const { id: accountId } = await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' });
  const number = ++organizations;
  const people: Partial<Record<Role | 'STRANGER', Person>> = { STRANGER: await signUp(world, `stranger-${number}`) };
  for (const role of roles) {
    const person = await signUp(world, `${role}-${number}`);
    await world.admin.member.add({ account: accountId, user: person.userId, role });
    people[role] = person;
  }
  return { ...(people as Record<Role | 'STRANGER', Person>), accountId };
}
