import type { AuditEntry } from '@sortie/server';
import { Command } from 'commander';
import { table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function auditCommand(): Command {
  const audit = new Command('audit').description('show the audit log');
  audit
    .command('list')
    .description('list audit records, newest first')
    .option('--account <id>', 'only this account')
    .option('--limit <number>', 'maximum number (default: 50, up to 1000)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.audit.list(options),
        ({ entries }) => entriesText(entries),
      ),
    );
  return audit;
}

function entriesText(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ at, actor, action, accountId, subject, details }) => {
    return [at, actor, action, accountId, subject, JSON.stringify(details)];
  });
  return table(['at', 'actor', 'action', 'account', 'subject', 'details'], rows, 'no audit records yet');
}
