import path from 'node:path';
import type { DemoReset, DemoStatus } from '@sortie/server';
import { Command } from 'commander';
import { readConfig } from '../settings/config.ts';
import { CommandError } from '../terminal/command-error.ts';
import { fields } from '../terminal/text.ts';

interface DemoOptions {
  data: string;
  json?: boolean;
}

export function demoCommand(): Command {
  const demo = new Command('demo')
    .description('show or reset the demo account (environment test)')
    .option('--data <folder>', 'data folder of the server', '.sortie')
    .option('--json', 'print one JSON document on stdout, errors included');
  demo
    .command('status')
    .description('show the server, the demo account, its credits and its target')
    .action((_options, command: Command) => status(command.optsWithGlobals<DemoOptions>()));
  demo
    .command('reset')
    .description('close the demo account, cancel its pentests and create a new account')
    .action((_options, command: Command) => reset(command.optsWithGlobals<DemoOptions>()));
  return demo;
}

async function status(options: DemoOptions): Promise<void> {
  const demo = await open(options);
  try {
    print(options, await demo.status(), statusText);
  } finally {
    await demo.close();
  }
}

async function reset(options: DemoOptions): Promise<void> {
  const demo = await open(options);
  try {
    const done = await demo.reset();
    if (!done) throw notRunning(path.resolve(options.data));
    print(options, done, resetText);
  } finally {
    await demo.close();
  }
}

async function open({ data }: DemoOptions) {
  const { findEmbeddedPostgres, openDemo, readCatalogue } = await import('@sortie/server');
  const { databaseUrl, catalogueFile } = readConfig();
  const dataDir = path.resolve(data);
  const connection = databaseUrl ? { connectionString: databaseUrl } : await findEmbeddedPostgres(dataDir);
  return openDemo({ connection, dataDir, catalogue: readCatalogue(catalogueFile) });
}

function notRunning(dataDir: string): CommandError {
  const message =
    `No server is running on the data folder ${dataDir}. Start it with "npm start", ` +
    'or pass the data folder of the running server with --data.';
  return new CommandError(message, { code: 'NOT_FOUND', exitCode: 1 });
}

function print<T extends object>({ json }: DemoOptions, answer: T, toText: (answer: T) => string): void {
  process.stdout.write(json ? `${JSON.stringify({ schema: 'sortie.demo/1', ...answer })}\n` : toText(answer));
}

function statusText({ running, baseUrl, dataDir, accountId, apiKeyTail, ...details }: DemoStatus): string {
  const { apiKeyWorks, email, credits, target } = details;
  const key = apiKeyTail && `ends with ${apiKeyTail}${apiKeyWorks === false ? ', no longer valid' : ''}`;
  return fields({
    server: running ? `running at ${baseUrl}` : 'not running; start it with: npm start',
    data: dataDir,
    account: accountId ?? 'none yet',
    'api key': key && `${key} (full key in ${path.join(dataDir, 'demo.json')})`,
    'sign in': email && `${email} (a link to set a new password: npx sortie admin user link --user ${email})`,
    credits: credits && `${credits.available} available, ${credits.held} held`,
    target: target && `${target.url} (verification ${target.verificationId}, valid until ${target.expiresAt})`,
  });
}

function resetText({ accountId, apiKey, former, targets, signIn }: DemoReset): string {
  const cancelled = `pentests cancelled: ${former.cancelledPentests}`;
  return [
    `Demo account ${former.accountId} is closed, and its API key no longer works (${cancelled}).`,
    `Its data stays in the database. The new demo account ${accountId} has new credits and:`,
    '',
    ...targets.map(({ url, verificationId }) => `  Target ${url} (verification ${verificationId})`),
    '',
    ...(signIn ? signInLines(signIn) : []),
    `  export SORTIE_API_KEY=${apiKey}`,
    '',
  ].join('\n');
}

/** The lines that tell how to sign in to the dashboard. */
export function signInLines({ email, password, link }: NonNullable<DemoReset['signIn']>): string[] {
  return [
    `  Open       ${link}`,
    '             It signs you in to the dashboard, once and within a day. Later:',
    `  E-mail     ${email}`,
    ...(password === null ? [] : [`  Password   ${password} (not shown again)`]),
    '',
  ];
}
