import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CHROMIUM, chromiumOnlyByHelper, writeProgram } from '@sortie/testing/engine/chromium.ts';
import { read } from '@sortie/testing/server/processes.ts';
import { claimUsers, type OwnUsers } from '../platform/own-users.ts';
import { tryBrowser } from './browser.ts';
import { findPrivileges, type Privileges } from './privileges.ts';

let folder: string;
let notes: string;
let users: OwnUsers | undefined;
before(async () => {
  folder = mkdtempSync('/tmp/sortie-privileges-');
  chmodSync(folder, 0o755);
  notes = path.join(folder, 'notes');
  mkdirSync(notes);
  chmodSync(notes, 0o777);
  users = await claimUsers(2);
});
after(() => {
  users?.release();
  rmSync(folder, { recursive: true });
});

/** Returns a wrapper program that first records the NoNewPrivs flag of its process. */
async function noting(name: string, program: string): Promise<string> {
  await writeFile(`${notes}/${name}`, '');
  // Each engine runs as a different user.
  await chmod(`${notes}/${name}`, 0o666);
  return writeProgram(folder, name, `grep NoNewPrivs /proc/self/status >> ${notes}/${name}\nexec ${program} "$@"`);
}

async function tryWith(chromium: string, privileges: Privileges) {
  return (await tryBrowser({ options: { user: undefined, users, privileges, memoryMegabytes: 1_024 }, chromium }))
    ?.state;
}

describe('no_new_privs', () => {
  it('holds for the browser of an engine, whose sandbox works all the same', async () => {
    const privileges = await findPrivileges();
    const state = await tryWith(await noting('plain', CHROMIUM), privileges);
    // Chromium's sandbox works for every user except root.
    assert.equal(state, 'sandboxed');
    assert.deepEqual(new Set(read(`${notes}/plain`).trim().split('\n')), new Set(['NoNewPrivs:\t1']));
    assert.equal(privileges.needSetuidHelper, false);
  });

  it('is left out where the sandbox of the browser works by its setuid helper only', async () => {
    const privileges = await findPrivileges();
    const state = await tryWith(await noting('helper', await chromiumOnlyByHelper(folder)), privileges);
    assert.equal(state, 'sandboxed');
    assert.equal(read(`${notes}/helper`).trim().split('\n').at(-1), 'NoNewPrivs:\t0');
    assert.equal(privileges.needSetuidHelper, true);
  });

  it('is left out where no program sets it', async () => {
    assert.equal((await findPrivileges(['/nonexistent/setpriv'])).setpriv, null);
  });
});
