import { access, constants } from 'node:fs/promises';
import { browserCures } from '@sortie/engine';
import type { Config } from '../config.ts';
import { findSystemUser } from '../platform/system-user.ts';
import { tryBrowser } from '../worker/browser.ts';
import { createEngineFolders } from '../worker/engine-folder.ts';
import { findPrivileges, type Privileges, privilegeCures } from '../worker/privileges.ts';
import { type Diagnosis, passed } from './diagnosis.ts';

const name = 'browser';

/** Before the first start there is no user for engines yet, and Chromium has no sandbox for root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Starts the browser once, as engines do, and tells whether its sandbox works and how engines are isolated. */
export async function checkBrowser(config: Config): Promise<Diagnosis[]> {
  const privileges = await findPrivileges();
  return [await checkSandbox(config, privileges), judgePrivileges(privileges)];
}

async function checkSandbox({ environment, worker }: Config, privileges: Privileges): Promise<Diagnosis> {
  const { chromium, engineMemoryMegabytes: memoryMegabytes } = worker;
  const isThere = await access(chromium, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) return { name, state: 'warning', detail: `${chromium} is missing`, cure: browserCures.missing };
  const user = process.getuid?.() === 0 ? ((await findSystemUser('sortie-engine')) ?? NOBODY) : undefined;
  const folders = createEngineFolders();
  const outcome = await tryBrowser({ options: { user, folders, privileges, memoryMegabytes }, chromium });
  await folders.allRemoved();
  if (!outcome) {
    const cure = 'Start the service with SORTIE_LOG_LEVEL=debug, and look for "internal error in an engine".';
    return { name, state: 'failed', detail: 'the engine that tries it ended early', cure };
  }
  if (outcome.state === 'sandboxed') return passed(name, `${chromium} starts in its sandbox`);
  const isRefused = outcome.state === 'no sandbox' && environment === 'live';
  const detail = `${chromium}: ${outcome.state} ${outcome.detail}`.trim();
  return { name, state: isRefused ? 'failed' : 'warning', detail, cure: browserCures[outcome.state] };
}

function judgePrivileges({ setpriv, needSetuidHelper }: Privileges): Diagnosis {
  const warning = { name: 'privileges', state: 'warning' } as const;
  if (setpriv === null) {
    return { ...warning, detail: 'setpriv is missing: no_new_privs is not set', cure: privilegeCures['no setpriv'] };
  }
  if (!needSetuidHelper) return passed('privileges', 'engines and their browsers run with no_new_privs');
  const detail = "no_new_privs is not set for engines with a browser: the browser's sandbox needs its setuid helper";
  return { ...warning, detail, cure: privilegeCures['setuid helper'] };
}
