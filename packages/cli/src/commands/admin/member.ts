import type { Member } from '@sortie/server';
import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function memberCommand(): Command {
  const member = new Command('member').description('who belongs to an account, as what, and how much they may spend');
  onMember(member, 'add', 'add a user to an account')
    .option('--role <role>', 'OWNER, ADMIN, MEMBER or VIEWER (required)')
    .option('--allowance <credits>', 'credits the member may spend a month (default: none, no cap)')
    .action((options, command) => runAdmin(command, (admin) => admin.member.add(options), memberText));
  onMember(member, 'set-role', "change a member's role")
    .option('--role <role>', 'OWNER, ADMIN, MEMBER or VIEWER (required)')
    .action((options, command) => runAdmin(command, (admin) => admin.member.setRole(options), memberText));
  onMember(member, 'set-allowance', 'change what a member may spend a month')
    .option('--allowance <credits>', 'a number of credits, or none for no cap (required)')
    .action((options, command) => runAdmin(command, (admin) => admin.member.setAllowance(options), memberText));
  onMember(member, 'remove', "remove a member; calls with the member's keys are refused from now on").action(
    (options, command) => runAdmin(command, (admin) => admin.member.remove(options), removedText),
  );
  return member;
}

function onMember(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--account <id>', 'the account (required)')
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
