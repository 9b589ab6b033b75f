import type { CreditsBalance, UsageRecord } from '@sortie/sdk';
import { Command } from 'commander';
import { apiCommand, withShell } from '../api/api-command.ts';
import type { ApiOptions } from '../api/command-context.ts';
import { type ListFlags, readList, withListOptions } from '../api/list-options.ts';
import { openScreen } from '../api/open-screen.ts';
import type { ShowTime } from '../terminal/show-time.ts';
import { fields, table } from '../terminal/text.ts';

interface BalanceOptions extends ApiOptions {
  web?: boolean;
}

interface UsageOptions extends ApiOptions, ListFlags {
  key?: string;
  run?: string;
  from?: string;
  to?: string;
}

export function creditsCommand(): Command {
  return new Command('credits')
    .description('show the credit balance and history')
    .addCommand(balanceCommand(), { isDefault: true })
    .addCommand(usageCommand());
}

function balanceCommand(): Command {
  return apiCommand('balance', 'show available and held credits, the next expiry and remaining budgets')
    .option('--web', 'print the address of the credits in the dashboard, and open it')
    .action((options: BalanceOptions) =>
      withShell(options, 'The credits could not be read', async (shell) => {
        if (options.web) return openScreen(shell, 'credits');
        const { data } = await (await shell.client()).credits.balance();
        shell.print({ schema: 'sortie.credits/1', ...data }, () => balanceText(data, shell.showTime));
      }),
    );
}

function usageCommand(): Command {
  return withListOptions(apiCommand('usage', 'list the credit history, newest first'), 'records')
    .option('--key <id>', 'only runs of this API key')
    .option('--run <id>', 'only this run')
    .option('--from <time>', 'only since this date or time, such as 2026-11-01')
    .option('--to <time>', 'only before this date or time')
    .action((options: UsageOptions) =>
      withShell(options, 'The credit history could not be read', async (shell) => {
        const { key: apiKeyId, run: pentestId, from, to } = options;
        const client = await shell.client();
        const usage = await readList(options, (query) =>
          client.credits.usageAll({ apiKeyId, pentestId, from, to, ...query }),
        );
        const document = { schema: 'sortie.usage/1', usage };
        shell.print(document, () => usageText(usage, shell.showTime));
      }),
    );
}

function balanceText(balance: CreditsBalance, showTime: ShowTime): string {
  const { available, held, plan, purchased, nextExpiry, keyBudget, memberAllowance } = balance;
  const cap = (one: CreditsBalance['keyBudget']) =>
    one ? `${one.remaining} left of ${one.limit} (resets ${showTime(one.resetsAt)})` : 'no limit';
  return fields({
    Available: `${available} (${plan} of the plan, ${purchased} purchased)`,
    Held: held,
    'Next expiry': nextExpiry ? `${nextExpiry.credits}, ${showTime(nextExpiry.at)}` : 'none',
    'Budget of the key': cap(keyBudget),
    'Your allowance': cap(memberAllowance),
  });
}

function usageText(usage: readonly UsageRecord[], showTime: ShowTime): string {
  const headings = ['when', 'type', 'credits', 'part', 'run', 'available', 'held', 'description'];
  const rows = usage.map(({ createdAt, type, credits, part, pentestId, balanceAfter, description }) => {
    return [
      showTime(createdAt),
      type,
      credits,
      part,
      pentestId,
      balanceAfter.available,
      balanceAfter.held,
      description,
    ];
  });
  return table(headings, rows, 'no records');
}
