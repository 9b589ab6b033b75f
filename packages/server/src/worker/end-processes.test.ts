import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { listProcesses } from '../platform/list-processes.ts';
import { claimUsers, type OwnUsers } from '../platform/own-users.ts';
import { isRoot, type SystemUser } from '../platform/run-as.ts';
import { endProcessesOf } from './end-processes.ts';

/** The winner of one round is a matter of chance. */
const ROUNDS = 8;

const processesOf = ({ uid }: SystemUser) => listProcesses().filter(({ uids }) => uids.has(uid));

describe('the processes of an engine', { skip: !isRoot() }, () => {
  let users: OwnUsers | undefined;
  let user: SystemUser;
  before(async () => {
    users = await claimUsers(1);
    user = users?.take() ?? assert.fail('no user');
  });
  after(() => {
    for (const { pid } of processesOf(user)) process.kill(pid, 'SIGKILL');
    users?.release();
  });

  async function start(script: string): Promise<void> {
    const child = spawn('/bin/sh', ['-c', script], {
      ...user,
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
  }

  for (const { what, script } of [
    { what: 'kill all others of their user', script: 'echo; while :; do kill -KILL -1; done' },
    { what: 'stop all others of their user', script: 'echo; while :; do kill -STOP -1; done' },
    {
      what: 'continue in a new process each time',
      script: 'echo; i=0; f() { [ $i -lt 9999 ] || exit; i=$((i+1)); (f) & exit; }; f',
    },
    { what: 'run in other sessions', script: 'for i in 1 2 3; do setsid sleep 60 & done; echo; exec sleep 60' },
  ]) {
    it(`are ended even if they ${what}`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        await start(script);
        assert.equal(await endProcessesOf(user), 0);
        assert.deepEqual(processesOf(user), []);
      }
    });
  }
});
