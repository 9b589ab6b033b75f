import type { Diagnosis, UpFlags } from '@sortie/server';
import { Command, Option } from 'commander';
import { readConfig } from '../settings/config.ts';
import { CommandEnd } from '../terminal/command-error.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { shown } from '../terminal/text.ts';

type DoctorOptions = UpFlags & { json?: boolean; color?: boolean };

export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('check this machine for everything the service needs')
    .option('--port <port>', 'port of the API (default: 4800)')
    .option('--ops-port <port>', 'port for health checks and metrics (default: 4802)')
    .option('--range-port <port>', 'port of the demo target (default: 4801)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--data <folder>', 'data folder (default: .sortie)')
    .addOption(new Option('--role <role>', 'role of this node (default: all)').choices(['all', 'api', 'worker']))
    .addOption(
      new Option('--environment <environment>', 'environment to check for (default: test)').choices(['test', 'live']),
    )
    .option('--json', 'print one JSON document on stdout')
    .option('--no-color', 'disable colors')
    .addHelpText(
      'after',
      '\nChanges nothing on this machine.\n\nExit codes:\n  0  the service can run\n  1  a check failed',
    )
    .action(async ({ json, color, ...flags }: DoctorOptions) => {
      const { diagnose } = await import('@sortie/server');
      const found = await diagnose(flags);
      const paint = createPaint(process.stdout, color === false ? 'never' : readConfig().color);
      const document = { schema: 'sortie.doctor/1', checks: found };
      process.stdout.write(json ? `${JSON.stringify(document)}\n` : found.map((one) => line(one, paint)).join(''));
      if (found.some(({ state }) => state === 'failed')) throw new CommandEnd(1);
    });

const NAME_WIDTH = 'name server'.length;

function line({ name, state, detail, cure }: Diagnosis, paint: Paint): string {
  const mark = { ok: paint.good('✓'), warning: paint.unsure('!'), failed: paint.bad('✗') }[state];
  const next = cure === null ? '' : `${' '.repeat(NAME_WIDTH + 4)}${cure}\n`;
  return `${mark} ${name.padEnd(NAME_WIDTH)}  ${shown(detail)}\n${next}`;
}
