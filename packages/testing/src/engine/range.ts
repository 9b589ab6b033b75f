import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { rangeProgram } from '@sortie/range';
import { quickImports } from '../loading/bundles.ts';

export interface TestRange {
  port: number;
  origin: string;
  stop(): Promise<void>;
}

interface RangeOptions {
  verification?: string;
  isWhole?: boolean;
  /** The second version of the range, where orders, customers and other things have other ids. */
  hasShiftedIds?: boolean;
  /** `127.0.0.1:PORT` that flaws such as SSRF may call. */
  mayCall?: string;
  /** `127.0.0.1:PORT` of the name server that it queries. */
  mayAsk?: string;
}

/** Starts the demo target on a free loopback port; with `isWhole`, with all planted flaws. */
export async function startTestRange(options: RangeOptions = {}): Promise<TestRange> {
  const { verification, isWhole = false, hasShiftedIds = false, mayCall, mayAsk } = options;
  const parameters = verification === undefined ? [] : ['--verification', verification];
  if (isWhole) parameters.push('--whole');
  if (hasShiftedIds) parameters.push('--shifted-ids');
  if (mayCall !== undefined) parameters.push('--may-call', mayCall);
  if (mayAsk !== undefined) parameters.push('--may-ask', mayAsk);
  const child = spawn(process.execPath, [quickImports, rangeProgram, '--port', '0', ...parameters], {
    stdio: ['pipe', 'pipe', 'inherit'],
  }) as ChildProcessByStdio<Writable, Readable, null>;
  const [line] = await once(createInterface(child.stdout), 'line');
  const { port } = JSON.parse(line) as { port: number };
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
