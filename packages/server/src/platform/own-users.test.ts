import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { claimUsers } from './own-users.ts';
import { isRoot } from './run-as.ts';

describe('users of our own', () => {
  it('are never the same for two, and none that a process still runs as', async () => {
    const [one, other] = await Promise.all([claimUsers(8), claimUsers(8)]);
    // Without privileges there is only one user to run as.
    assert.equal(one !== undefined && other !== undefined, isRoot());
    if (!one || !other) return;
    const taken = [one, other].flatMap((users) => Array.from({ length: 8 }, () => users.take()?.uid));
    assert.equal(new Set(taken).size, 16);
    assert.ok(taken.every((uid) => uid !== undefined && uid > 0));
    const [uid = 0] = taken;
    const left = spawn('/bin/sleep', ['60'], { uid, gid: uid, cwd: '/', stdio: 'ignore' });
    await once(left, 'spawn');
    one.giveBack({ uid, gid: uid });
    const rest = Array.from({ length: 5 }, () => one.take()?.uid);
    assert.ok(!rest.includes(uid));
    left.kill('SIGKILL');
    await once(left, 'exit');
    assert.equal(one.take()?.uid, uid);
    one.release();
    other.release();
  });
});
