import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from '@sortie/testing/server/processes.ts';
import { startEngine } from './engine-process.ts';

describe('an engine that has ended', () => {
  it('is not signalled later, when another process may have its pid', async (test) => {
    const before = descendantsOf(process.pid);
    const engine = startEngine({ user: undefined, memoryMegabytes: 1_024 }, 'looks');
    const [pid = assert.fail('no process')] = descendantsOf(process.pid).filter((each) => !before.includes(each));
    const { mock } = test.mock.method(process, 'kill');
    for await (const { message } of engine.received) if (message.type === 'ready') engine.kill('the test is over');
    // Longer than the engine has for leaving.
    await sleep(1_500);
    const signals = mock.calls.filter(({ arguments: [to] }) => to === -pid);
    assert.equal(signals.length, 1, 'only the rest of its group is killed, when it exits');
  });
});
