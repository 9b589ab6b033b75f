import type { Account, Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function accountCommand(): Command {
  const account = new Command('account').description('manage accounts, plans and suspensions');
  account
    .command('create')
    .description('create an account; add members with "member add"')
    .option('--name <name>', 'name of the account (required)')
    .option('--kind <kind>', 'personal or organization (required)')
    .option('--plan <plan>', 'plan of the account (default: free)')
    .action((options, command) => runAdmin(command, (admin) => admin.account.create(options), accountText));
  account
    .command('list')
    .description('list accounts, newest first')
    .option('--limit <number>', 'maximum number (default: 50, up to 1000)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.account.list(options),
        ({ accounts }) => listText(accounts),
      ),
    );
  account
    .command('show <id>')
    .description('show an account with members and credit balance')
    .action((id, _options, command) => runAdmin(command, (admin) => admin.account.show({ id }), detailedText));
  account
    .command('suspend <id>')
    .description('reject all API requests of an account and cancel its pentests')
    .action((id, _options, command) => runAdmin(command, (admin) => admin.account.suspend({ id }), suspendedText));
  account
    .command('resume <id>')
    .description('lift the suspension of an account')
    .action((id, _options, command) => runAdmin(command, (admin) => admin.account.resume({ id }), accountText));
  account
    .command('set-plan <id>')
    .description('change the plan of an account and grant the additional credits of this month')
    .option('--plan <plan>', 'name of the plan (required)')
    .action((id, options, command) =>
      runAdmin(command, (admin) => admin.account.setPlan({ id, ...options }), accountText),
    );
  account
    .command('set-models <id>')
    .description('allow or forbid external language models for an account')
    .option('--external <choice>', 'allow or forbid (required)')
    .action((id, options, command) =>
      runAdmin(command, (admin) => admin.account.setModels({ id, ...options }), accountText),
    );
  return account;
}

function suspendedText({ cancelledPentests, ...account }: Account & { cancelledPentests: number }): string {
  return fields({ ...factsOf(account), 'pentests cancelled': cancelledPentests });
}

function accountText(account: Account): string {
  return fields(factsOf(account));
}

function factsOf({ id, name, kind, plan, suspendedAt, externalModels }: Account) {
  const models = externalModels ? 'allowed' : 'forbidden';
  return { id, name, kind, plan, suspended: suspendedAt ?? 'no', 'external models': models };
}

function listText(accounts: readonly Account[]): string {
  const headings = ['id', 'kind', 'plan', 'suspended', 'created', 'name'];
  const rows = accounts.map(({ id, kind, plan, suspendedAt, createdAt, name }) => {
    return [id, kind, plan, suspendedAt ?? 'no', createdAt, name];
  });
  return table(headings, rows, 'no accounts yet');
}

type AccountDetails = Awaited<ReturnType<Admin['account']['show']>>;

function detailedText({ members, balance, ...account }: AccountDetails): string {
  const rows = members.map(({ userId, email, role, allowance }) => [userId, email, role, allowance ?? 'none']);
  const { available, held, plan, purchased, nextExpiry } = balance;
  return [
    accountText(account),
    fields({
      available,
      held,
      'of the plan': plan,
      purchased,
      'next expiry': nextExpiry && `${nextExpiry.credits} at ${nextExpiry.at}`,
    }),
    table(['member', 'e-mail', 'role', 'allowance'], rows, 'no members yet'),
  ].join('\n');
}
