import { Command, CommanderError } from 'commander';
import { pathOf } from './command-path.ts';
import { CommandEnd, CommandError } from './terminal/command-error.ts';
import { type DescribedError, describeError } from './terminal/describe-error.ts';
import { readVersion } from './version.ts';

interface Entry {
  description: string;
  load(): Promise<Command>;
  /** Exit code for usage errors; 1 by default. */
  usageExitCode?: number;
  /** Whether its JSON documents, including errors, name their schema. */
  isVersioned?: boolean;
}

/** Defaults of the commands that call the service. */
const api = { usageExitCode: 2, isVersioned: true };

/** Loaded lazily: `sortie --help` does not load the server. */
const entries: Record<string, Entry> = {
  up: {
    description: 'run the service: database, API and workers',
    load: async () => (await import('./commands/up.ts')).upCommand(),
  },
  scan: {
    ...api,
    description: 'run a passive scan, on the service or from this machine',
    load: async () => (await import('./commands/scan/scan.ts')).scanCommand(),
  },
  demo: {
    description: 'show or reset the demo account',
    load: async () => (await import('./commands/demo.ts')).demoCommand(),
  },
  pentest: {
    ...api,
    description: 'start, watch and cancel pentests of verified targets, and list findings',
    load: async () => (await import('./commands/pentest/pentest.ts')).pentestCommand(),
  },
  finding: {
    ...api,
    description: 'show a finding of a pentest with its evidence',
    load: async () => (await import('./commands/finding/finding.ts')).findingCommand(),
  },
  gate: {
    ...api,
    description: 'wait for a pentest and pass or fail the pipeline by a policy',
    load: async () => (await import('./commands/gate/gate.ts')).gateCommand(),
  },
  login: {
    ...api,
    description: 'get an API key by approval in the browser, or store yours',
    load: async () => (await import('./commands/login/login.ts')).loginCommand(),
  },
  logout: {
    ...api,
    description: 'remove the stored API key, and revoke it if you want',
    load: async () => (await import('./commands/logout.ts')).logoutCommand(),
  },
  config: {
    ...api,
    description: 'show and change settings of this project and user',
    load: async () => (await import('./commands/config.ts')).configCommand(),
  },
  credentials: {
    ...api,
    description: 'validate test accounts for pentests behind a login',
    load: async () => (await import('./commands/credentials.ts')).credentialsCommand(),
  },
  ci: {
    ...api,
    description: 'print pipeline files for GitHub Actions, GitLab CI and others',
    load: async () => (await import('./commands/ci.ts')).ciCommand(),
  },
  completion: {
    ...api,
    description: 'print a shell completion script',
    load: async () => (await import('./commands/completion.ts')).completionCommand(() => createProgram(() => true)),
  },
  api: {
    ...api,
    description: 'send an API request and print the raw response',
    load: async () => (await import('./commands/api.ts')).apiCallCommand(),
  },
  report: {
    ...api,
    description: 'write the report of a pentest or scan as SARIF, JUnit, HTML, PDF, …',
    load: async () => (await import('./commands/report.ts')).reportCommand(),
  },
  target: {
    ...api,
    description: 'show the targets that this API key can test',
    load: async () => (await import('./commands/target/target.ts')).targetCommand(),
  },
  whoami: {
    ...api,
    description: 'show the API key and account in use, and the permissions of the key',
    load: async () => (await import('./commands/whoami.ts')).whoamiCommand(),
  },
  credits: {
    ...api,
    description: 'show the credit balance and history',
    load: async () => (await import('./commands/credits.ts')).creditsCommand(),
  },
  doctor: {
    description: 'check this machine for everything the service needs',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  },
  mcp: {
    ...api,
    description: 'run an MCP server on stdin and stdout for AI assistants',
    load: async () => (await import('./commands/mcp/mcp.ts')).mcpCommand(),
  },
  admin: {
    description: 'operate the service: accounts, keys, targets, credits, runs, reviews, audit log',
    load: async () => (await import('./commands/admin/admin.ts')).adminCommand(),
  },
};

/** Resolves to the exit code. Does not exit itself: that would truncate output to a pipe, and `up` keeps running. */
export async function main(argv: readonly string[]): Promise<number> {
  const asked = argv[0] === 'help' ? argv[1] : argv[0];
  const isJson = asked !== 'up' && argv.includes('--json');
  handleOutputErrors(asked);
  const program = await createProgram((name) => name === asked);
  let asking = program;
  program.hook('preAction', (_program, command) => {
    asking = command;
  });
  settle(program, isJson);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (asked === 'up' && isAboutTooManyArguments(error)) process.stderr.write(FLAGS_OF_NPM_START);
    const entry = entries[asked ?? ''];
    // Local scans print documents of the API, which have no schema field.
    const isLocal = asked === 'scan' && (argv.includes('--local') || argv[1] === 'replay');
    await fail(error, asking, { isJson, isVersioned: entry?.isVersioned === true && !isLocal });
    return exitCodeOf(error, entry);
  }
}

/**
 * A closed pipe (`sortie --help | head -1`) changes neither the command nor its exit code. After any other error the
 * output is lost, as on a full disk: the command ends, except `up`, which keeps serving.
 */
function handleOutputErrors(asked: string | undefined): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || asked === 'up') return;
      if (stream === process.stdout) process.stderr.write(`error: The output cannot be written: ${error.message}\n`);
      process.exit(exitCodeOf(error, entries[asked ?? '']));
    });
  }
}

/** In `npm start --port 4900`, npm consumes the flag and passes on the 4900. */
const FLAGS_OF_NPM_START = 'Pass flags of npm start after "--": npm start -- --port 4900\n';

function isAboutTooManyArguments(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.excessArguments';
}

/** Returns the command tree. Commands that are not asked for have only a name and a description. */
export async function createProgram(isAsked: (name: string) => boolean): Promise<Command> {
  const program = new Command('sortie').description('Passive scans and pentests as a self-hosted service.');
  program.version(readVersion()).enablePositionalOptions();
  for (const [name, { description, load }] of Object.entries(entries)) {
    program.addCommand(isAsked(name) ? await load() : new Command(name).description(description));
  }
  return program;
}

/** Configures each command, because commands created elsewhere do not inherit the settings of their parent. */
function settle(command: Command, isJson: boolean): void {
  command.exitOverride().showHelpAfterError(helpHint(command));
  command.configureHelp({ showGlobalOptions: true, ...command.configureHelp() });
  if (isJson) command.configureOutput({ writeErr: () => undefined });
  for (const child of command.commands) settle(child, isJson);
}

/** With npx, because a locally installed command is not on the PATH. */
function helpHint(command: Command): string {
  return `See: npx ${pathOf(command)} --help`;
}

function exitCodeOf(error: unknown, entry: Entry | undefined): number {
  if (error instanceof CommandError || error instanceof CommandEnd) return error.exitCode;
  // Never 1, which means a failed gate: nothing was judged.
  if (!(error instanceof CommanderError)) return entry?.isVersioned ? 8 : 1;
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.unknownCommand') return 2;
  return entry ? (entry.usageExitCode ?? 1) : 2;
}

interface Manner {
  isJson: boolean;
  isVersioned: boolean;
}

async function fail(error: unknown, asking: Command, { isJson, isVersioned }: Manner): Promise<void> {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  if (error instanceof CommandEnd) return;
  const described = await describeError(error);
  if (isJson) {
    const { code, message, field } = described;
    const document = error instanceof CommandError ? error.document : undefined;
    const told = { code, message, ...(field !== undefined && { field }) };
    const answer = document ?? (isVersioned ? { schema: 'sortie.error/1', ...told } : { error: told });
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  } else if (!(error instanceof CommanderError)) {
    const hint = described.code === 'VALIDATION_ERROR' ? `${helpHint(asking)}\n` : '';
    process.stderr.write(`error: ${described.stack ?? namingFlag(described, asking)}\n${hint}`);
  }
}

/** Replaces the field name at the start of a message by its flag, which users know. */
function namingFlag({ message, field }: DescribedError, asking: Command): string {
  const flag = asking.options.find((option) => option.attributeName() === field)?.long;
  return flag && message.startsWith(`${field} `) ? message.replace(`${field}`, flag) : message;
}
