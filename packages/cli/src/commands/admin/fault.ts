import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function faultCommand(): Command {
  const fault = new Command('fault').description('inject faults to test clients (environment test)');
  fault
    .command('handover')
    .description('fail starts with 500 after the run is created and before it is queued')
    .option('--fail-next <number>', 'number of starts that fail from now on; 0 stops it (required)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.fault.handover(options),
        ({ failNext }) => fields({ 'starts that will fail': failNext }),
      ),
    );
  fault
    .command('engine')
    .description('replace the engine of future runs by a script')
    .option('--script <file>', 'JSON file with phases, durations, findings and crashes, or none (required)')
    .option('--account <id>', 'only for runs of this account (default: accounts without their own script)')
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
