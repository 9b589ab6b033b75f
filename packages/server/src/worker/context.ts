import type { KeyObject } from 'node:crypto';
import type { Network } from '@sortie/engine';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../platform/log.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import type { BrowserTrial } from './browser.ts';
import type { EngineOptions } from './engine-process.ts';
import type { ScanEngine } from './scan-engine.ts';

/** What all work of a node has in common. */
export interface WorkerContext {
  database: Database;
  config: Config['worker'];
  network: Network;
  vaultKeys: VaultKeys;
  /** Seals the names that targets are made to call. */
  listenerKey: KeyObject;
  log: Log;
  options: EngineOptions;
  scanEngine: ScanEngine;
  /** For ownership checks: what a scan runs into must not touch the runs of others. */
  checkEngine: ScanEngine;
  /** The worker's name. */
  owner: string;
  chromium: string | null;
  browserTrial: BrowserTrial;
  isStopping(): boolean;
}

/** So often in a row at the same step, and it is not bad luck. */
export const MAX_ATTEMPTS = 5;
