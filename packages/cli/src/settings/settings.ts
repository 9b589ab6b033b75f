import { readFileSync } from 'node:fs';
import { CommandError, usageError } from '../terminal/command-error.ts';
import type { Config } from './config.ts';
import { readBaseUrl, type SettingName, type SettingValues } from './setting-names.ts';
import { PROJECT_FILE, readProjectFile, readUserFile } from './settings-files.ts';

interface Setting {
  value: string;
  /** Where the value was found, for display. */
  source: string;
}

interface FlagsOfSettings extends SettingValues {
  apiKeyFile?: string | undefined;
}

export interface Settings {
  get(name: SettingName): Setting | undefined;
  baseUrl: Setting;
  /** Undefined if none is configured. */
  apiKey: Setting | undefined;
  /** Whether only the project file sets the address, which the key's owner may not have chosen. */
  isAddressOfProject: boolean;
  /** Whether the key was stored for this address. */
  isKeyOfAddress: boolean;
}

const DEFAULT_BASE_URL = 'http://127.0.0.1:4800';

/** Flags win over the environment, the environment over the project file, and that over the user file. */
export function readSettings(config: Config, flags: FlagsOfSettings = {}): Settings {
  const project = readProjectFile();
  const user = readUserFile(config.configHome);
  const sources: [string, SettingValues][] = [
    ['flag', flags],
    ['SORTIE_BASE_URL', config.baseUrl === undefined ? {} : { baseUrl: config.baseUrl }],
    [PROJECT_FILE, project.values],
    [user.name, user.values],
  ];
  const get = (name: SettingName): Setting | undefined => {
    const found = sources.find(([, values]) => values[name] !== undefined);
    return found && { value: found[1][name] ?? '', source: found[0] };
  };
  const given = get('baseUrl') ?? { value: DEFAULT_BASE_URL, source: 'default' };
  const source = given.source === 'flag' ? '--base-url' : `baseUrl (${given.source})`;
  const baseUrl = { ...given, value: readBaseUrl(source, given.value) };
  const apiKey = findKey(config, flags.apiKeyFile, user, baseUrl.value);
  const withoutProject = user.values.baseUrl ?? DEFAULT_BASE_URL;
  return {
    get,
    baseUrl,
    apiKey,
    isAddressOfProject:
      baseUrl.source === PROJECT_FILE && baseUrl.value !== readBaseUrl(`baseUrl (${user.name})`, withoutProject),
    isKeyOfAddress: apiKey !== undefined && apiKey.value === user.keys[baseUrl.value]?.trim(),
  };
}

/**
 * Otherwise anyone who can change a project file could redirect the API keys of all its users to a server of their own.
 */
export function refuseAddressOfProject({ baseUrl, isAddressOfProject }: Settings, key: string): void {
  if (!isAddressOfProject) return;
  throw usageError(
    `${key} is not sent to ${baseUrl.value}, because only ${PROJECT_FILE} sets this base URL. ` +
      'If it is correct, pass it with --base-url or SORTIE_BASE_URL',
  );
}

function findKey(
  config: Config,
  flag: string | undefined,
  user: ReturnType<typeof readUserFile>,
  baseUrl: string,
): Setting | undefined {
  if (flag !== undefined) return { value: readKeyFile('--api-key-file', flag), source: '--api-key-file' };
  if (config.apiKey !== undefined) return { value: readKey('SORTIE_API_KEY', config.apiKey), source: 'SORTIE_API_KEY' };
  if (config.apiKeyFile !== undefined) {
    return { value: readKeyFile('SORTIE_API_KEY_FILE', config.apiKeyFile), source: 'SORTIE_API_KEY_FILE' };
  }
  const stored = user.keys[baseUrl];
  return stored === undefined ? undefined : { value: readKey(user.name, stored), source: user.name };
}

/** `-` means stdin. */
function readKeyFile(source: string, name: string): string {
  try {
    return readKey(source, readFileSync(name === '-' ? 0 : name, 'utf8'));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`${source}: ${name} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** Errors do not repeat the text, which may be another secret. */
export function readKey(source: string, text: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw usageError(`${source} must be one API key: visible characters without spaces`);
}

/** The last four characters, enough to tell keys apart. */
export const keyTail = (key: string): string => `…${key.slice(-4)}`;
