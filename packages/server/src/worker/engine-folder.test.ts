import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { writeProgram } from '@sortie/testing/engine/chromium.ts';
import { descendantsOf, read } from '@sortie/testing/server/processes.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import type { Log } from '../platform/log.ts';
import { claimUsers, type OwnUsers } from '../platform/own-users.ts';
import { isRoot, runAs } from '../platform/run-as.ts';
import { createEngineFolders, sweepEngineFolders } from './engine-folder.ts';
import { startEngine } from './engine-process.ts';
import { findPrivileges } from './privileges.ts';

let programs: string;
let users: OwnUsers | undefined;
before(async () => {
  programs = mkdtempSync('/tmp/sortie-programs-');
  await chmod(programs, 0o755);
  users = await claimUsers(2);
});
after(() => {
  users?.release();
  rmSync(programs, { recursive: true });
});

/** Returns the profile that Playwright has created for the browser started with this program. */
function findProfile(program: string): string | undefined {
  const commands = descendantsOf(process.pid).map((pid) => read(`/proc/${pid}/cmdline`).split('\0'));
  const command = commands.find((each) => each.includes(program));
  return command?.find((each) => each.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length);
}

function recordWarnings(): { log: Log; warnings: string[] } {
  const warnings: string[] = [];
  const nothing = () => undefined;
  const warn = (message: string) => void warnings.push(message);
  return { log: { debug: nothing, info: nothing, warn, error: nothing }, warnings };
}

describe('temporary files of an engine', () => {
  it('are gone when the engine was killed in the middle of its work, before its user is used again', async () => {
    // Like a browser, this program ends with the engine; unlike a browser, it never reports that it has started.
    const chromium = await writeProgram(programs, 'silent', 'cat <&3 >/dev/null');
    const folders = createEngineFolders();
    const engine = startEngine({ user: undefined, users, folders, memoryMegabytes: 1_024 }, 'browser');
    engine.send({ type: 'browser', chromium });
    await waitFor(() => findProfile(chromium) !== undefined, { what: 'the profile of the browser' });
    const profile = findProfile(chromium) ?? assert.fail();
    const { uid, mode } = statSync(path.dirname(profile));
    assert.equal(mode & 0o777, 0o700);
    writeFileSync(path.join(profile, 'Cookies'), 'session=secret');
    for (const pid of descendantsOf(process.pid)) {
      if (read(`/proc/${pid}/cmdline`).includes('--browser')) process.kill(pid, 'SIGKILL');
    }
    await folders.allRemoved();
    assert.equal(existsSync(profile), false);
    assert.deepEqual(
      readdirSync('/tmp').filter((name) => profile.split('/').includes(name)),
      [],
    );
    if (users) assert.notEqual(uid, process.getuid?.());
  });

  it('of a server that was killed are removed at the next start, those of a living one are not', async () => {
    const left = mkdtempSync('/tmp/sortie-engine-4000000-1-');
    writeFileSync(path.join(left, 'Cookies'), 'session=secret');
    const folders = createEngineFolders();
    const used = folders.create(undefined);
    await sweepEngineFolders();
    assert.deepEqual([existsSync(left), existsSync(used.path)], [false, true]);
    await used.remove();
    assert.equal(existsSync(used.path), false);
  });

  it('are removed even if the engine has closed their folders', async () => {
    const { log, warnings } = recordWarnings();
    const user = users?.take();
    const folder = createEngineFolders({ log, privileges: await findPrivileges() }).create(user);
    const close = 'cd "$0" && mkdir -p a/b && echo secret > a/b/Cookies && chmod 0 a/b a .';
    await runAs(user, 'sh', ['-c', close, folder.path]);
    assert.equal(await folder.remove(), true);
    assert.equal(existsSync(folder.path), false);
    assert.deepEqual(warnings, []);
    if (user) users?.giveBack(user);
  });

  it('that cannot be removed are logged', { skip: !isRoot() }, async () => {
    const { log, warnings } = recordWarnings();
    const folder = createEngineFolders({ log, mostTries: 2 }).create({ uid: 65_534, gid: 65_534 });
    mkdirSync(path.join(folder.path, 'of-root'));
    writeFileSync(path.join(folder.path, 'of-root/Cookies'), 'session=secret');
    assert.equal(await folder.remove(), false);
    assert.deepEqual(warnings, ['the temporary folder of an engine could not be removed']);
    rmSync(folder.path, { recursive: true });
  });

  it('that cannot be listed are logged and do not reject the sweep', async () => {
    const { log, warnings } = recordWarnings();
    await sweepEngineFolders({ log }, path.join(programs, 'missing'));
    assert.deepEqual(warnings, ['the temporary folders of earlier engines could not be listed']);
  });
});
