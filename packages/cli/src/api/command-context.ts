import type { Client, Fetch, Retry } from '@sortie/sdk';
import { type Config, readConfig } from '../settings/config.ts';
import { readSettings, refuseAddressOfProject, type Settings } from '../settings/settings.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { createShowTime, type ShowTime } from '../terminal/show-time.ts';
import { shown } from '../terminal/text.ts';
import { exitCodes, explain } from './explain-failure.ts';
import { retryText } from './retry-text.ts';
import { createWaitClock, type WaitClock } from './wait-clock.ts';

/** The flags of every command that calls the service. */
export interface ApiOptions {
  baseUrl?: string;
  apiKeyFile?: string;
  json?: boolean;
  quiet?: boolean;
  color?: boolean;
  utc?: boolean;
  debug?: boolean;
}

/** A JSON document whose `schema` names its format; within a schema fields may be added, but not removed. */
export interface VersionedDocument {
  schema: string;
  [field: string]: unknown;
}

/** The context of a command: its settings, an API client and its output. */
export interface Shell {
  config: Config;
  settings: Settings;
  isJson: boolean;
  isQuiet: boolean;
  /** Whether stderr is an interactive terminal, so that a line can be rewritten. */
  isAnimated: boolean;
  /** Colours for stdout. */
  paint: Paint;
  /** Formats timestamps for a terminal; in a pipe they stay as the API returns them. */
  showTime: ShowTime;
  clock: WaitClock;
  client(): Promise<Client>;
  /** Prints the JSON document of the command, or its text. */
  print(document: VersionedDocument, toText: () => string): void;
  /** Writes a message to stderr, unless --quiet is given. */
  say(line: string): void;
}

export function openShell(options: ApiOptions): Shell {
  const config = readConfig();
  const { baseUrl, apiKeyFile } = options;
  const settings = readSettings(config, { ...(baseUrl === undefined ? {} : { baseUrl }), apiKeyFile });
  const isJson = options.json ?? false;
  const isQuiet = options.quiet ?? false;
  const clock = createWaitClock();
  const say = (line: string) => isQuiet || process.stderr.write(`${shown(line)}\n`);
  return {
    config,
    settings,
    isJson,
    isQuiet,
    isAnimated: process.stderr.isTTY === true && !config.isUnattended && !isQuiet,
    paint: createPaint(process.stdout, options.color === false ? 'never' : config.color),
    showTime: createShowTime(options.utc === true || process.stdout.isTTY !== true),
    clock,
    client: async () => {
      const { createClient } = await import('@sortie/sdk');
      const apiKey = requireKey(settings);
      if (isReadableByOthers(settings.baseUrl.value))
        say('Warning: the API key is sent unencrypted, because the base URL is http://. Use https://.');
      const fetch = options.debug ? { fetch: debuggingFetch } : {};
      const onRetry = (retry: Retry) => say(retryText(retry));
      return createClient({ baseUrl: settings.baseUrl.value, apiKey, clock, onRetry, ...fetch });
    },
    print: (document, toText) => process.stdout.write(isJson ? `${JSON.stringify(document)}\n` : toText()),
    say,
  };
}

const isReadableByOthers = (baseUrl: string) =>
  /^http:\/\/(?!(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?::\d+)?(?:\/|$))/.test(baseUrl);

export function requireKey(settings: Settings): string {
  const { apiKey, baseUrl, isKeyOfAddress } = settings;
  if (apiKey && !isKeyOfAddress) refuseAddressOfProject(settings, `The API key from ${apiKey.source}`);
  if (apiKey) return apiKey.value;
  throw explain({
    doing: 'Not logged in',
    why: `no API key for ${baseUrl.value}`,
    hint: 'Run "npx sortie login", or set SORTIE_API_KEY or SORTIE_API_KEY_FILE.',
    code: 'NO_API_KEY',
    exitCode: exitCodes.noKey,
  });
}

/** Logs method, URL, status and duration. Never keys or bodies: bodies may contain passwords. */
const debuggingFetch: Fetch = async (url, init) => {
  const startedAt = performance.now();
  const answer = await fetch(url, init);
  const took = Math.round(performance.now() - startedAt);
  const request = answer.headers.get('x-request-id') ?? 'no request id';
  process.stderr.write(`debug: ${init.method} ${shown(url)} ${answer.status} in ${took} ms (${shown(request)})\n`);
  return answer;
};
