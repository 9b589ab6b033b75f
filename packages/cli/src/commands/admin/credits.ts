import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

const OPERATION_KEY = 'idempotency key: a repetition with the same key has no effect';

export function creditsCommand(): Command {
  const credits = new Command('credits').description('grant and adjust credits of an account');
  credits
    .command('grant')
    .description('grant credits to an account')
    .option('--account <id>', 'account id (required)')
    .option('--source <source>', 'kind of credits: plan or purchased (required)')
    .option('--amount <credits>', 'number of credits (required)')
    .option('--expires <when>', 'expiry: ISO 8601 date or date and time, or a duration such as 30d (default: never)')
    .option('--operation-key <key>', OPERATION_KEY)
    .action((options, command) => runAdmin(command, (admin) => admin.credits.grant(options), operationText));
  credits
    .command('adjust')
    .description('add or remove credits; removes those that would be spent first')
    .option('--account <id>', 'account id (required)')
    .option('--amount <credits>', 'number of credits to add, negative to remove (required)')
    .option('--reason <text>', 'reason, shown to the account in its credit history (required)')
    .option('--source <source>', 'kind of added credits: plan or purchased (default: purchased)')
    .option('--expires <when>', 'expiry of added credits: ISO 8601, or a duration such as 30d (default: never)')
    .option('--operation-key <key>', OPERATION_KEY)
    .action((options, command) => runAdmin(command, (admin) => admin.credits.adjust(options), operationText));
  return credits;
}

type Operation = Awaited<ReturnType<Admin['credits']['grant']>>;

function operationText({ id, accountId, credits, balance }: Operation): string {
  return fields({ id, account: accountId, credits, available: balance.available, held: balance.held });
}
