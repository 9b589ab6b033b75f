import type { ModelsCheck } from './admin/model.ts';
import type { UpFlags } from './config/variables.ts';
import type { Diagnosis } from './doctor/diagnosis.ts';
import type { Programs, RunningServer } from './start-server.ts';

export type { Account, Member } from './accounts/accounts.ts';
export { type Admin, openAdmin } from './admin/admin.ts';
export type { ModelsCheck } from './admin/model.ts';
export type { AuditEntry } from './audit/audit.ts';
export { defaultCatalogue, readCatalogue } from './billing/catalogue.ts';
export type { UpFlags } from './config/variables.ts';
export { findEmbeddedPostgres } from './db/embedded/start.ts';
export type { DemoReset, DemoStatus } from './demo/commands.ts';
export { openDemo } from './demo/commands.ts';
export type { Diagnosis } from './doctor/diagnosis.ts';
export { AppError } from './errors/app-error.ts';
export { StartupError } from './errors/startup-error.ts';
export type { Key } from './keys/keys.ts';
export type { RunningServer } from './start-server.ts';

/** Checks the requirements of `sortie up` with the same flags. */
export async function diagnose(flags: UpFlags): Promise<Diagnosis[]> {
  return (await import('./doctor/diagnose.ts')).diagnose(flags);
}

/** Sends one small call to each model that the environment configures. */
export async function checkModels(): Promise<ModelsCheck> {
  return (await import('./admin/model.ts')).checkModels();
}

/**
 * Starts the server. Imported on demand, because operator commands use this package too and should not load the web
 * server.
 */
export async function startServer(
  flags: UpFlags,
  ending: AbortController,
  programs: Programs = {},
): Promise<RunningServer> {
  const server = await import('./start-server.ts');
  return server.startServer(flags, ending, programs);
}
