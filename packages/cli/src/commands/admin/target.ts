import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';
import { addImportCommand, importFields } from './target-import.ts';
import { addRulesCommand } from './target-rules.ts';
import { addVerifyCommands } from './target-verify.ts';

export function targetCommand(): Command {
  const target = new Command('target').description('manage targets, ownership verification and assignments');
  onTarget(target, 'add', 'add a target, or another verification method for it, to an account')
    .option('--method <method>', 'verification method: dns, file, meta or attestation (default: attestation)')
    .option(
      '--name <name>',
      'with dns: name of the TXT record, which is covered with its subdomains (default: the host)',
    )
    .action((options, command) => runAdmin(command, (admin) => admin.target.add(options), targetText));
  onTarget(target, 'attest', 'attest that the account may test a target; valid for 90 days').action(
    (options, command) => runAdmin(command, (admin) => admin.target.attest(options), targetText),
  );
  target
    .command('list')
    .description("list an account's targets, oldest first")
    .option('--account <id>', 'account id (required)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.target.list(options),
        ({ targets }) => listText(targets),
      ),
    );
  target
    .command('api-runs <verification> <state>')
    .description('turn runs started through the API on or off for a target')
    .action((id, state, _options, command) =>
      runAdmin(command, (admin) => admin.target.apiRuns({ id, state }), targetText),
    );
  target
    .command('view <verification>')
    .description('show a target with its verification and imported API description')
    .action((id, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.target.view({ id }),
        (shown) => targetText(shown) + fields(importFields(shown.imported)),
      ),
    );
  addVerifyCommands(target);
  addRulesCommand(target);
  addImportCommand(target);
  addAssignmentCommands(target);
  return target;
}

function addAssignmentCommands(target: Command): void {
  onAssignment(target, 'assign', 'allow a member to test a target').action((id, options, command) =>
    runAdmin(command, (admin) => admin.target.assign({ id, ...options }), assignmentText),
  );
  onAssignment(target, 'unassign', 'remove an assignment; active runs continue').action((id, options, command) =>
    runAdmin(command, (admin) => admin.target.unassign({ id, ...options }), assignmentText),
  );
}

function onTarget(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .option('--account <id>', 'account id (required)')
    .option('--url <url>', 'http or https URL; its scheme, host and port are the target (required)');
}

function onAssignment(parent: Command, name: string, description: string): Command {
  return parent
    .command(`${name} <verification>`)
    .description(description)
    .option('--user <id>', 'id or e-mail address of the member (required)');
}

type Target = Awaited<ReturnType<Admin['target']['add']>>;
type ListedTarget = Awaited<ReturnType<Admin['target']['list']>>['targets'][number];
type Assignment = Awaited<ReturnType<Admin['target']['assign']>>;

const coverText = ({ coveredName, coveredOrigin }: Target) =>
  coveredName === null ? coveredOrigin : `${coveredName} and its subdomains`;

const onOrOff = (apiRuns: boolean) => (apiRuns ? 'on' : 'off');

function targetText(target: Target): string {
  const { id, verificationId, accountId, origin, method, apiRuns, expiresAt, proof } = target;
  return fields({
    id,
    verification: verificationId,
    account: accountId,
    origin,
    method,
    covers: coverText(target),
    ...(proof !== null && { publish: proof }),
    expires: expiresAt ?? 'not verified yet',
    'API runs': onOrOff(apiRuns),
  });
}

function listText(targets: readonly ListedTarget[]): string {
  const headings = ['verification', 'origin', 'method', 'covers', 'token', 'expires', 'API runs', 'assigned to'];
  const rows = targets.map(({ verificationId, origin, method, token, expiresAt, apiRuns, assignedTo, ...target }) => {
    const covers = target.coveredName ?? target.coveredOrigin;
    return [
      verificationId,
      origin,
      method,
      covers,
      token,
      expiresAt ?? 'not verified yet',
      onOrOff(apiRuns),
      assignedTo,
    ];
  });
  return table(headings, rows, 'no targets yet');
}

function assignmentText({ verificationId, accountId, userId, assigned }: Assignment): string {
  return fields({ verification: verificationId, account: accountId, user: userId, assigned: assigned ? 'yes' : 'no' });
}
