import type { ScanOrder, ScanResult } from '@sortie/engine';
import { type EngineOptions, type EngineProcess, startEngine } from './engine-process.ts';

export interface ScanEngine {
  /** Undefined when the engine ended before the scan did. */
  scan(order: Omit<ScanOrder, 'type'>): Promise<ScanResult | undefined>;
  stop(): void;
}

interface Current {
  engine: EngineProcess;
  scans: Map<string, (result: ScanResult | undefined) => void>;
}

/** Twice what a scan may take by its own budget. */
const SCAN_LIMIT_MS = 120_000;

/** One process serves many scans; one that ends takes its scans along, and the next scan starts another. */
export function createScanEngine(options: EngineOptions, limitMs = SCAN_LIMIT_MS): ScanEngine {
  let current: Current | undefined;
  let isStopped = false;

  function start(): Current {
    const started: Current = { engine: startEngine(options), scans: new Map() };
    void listen(started);
    return started;
  }

  async function listen(started: Current): Promise<void> {
    for await (const { message } of started.engine.received) {
      if (message.type !== 'scanned') continue;
      started.scans.get(message.scanId)?.(message.result);
      started.scans.delete(message.scanId);
    }
    if (current === started) current = undefined;
    for (const end of started.scans.values()) end(undefined);
  }

  return {
    scan(order) {
      if (isStopped) return Promise.resolve(undefined);
      current ??= start();
      const { engine, scans } = current;
      return new Promise((resolve) => {
        const limit = setTimeout(() => engine.kill(), limitMs);
        scans.set(order.scanId, (result) => {
          clearTimeout(limit);
          resolve(result);
        });
        engine.send({ type: 'scan', ...order });
      });
    },
    stop() {
      isStopped = true;
      current?.engine.kill();
    },
  };
}
