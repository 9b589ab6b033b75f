import type { CreditsBalance, UsageRecord } from '@sortie/sdk';
import { Command, Option } from 'commander';
import { apiCommand, withShell } from '../core/api-command.ts';
import { readCount } from '../core/read-values.ts';
import type { ApiOptions } from '../core/shell.ts';
import type { ShowTime } from '../core/show-time.ts';
import { fields, table } from '../text.ts';

interface UsageOptions extends ApiOptions {
  key?: string;
  run?: string;
  from?: string;
  to?: string;
  limit?: string;
  all?: boolean;
}

export function creditsCommand(): Command {
  return new Command('credits')
    .description('what the account has, and what its runs have cost')
    .addCommand(balanceCommand(), { isDefault: true })
    .addCommand(usageCommand());
}

function balanceCommand(): Command {
  return apiCommand(
    'balance',
    'available and held credits, what expires next, and how much of the caps is left',
  ).action((options: ApiOptions) =>
    withShell(options, 'The credits could not be read', async (shell) => {
      const { data } = await (await shell.client()).credits.balance();
      shell.print({ schema: 'sortie.credits/1', ...data }, () => balanceText(data, shell.showTime));
    }),
  );
}

function usageCommand(): Command {
  return apiCommand('usage', 'credit history, newest first')
    .option('--key <id>', 'only what runs of this key used')
    .option('--run <id>', 'only what this run used')
    .option('--from <time>', 'only from this date or time on, such as 2026-11-01')
    .option('--to <time>', 'only before this date or time')
    .addOption(new Option('--limit <number>', 'how many records (default: 20)').conflicts('all'))
    .option('--all', 'every record')
    .action((options: UsageOptions) =>
      withShell(options, 'The credit history could not be read', async (shell) => {
        const limit = options.all ? Number.POSITIVE_INFINITY : readCount('--limit', options.limit ?? '20', 1);
        const { key: apiKeyId, run: pentestId, from, to } = options;
        const query = { apiKeyId, pentestId, from, to, limit: Math.min(limit, 100) };
        const usage: UsageRecord[] = [];
        for await (const record of (await shell.client()).credits.usageAll(query)) {
          usage.push(record);
          if (usage.length >= limit) break;
        }
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
