import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { read } from '@sortie/testing/server/processes.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
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

  it('include one whose only process is a zombie', { skip: !isRoot() }, async () => {
    const users = (await claimUsers(6)) ?? assert.fail('no users');
    const all = Array.from({ length: 6 }, () => users.take() ?? assert.fail('no user'));
    const [user = assert.fail()] = all;
    // The parent never reads the exit code of its child, which waits until the parent is no shell any more.
    const child = 'until grep -q sleep /proc/$$/comm; do :; done; exec setpriv --reuid="$0" --clear-groups true';
    const script = `(${child}) & echo $!; exec sleep 60`;
    const parent = spawn('/bin/sh', ['-c', script, String(user.uid)], { stdio: ['ignore', 'pipe', 'ignore'] });
    const [pid] = await once(parent.stdout, 'data');
    const status = () => read(`/proc/${String(pid).trim()}/status`);
    await waitFor(() => /^State:\s+Z/m.test(status()), { what: 'a zombie' });
    assert.match(status(), new RegExp(`^Uid:\\s+${user.uid}\\s`, 'm'));
    users.giveBack(user);
    assert.equal(users.take()?.uid, user.uid);
    parent.kill('SIGKILL');
    users.release();
  });

  it('are at most half of all, so that another server gets some', { skip: !isRoot() }, async () => {
    const users = (await claimUsers(100_000)) ?? assert.fail('no users');
    const other = (await claimUsers(6)) ?? assert.fail('none left');
    assert.notEqual(users.take()?.uid, other.take()?.uid);
    users.release();
    other.release();
  });
});
