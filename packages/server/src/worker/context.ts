import type { KeyObject } from 'node:crypto';
import type { Network } from '@sortie/engine';
import type { ModelSettings } from '../billing/model-settings.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Log } from '../platform/log.ts';
import type { VaultKeys } from '../secrets/service-secrets.ts';
import type { BrowserTrial } from './browser.ts';
import type { EngineOptions } from './engine-process.ts';
import type { ScanEngine } from './scan-engine.ts';

/** Dependencies shared by all work of a node. */
export interface WorkerContext {
  database: Database;
  config: Config['worker'];
  models: ModelSettings;
  network: Network;
  vaultKeys: VaultKeys;
  lostVaultKeys: readonly string[];
  /** Seals the names of callbacks that payloads cause targets to contact. */
  listenerKey: KeyObject;
  log: Log;
  options: EngineOptions;
  scanEngine: ScanEngine;
  /**
   * A separate engine for ownership checks, so that a scan that crashes its engine does not affect the runs of others.
   */
  checkEngine: ScanEngine;
  /** The worker's name, stored as the owner of its leases. */
  owner: string;
  chromium: string | null;
  browserTrial: BrowserTrial;
  isStopping(): boolean;
}

/** Number of consecutive failed attempts at the same step after which a run is given up. */
export const MAX_ATTEMPTS = 5;
