import { type Config, readConfig } from '../config/config.ts';
import type { UpFlags } from '../config/variables.ts';
import { checkAuthorities } from './check-authorities.ts';
import { checkBrowser } from './check-browser.ts';
import { checkDatabase } from './check-database.ts';
import { checkDisk, checkMemory, checkNameServers, checkServicePorts } from './check-machine.ts';
import { checkMail } from './check-mail.ts';
import { checkSignOn } from './check-sign-on.ts';
import { type Diagnosis, passed, reasonOf } from './diagnosis.ts';

/**
 * Checks the requirements of `sortie up` with the same flags. Changes nothing, and reports problems without throwing.
 */
export async function diagnose(flags: UpFlags, variables?: NodeJS.ProcessEnv): Promise<Diagnosis[]> {
  const config = readSettings(flags, variables);
  if ('state' in config) return [config];
  const found = await Promise.all([
    checkDatabase(config),
    checkServicePorts(config),
    checkDisk(config),
    checkNameServers(config),
    checkAuthorities(config),
    checkMail(config),
    checkSignOn(config),
    ...(config.role === 'api' ? [] : [checkMemory(config), checkBrowser(config)]),
  ]);
  return [passed('settings', `environment ${config.environment}, role ${config.role}`), ...found.flat()];
}

function readSettings(flags: UpFlags, variables: NodeJS.ProcessEnv | undefined): Config | Diagnosis {
  try {
    return readConfig(flags, variables);
  } catch (error) {
    const cure = 'Correct the setting that the message names; docs/operating.md lists all of them.';
    return { name: 'settings', state: 'failed', detail: reasonOf(error), cure };
  }
}
