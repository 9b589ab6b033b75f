import type { Member } from '@sortie/server';
import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function memberCommand(): Command {
  const member = new Command('member').description('manage members of accounts, their roles and monthly allowances');
  onMember(member, 'add', 'add a user to an account')
    .option('--role <role>', 'OWNER, ADMIN, MEMBER or VIEWER (required)')
    .option('--allowance <credits>', 'monthly credit limit of the member (default: none)')
    .action((options, command) => runAdmin(command, (admin) => admin.member.add(options), memberText));
  onMember(member, 'set-role', "change a member's role")
    .option('--role <role>', 'OWNER, ADMIN, MEMBER or VIEWER (required)')
    .action((options, command) => runAdmin(command, (admin) => admin.member.setRole(options), memberText));
  onMember(member, 'set-allowance', 'change the monthly credit limit of a member')
    .option('--allowance <credits>', 'number of credits, or none for no limit (required)')
    .action((options, command) => runAdmin(command, (admin) => admin.member.setAllowance(options), memberText));
  onMember(member, 'remove', "remove a member; the member's API keys stop working").action((options, command) =>
    runAdmin(command, (admin) => admin.member.remove(options), removedText),
  );
  return member;
}

function onMember(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--account <id>', 'account id (required)')
    .option('--user <id>', 'id or e-mail address of the user (required)');
}

function removedText({ removed, ...member }: Member & { removed: boolean }): string {
  return fields({ ...factsOf(member), removed });
}

function memberText(member: Member): string {
  return fields(factsOf(member));
}

function factsOf({ accountId, userId, role, allowance }: Member) {
  return { account: accountId, user: userId, role, allowance: allowance ?? 'none' };
}
