import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

const OPERATION_KEY = 'name of this command in the account, for scripts: repeated with it, it is done only once';

export function creditsCommand(): Command {
  const credits = new Command('credits').description("an account's credits");
  credits
    .command('grant')
    .description('give an account credits')
    .option('--account <id>', 'the account (required)')
    .option('--source <source>', 'plan or purchased (required)')
    .option('--amount <credits>', 'how many (required)')
    .option('--expires <when>', 'ISO 8601 date or date and time, or a duration such as 30d (default: never)')
    .option('--operation-key <key>', OPERATION_KEY)
    .action((options, command) => runAdmin(command, (admin) => admin.credits.grant(options), operationText));
  credits
    .command('adjust')
    .description('correct a balance; credits are taken in the order in which they would be spent')
    .option('--account <id>', 'the account (required)')
    .option('--amount <credits>', 'how many to give, or to take away when negative (required)')
    .option('--reason <text>', "why; the account's members read it in their usage history (required)")
    .option('--source <source>', 'plan or purchased, of credits given (default: purchased)')
    .option('--expires <when>', 'when credits given expire: ISO 8601, or a duration such as 30d (default: never)')
    .option('--operation-key <key>', OPERATION_KEY)
    .action((options, command) => runAdmin(command, (admin) => admin.credits.adjust(options), operationText));
  return credits;
}

type Operation = Awaited<ReturnType<Admin['credits']['grant']>>;

function operationText({ id, accountId, credits, balance }: Operation): string {
  return fields({ id, account: accountId, credits, available: balance.available, held: balance.held });
}
