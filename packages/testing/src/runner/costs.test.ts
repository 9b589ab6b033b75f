import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeCosts, readCosts } from './costs.ts';
import { cpuSecondsOf } from './cpu-time.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sortie-test-'));
});
after(() => rmSync(folder, { recursive: true }));

const burn = (milliseconds: number) =>
  `const until = process.cpuUsage().user + ${milliseconds} * 1000; while (process.cpuUsage().user < until);`;

describe('the costs of test files', () => {
  it('include processes that a process has started, whether they have ended or still run', async () => {
    const program = `
      const { spawn, spawnSync } = require('node:child_process');
      spawnSync(process.execPath, ['-e', ${JSON.stringify(burn(200))}]);
      const running = spawn(process.execPath, ['-e', ${JSON.stringify(`${burn(200)} console.log(1); setInterval(() => {}, 1000);`)}]);
      running.stdout.once('data', () => console.log(1));
      process.once('SIGTERM', () => { running.kill('SIGKILL'); process.exit(); });`;
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const seconds = cpuSecondsOf(child.pid ?? 0);
    child.kill();
    // Elsewhere there is no `/proc`, and each test process counts for itself.
    assert.ok(seconds >= (process.platform === 'linux' ? 0.4 : 0), String(seconds));
  });

  it('are listed with their sum, the highest first', () => {
    const file = path.join(folder, 'costs.jsonl');
    const costs = [1, 12.34, 5].map((seconds) => ({ name: `${seconds}.test.ts`, seconds }));
    writeFileSync(file, costs.map((cost) => `${JSON.stringify(cost)}\n`).join(''));
    const text = describeCosts(readCosts(file), 2);
    assert.equal(text, 'CPU seconds: 18. Most of them:\n   12.3  12.34.test.ts\n    5.0  5.test.ts\n');
  });
});
