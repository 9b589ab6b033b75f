import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';

export interface DashboardContext {
  database: Database;
  config: Config;
}
