import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function faultCommand(): Command {
  const fault = new Command('fault').description('order failures, to see how clients take them (environment test)');
  fault
    .command('handover')
    .description('make starts fail with a 500 after their run was created and before it is in the queue')
    .option('--fail-next <number>', 'how many from now on; 0 takes an order back (required)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.fault.handover(options),
        ({ failNext }) => fields({ 'hand-overs that will fail': failNext }),
      ),
    );
  fault
    .command('engine')
    .description('let the engine play a script instead of testing, for runs that are picked up from now on')
    .option('--script <file>', 'a JSON file with phases, durations, findings and crashes, or none (required)')
    .option('--account <id>', 'only for the runs of this account (default: all without a script of their own)')
    .action(({ script, ...options }, command) =>
      runAdmin(
        command,
        async (admin) => admin.fault.engine({ ...options, ...(await readScript(script)) }),
        ({ account, steps }) => fields({ account: account ?? 'all', steps: steps ?? 'no script' }),
      ),
    );
  return fault;
}

async function readScript(file: string | undefined): Promise<{ script: string } | undefined> {
  if (file === undefined) return undefined;
  if (file === 'none') return { script: 'none' };
  try {
    return { script: await readFile(file, 'utf8') };
  } catch (cause) {
    const { AppError } = await import('@sortie/server');
    const message = `script cannot be read: ${(cause as Error).message}`;
    throw new AppError('VALIDATION_ERROR', { field: 'script', message, cause });
  }
}
