import { usageError } from '../terminal/command-error.ts';

/** The settings that a file may contain, with their descriptions. */
export const settingNames = {
  baseUrl: 'base URL of the service, without /v1',
  target: 'URL that pentests test',
  verificationId: 'verification id of the target',
  depth: 'level of a pentest: LEAD, STANDARD or DEEP',
  'gate.failOn': 'lowest severity that fails a gate',
  'gate.minConfidence': 'lowest confidence that fails a gate',
  'gate.maxFindings': 'number of such findings that a gate tolerates',
  'gate.acceptUntested': 'comma-separated check groups that may be untested when a gate passes',
  'gate.maxWait': 'maximum time that a gate waits',
} as const;

export type SettingName = keyof typeof settingNames;

export type SettingValues = Partial<Record<SettingName, string>>;

const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingNames, name);

/** Names that indicate a secret. API keys are also recognized by their value. */
const SECRET_NAME = /key|token|secret|pass|credential|cookie|authorization/i;
const SECRET_VALUE = /srt_(?:live|test)_/;

/** Throws a usage error for secrets in settings: the project file is committed and shared. */
export function refuseSecret(file: string, name: string, value: string): void {
  if (!SECRET_NAME.test(name) && !SECRET_VALUE.test(value)) return;
  throw usageError(
    `${file} must not contain keys or passwords (${name}). ` +
      'Run "npx sortie login", or set SORTIE_API_KEY from a secret of the pipeline.',
  );
}

export function readSettingName(name: string): SettingName {
  if (isSettingName(name)) return name;
  throw usageError(`${name} is not a setting. Settings: ${Object.keys(settingNames).join(', ')}`);
}

/** Returns the URL in its normal form, without a trailing slash. */
export function readBaseUrl(source: string, text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain) return (url.origin + url.pathname).replace(/\/+$/, '');
  throw usageError(`${source} must be an http or https URL without user info, query or fragment`);
}
