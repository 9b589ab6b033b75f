import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeLabs } from '@sortie/testing/engine/describe-labs.ts';
import { loadActiveChecks } from './load-checks.ts';

const checks = await loadActiveChecks();

it('an active check is one file with its lab', () => assert.ok(checks.length >= 3));

// Those that need a browser are in labs-in-browser.long.test.ts.
describeLabs(
  'an active check',
  checks.filter(({ needsBrowser }) => !needsBrowser),
);
