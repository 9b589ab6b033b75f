import type { ScanOrder, ScanResult } from '@sortie/engine';
import { type EngineOptions, type EngineProcess, startEngine } from './engine-process.ts';

export interface ScanEngine {
  /** Answers once the process can work; throws when it cannot. */
  start(): Promise<void>;
  /** Undefined when the engine ended before the scan did. */
  scan(order: Omit<ScanOrder, 'type'>): Promise<ScanResult | undefined>;
  /** No scan is begun any more, and those under way are left. */
  stop(): void;
}

interface Current {
  engine: EngineProcess;
  ready: Promise<boolean>;
  scans: Map<string, (result: ScanResult | undefined) => void>;
}

/** Twice what a scan may take by its own budget. */
const SCAN_LIMIT_MS = 120_000;

/** One process serves many scans; one that ends takes its scans along, and the next scan starts another. */
export function createScanEngine(options: EngineOptions): ScanEngine {
  let current: Current | undefined;
  let isStopped = false;

  function begin(): Current {
    const engine = startEngine(options);
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const begun: Current = { engine, ready, scans: new Map() };
    void listen(begun, resolve);
    return begun;
  }

  async function listen(begun: Current, onReady: (isReady: boolean) => void): Promise<void> {
    for await (const { message } of begun.engine.received) {
      if (message.type === 'ready') onReady(true);
      else if (message.type !== 'scanned') begun.engine.kill('spoke out of turn');
      else begun.scans.get(message.scanId)?.(message.result);
    }
    onReady(false);
    if (current === begun) current = undefined;
    for (const end of begun.scans.values()) end(undefined);
  }

  return {
    async start() {
      current ??= begin();
      const { engine, ready } = current;
      if (!(await ready)) throw new Error(`the engine cannot be started: ${engine.endedBy()}`);
    },
    scan(order) {
      if (isStopped) return Promise.resolve(undefined);
      current ??= begin();
      const { engine, scans } = current;
      const { promise, resolve } = Promise.withResolvers<ScanResult | undefined>();
      const limit = setTimeout(() => engine.kill('time limit'), SCAN_LIMIT_MS);
      scans.set(order.scanId, resolve);
      engine.send({ type: 'scan', ...order });
      return promise.finally(() => {
        clearTimeout(limit);
        scans.delete(order.scanId);
      });
    },
    stop() {
      isStopped = true;
      current?.engine.kill('the node stops');
    },
  };
}
