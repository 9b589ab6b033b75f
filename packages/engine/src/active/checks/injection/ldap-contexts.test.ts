import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openLabs } from '@sortie/testing/engine/labs.ts';
import type { LabAnswer, PointLab } from '../../lab.ts';
import { escapeForFilter, findPeople } from '../../labs/ldap.ts';
import ldap from './ldap-injection.ts';

interface Context {
  value: string;
  /** Returns the filter. */
  write(value: string): string;
  /** Responds to an invalid filter; by default with an error. */
  broken?: LabAnswer;
}

const isFound: Record<string, Context> = {
  'an OR': { value: 'alice', write: (value) => `(|(uid=${value})(mail=${value}))` },
  'an OR within an AND': { value: 'alice', write: (value) => `(&(objectClass=person)(|(uid=${value})(mail=x)))` },
  'an OR in which a value that finds nothing is one of two': {
    value: 'carol',
    write: (value) => `(|(uid=${value})(uid=bob))`,
  },
  'an OR whose other side finds what the value finds': {
    value: 'bob',
    write: (value) => `(|(uid=${value})(mail=bob@shop.test))`,
  },
  'an AND in which the value finds nothing': {
    value: 'carol',
    write: (value) => `(&(uid=${value})(objectClass=person))`,
    broken: { body: 'The directory did not answer.' },
  },
};
const isNotFound: Record<string, Context> = {
  'an OR with escaped values': {
    value: 'alice',
    write: (value) => `(|(uid=${escapeForFilter(value)})(mail=${escapeForFilter(value)}))`,
  },
  'an OR without brackets in values': {
    value: 'carol',
    write: (value) => `(|(uid=${value.replaceAll(/[()\\]/g, '')})(uid=bob))`,
  },
  'an OR behind a filter for conditions': {
    value: 'alice',
    write: (value) => (/[()]/.test(value) ? '(objectClass=device)' : `(|(uid=${value})(mail=${value}))`),
  },
};

function labOf({ value, write, broken = { status: 500, body: 'Something went wrong' } }: Context): PointLab {
  const handler = (read: string): LabAnswer => {
    try {
      return { body: `People: ${findPeople(write(read)).join(', ')}` };
    } catch {
      return broken;
    }
  };
  return { parameter: 'user', value, vulnerable: handler, safe: handler };
}

const cases = Object.entries({ ...isFound, ...isNotFound }).map(([name, context], index) => ({
  name,
  isFlawed: name in isFound,
  check: { ...ldap, id: `case-${index}`, lab: () => labOf(context) },
}));

let labs: Awaited<ReturnType<typeof openLabs>>;
before(async () => {
  labs = await openLabs(cases.map(({ check }) => check));
});
after(() => labs.close());

describe('LDAP injection', () => {
  for (const { name, check, isFlawed } of cases) {
    it(`is ${isFlawed ? '' : 'not '}found in: ${name}`, async () => {
      const { verified, requests } = await labs.test(check, 'vulnerable');
      assert.equal(verified?.confidence, isFlawed ? 'CONFIRMED' : undefined);
      assert.ok(requests <= check.maxRequests, `${requests} requests`);
    });
  }
});
