import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { describeError } from './describe-error.ts';

interface Entry {
  description: string;
  load(): Promise<Command>;
}

/** Loaded only when asked for: `sortie --help` does not wait for the code of the server. */
const entries: Record<string, Entry> = {
  up: {
    description: 'run the service: database, API and workers',
    load: async () => (await import('./commands/up.ts')).upCommand(),
  },
  admin: {
    description: 'operate the service: accounts, users, members, keys, targets, credits, audit log',
    load: async () => (await import('./commands/admin/admin.ts')).adminCommand(),
  },
};

/** Answers the exit code. Does not exit by itself: output to a pipe would be cut off, and `up` goes on running. */
export async function main(argv: readonly string[]): Promise<number> {
  const asked = argv[0] === 'help' ? argv[1] : argv[0];
  const isJson = asked === 'admin' && argv.includes('--json');
  const program = await createProgram(asked);
  let path = program.name();
  program.hook('preAction', (_program, command) => {
    path = pathOf(command);
  });
  settle(program, isJson);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    return fail(error, { path, isJson });
  }
}

async function createProgram(asked: string | undefined): Promise<Command> {
  const program = new Command('sortie').description('Passive scans and AI pentests as a self-hosted service.');
  program.version(readVersion());
  for (const [name, { description, load }] of Object.entries(entries)) {
    program.addCommand(name === asked ? await load() : new Command(name).description(description));
  }
  return program;
}

function readVersion(): string {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version;
}

/** Commands made elsewhere do not take over their parent's settings, so each one is told. */
function settle(command: Command, isJson: boolean): void {
  command.exitOverride().showHelpAfterError(`See: ${pathOf(command)} --help`);
  command.configureHelp({ showGlobalOptions: true });
  if (isJson) command.configureOutput({ writeErr: () => undefined });
  for (const child of command.commands) settle(child, isJson);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

async function fail(error: unknown, { path, isJson }: { path: string; isJson: boolean }): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const described = await describeError(error);
  if (isJson) {
    const { code, message, field } = described;
    process.stdout.write(`${JSON.stringify({ error: { code, message, ...(field !== undefined && { field }) } })}\n`);
  } else if (!(error instanceof CommanderError)) {
    const hint = described.code === 'VALIDATION_ERROR' ? `See: ${path} --help\n` : '';
    process.stderr.write(`error: ${described.stack ?? described.message}\n${hint}`);
  }
  return 1;
}
