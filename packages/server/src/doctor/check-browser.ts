import { access, constants } from 'node:fs/promises';
import { type BrowserOutcome, browserCures, NETWORK_CURE } from '@sortie/engine';
import type { Config } from '../config/config.ts';
import { findSystemUser } from '../platform/system-user.ts';
import { tryBrowser } from '../worker/browser.ts';
import { createEngineFolders } from '../worker/engine-folder.ts';
import { findPrivileges, type Privileges, privilegeCures } from '../worker/privileges.ts';
import { type Diagnosis, passed } from './diagnosis.ts';

const name = 'browser';

/** Before the first start, the engines' user does not exist yet, and Chromium has no sandbox for root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Starts the browser once, as engines do. Resolves to whether its sandbox works and how engines are isolated. */
export async function checkBrowser(config: Config): Promise<Diagnosis[]> {
  const { chromium, engineMemoryMegabytes: memoryMegabytes } = config.worker;
  const privileges = await findPrivileges();
  const isThere = await access(chromium, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const missing = { name, state: 'warning', detail: `${chromium} is missing`, cure: browserCures.missing } as const;
    return [missing, judgePrivileges(privileges)];
  }
  const user = process.getuid?.() === 0 ? ((await findSystemUser('sortie-engine')) ?? NOBODY) : undefined;
  const folders = createEngineFolders();
  const outcome = await tryBrowser({ options: { user, folders, privileges, memoryMegabytes }, chromium });
  await folders.allRemoved();
  return [judgeSandbox(config, outcome), ...judgeNetwork(outcome), judgePrivileges(privileges)];
}

function judgeSandbox({ environment, worker: { chromium } }: Config, outcome: BrowserOutcome | undefined): Diagnosis {
  if (!outcome) {
    const cure = 'Start the service with SORTIE_LOG_LEVEL=debug, and look for "internal error in an engine".';
    return { name, state: 'failed', detail: 'the engine that starts it for this check ended early', cure };
  }
  if (outcome.state === 'sandboxed') return passed(name, `${chromium} starts in its sandbox`);
  const isRefused = outcome.state === 'no sandbox' && environment === 'live';
  const detail = `${chromium}: ${outcome.state} ${outcome.detail}`.trim();
  return { name, state: isRefused ? 'failed' : 'warning', detail, cure: browserCures[outcome.state] };
}

/** Returns nothing if no browser starts. */
function judgeNetwork(outcome: BrowserOutcome | undefined): Diagnosis[] {
  const isOffNetwork = outcome?.isOffNetwork ?? null;
  if (isOffNetwork === null) return [];
  if (isOffNetwork) return [passed('namespace', 'the browser has an empty network namespace')];
  const detail = 'the browser has no network namespace of its own: a page may send mDNS packets';
  return [{ name: 'namespace', state: 'warning', detail, cure: NETWORK_CURE }];
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
