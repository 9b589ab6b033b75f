import { name as ciName, isCI } from 'ci-info';
import type { ColorMode } from '../terminal/paint.ts';
import { type CiFacts, readCiFacts } from './ci-facts.ts';

export interface Config {
  /** The database to use instead of the embedded one of the data folder. */
  databaseUrl: string | undefined;
  /** The operator's own levels and plans; the server reads the same file. */
  catalogueFile: string | undefined;
  /** Comma-separated non-public address ranges that a local scan may contact. */
  allowAddresses: string | undefined;
  /** Contact for questions about local scans. */
  contact: string | undefined;
  /** The base URL of the service, without the version. */
  baseUrl: string | undefined;
  apiKey: string | undefined;
  apiKeyFile: string | undefined;
  /** The run that a gate judges. */
  runId: string | undefined;
  /** The configuration folder of the user. */
  configHome: string | undefined;
  ci: CiFacts | undefined;
  /** The program that renders PDF. */
  chromium: string;
  /** Whether nobody interacts with the command: CI, or a terminal that cannot rewrite a line. */
  isUnattended: boolean;
  color: ColorMode;
  /** Started by npx, which does not forward signals. */
  isStartedByNpx: boolean;
}

/** The only place in this package that reads environment variables. An empty one counts as unset. */
export function readConfig(variables: NodeJS.ProcessEnv = process.env): Config {
  return {
    databaseUrl: variables.DATABASE_URL || undefined,
    catalogueFile: variables.SORTIE_CATALOGUE || undefined,
    allowAddresses: variables.SORTIE_ALLOW_ADDRESSES || undefined,
    contact: variables.SORTIE_CONTACT || undefined,
    baseUrl: variables.SORTIE_BASE_URL || undefined,
    apiKey: variables.SORTIE_API_KEY || undefined,
    apiKeyFile: variables.SORTIE_API_KEY_FILE || undefined,
    runId: variables.SORTIE_RUN_ID || undefined,
    configHome: variables.XDG_CONFIG_HOME || (variables.HOME && `${variables.HOME}/.config`) || undefined,
    ci: readCiFacts(variables),
    chromium: variables.SORTIE_CHROMIUM || '/usr/bin/chromium',
    isUnattended: isCI || variables.TERM === 'dumb',
    color: readColorMode(variables),
    isStartedByNpx: variables.npm_command === 'exec',
  };
}

/** NO_COLOR wins over FORCE_COLOR. Logs of known CI services show colours although their output is a pipe. */
function readColorMode(variables: NodeJS.ProcessEnv): ColorMode {
  if (variables.NO_COLOR || /^(?:0|false)$/.test(variables.FORCE_COLOR ?? '')) return 'never';
  if (variables.FORCE_COLOR !== undefined) return 'always';
  if (variables.TERM === 'dumb') return 'never';
  return isCI && ciName !== null ? 'unless-file' : 'terminal';
}
