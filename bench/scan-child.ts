import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { childProgram, FromEngine, type ScanOrder } from '@sortie/engine';

export type Scanned = Extract<FromEngine, { type: 'scanned' }>;

/** The scan process, as a worker starts it. */
export interface ScanChild {
  pid: number | undefined;
  scan(url: string): Promise<Scanned>;
  stop(): void;
}

export async function startScanChild(trusted: string): Promise<ScanChild> {
  const child = spawn(process.execPath, [childProgram, '--same-user', '--looks'], {
    stdio: ['pipe', 'inherit', 'inherit', 'pipe'],
    env: { NODE_EXTRA_CA_CERTS: trusted },
  });
  const waiting = new Map<string, (scanned: Scanned) => void>();
  const ready = Promise.withResolvers<void>();
  child.once('exit', () => ready.reject(new Error('The scan child ended.')));
  createInterface(child.stdio[3] as Readable).on('line', (line) => {
    const message = FromEngine.parse(JSON.parse(line));
    if (message.type === 'ready') ready.resolve();
    if (message.type === 'scanned') waiting.get(message.scanId)?.(message);
  });
  await ready.promise;
  let scans = 0;
  return {
    pid: child.pid,
    scan(url) {
      const { promise, resolve } = Promise.withResolvers<Scanned>();
      const scanId = `scn_${++scans}`;
      const network = { allowAddresses: ['127.0.0.0/8'], resolvers: [], userAgent: 'Sortie bench' };
      const order: ScanOrder = {
        type: 'scan',
        scanId,
        url,
        attempt: 1,
        script: null,
        network,
        optedOut: [],
      };
      waiting.set(scanId, resolve);
      child.stdin?.write(`${JSON.stringify(order)}\n`);
      return promise;
    },
    stop: () => void child.kill(),
  };
}
