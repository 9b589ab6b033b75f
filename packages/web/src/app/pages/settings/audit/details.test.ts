import assert from 'node:assert/strict';
import { it } from 'node:test';
import { detailsText } from './details.ts';

it('writes the details of an entry of the audit log on one line', () => {
  const details = { to: null, from: 'OWNER', permissions: ['scans:read'] };
  assert.equal(detailsText(details), 'from: OWNER, permissions: ["scans:read"], to: null');
  assert.equal(detailsText({}), '');
});
