import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { descendantsOf, read } from '@sortie/testing/server/processes.ts';
import { openBrowser } from './browser.ts';

const PROGRAM = `
  import { openBrowser } from ${JSON.stringify(path.join(import.meta.dirname, 'browser.ts'))};
  await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
  process.stdout.write('open');
  setInterval(() => undefined, 1_000);
`;

const isAlive = (pid: number) => !/^$|\) Z /.test(read(`/proc/${pid}/stat`));

describe('the processes of the browser', () => {
  it('end with the engine, even when it is killed', async () => {
    const engine = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(engine.stdout, 'data');
    const processes = descendantsOf(engine.pid as number);
    assert.ok(processes.length >= 2);
    assert.ok(processes.some((pid) => read(`/proc/${pid}/cmdline`).includes('--host-resolver-rules=MAP * ~NOTFOUND')));
    engine.kill('SIGKILL');
    await once(engine, 'exit');
    const until = performance.now() + 20_000;
    while (processes.some(isAlive) && performance.now() < until) await setTimeout(50);
    assert.deepEqual(processes.filter(isAlive), []);
  });
});

describe('a browser that has ended', () => {
  it('opens nothing any more, and says so without an error', async () => {
    const browser = await openBrowser('/usr/bin/chromium', 'Sortie test', 'preferred');
    await browser.close();
    const send = async () => assert.fail('nothing may be sent');
    assert.equal(await browser.visit({ method: 'GET', url: 'http://site.test/' }, send), undefined);
    assert.equal(await browser.drive(send, async () => 1), undefined);
    assert.equal(browser.isOpen(), false);
  });
});
