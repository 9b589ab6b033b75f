import type { OwnershipOrder, OwnershipResult, ScanOrder, ToEngine } from '@sortie/engine';
import type { Scanned } from '../scans/scans.ts';
import { type EngineOptions, type EngineProcess, startEngine } from './engine-process.ts';

/** An engine process shared by scans and ownership checks. */
export interface ScanEngine {
  /** Resolves when the process is ready; throws if it cannot start. */
  start(): Promise<void>;
  /** Resolves to undefined if the engine ended before the scan did. */
  scan(order: Omit<ScanOrder, 'type'>): Promise<Scanned | undefined>;
  /** Resolves to undefined if the engine ended before the check did. */
  checkOwnership(order: Omit<OwnershipOrder, 'type'>): Promise<OwnershipResult | undefined>;
  /** Starts no more scans or checks, and abandons those in progress. */
  stop(): void;
}

interface Looks<Result> {
  begin(id: string): Promise<Result | undefined>;
  end(id: string, result: Result): void;
  endAll(): void;
}

function createLooks<Result>(): Looks<Result> {
  const waiting = new Map<string, (result: Result | undefined) => void>();
  return {
    begin(id) {
      const { promise, resolve } = Promise.withResolvers<Result | undefined>();
      waiting.set(id, resolve);
      return promise.finally(() => waiting.delete(id));
    },
    end: (id, result) => waiting.get(id)?.(result),
    endAll() {
      for (const end of waiting.values()) end(undefined);
    },
  };
}

interface Current {
  engine: EngineProcess;
  ready: Promise<boolean>;
  scans: Looks<Scanned>;
  checks: Looks<OwnershipResult>;
}

/** Twice the time budget of a scan or check. */
const CALL_LIMIT_MS = 120_000;

/**
 * Creates an engine shared by all calls. If its process ends, calls in progress resolve to undefined and the next call
 * restarts it.
 */
export function createScanEngine(options: EngineOptions): ScanEngine {
  let current: Current | undefined;
  let isStopped = false;

  function begin(): Current {
    const engine = startEngine(options, 'looks');
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    const begun: Current = { engine, ready, scans: createLooks(), checks: createLooks() };
    void listen(begun, resolve);
    return begun;
  }

  async function listen(begun: Current, onReady: (isReady: boolean) => void): Promise<void> {
    const { engine, scans, checks } = begun;
    for await (const { message } of engine.received) {
      if (message.type === 'ready') onReady(true);
      else if (message.type === 'scanned') scans.end(message.scanId, message);
      else if (message.type === 'owned') checks.end(message.checkId, message.result);
      else engine.kill('sent an unexpected message');
    }
    onReady(false);
    if (current === begun) current = undefined;
    scans.endAll();
    checks.endAll();
  }

  async function call<Result>(
    order: ToEngine,
    beginIn: (current: Current) => Promise<Result | undefined>,
  ): Promise<Result | undefined> {
    if (isStopped) return undefined;
    current ??= begin();
    const { engine } = current;
    const limit = setTimeout(() => engine.kill('time limit'), CALL_LIMIT_MS);
    const looking = beginIn(current);
    engine.send(order);
    return looking.finally(() => clearTimeout(limit));
  }

  return {
    async start() {
      current ??= begin();
      const { engine, ready } = current;
      if (!(await ready)) throw new Error(`the engine cannot be started: ${engine.endedBy()}`);
    },
    scan: (order) => call({ type: 'scan', ...order }, ({ scans }) => scans.begin(order.scanId)),
    checkOwnership: (order) => call({ type: 'ownership', ...order }, ({ checks }) => checks.begin(order.checkId)),
    stop() {
      isStopped = true;
      current?.engine.kill('the node stops');
    },
  };
}
