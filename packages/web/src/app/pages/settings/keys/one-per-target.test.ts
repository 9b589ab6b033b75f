import assert from 'node:assert/strict';
import { it } from 'node:test';
import { onePerTarget } from './one-per-target.ts';

it('shows a target with several verifications once, by one that is verified', () => {
  const targets = [
    { verificationId: 'ver_file', targetId: 'tgt_1', verified: false },
    { verificationId: 'ver_other', targetId: 'tgt_2', verified: false },
    { verificationId: 'ver_dns', targetId: 'tgt_1', verified: true },
    { verificationId: 'ver_meta', targetId: 'tgt_1', verified: true },
  ];
  const ids = onePerTarget(targets).map(({ verificationId }) => verificationId);
  assert.deepEqual(ids, ['ver_dns', 'ver_other']);
});
