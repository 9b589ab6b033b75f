import type { Admin } from '@sortie/server';
import type { Command } from 'commander';
import { CommandEnd } from '../../terminal/command-error.ts';
import { paragraph } from '../../terminal/paragraph.ts';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function addVerifyCommands(target: Command): void {
  target
    .command('verify <verification>')
    .description('check the ownership token now; valid for 90 days (exit code 1 if not found)')
    .option('--wait <seconds>', 'maximum time to wait for a worker (default: 60)')
    .action((id, options, command) => verify(id, options, command));
  target
    .command('checks <verification>')
    .description('list the ownership checks of a verification, newest first')
    .action((id, _options, command) =>
      runAdmin(
        command,
        (admin) => admin.target.checks({ id }),
        ({ checks }) => checksText(checks),
      ),
    );
}

async function verify(id: string, options: { wait?: string }, command: Command): Promise<void> {
  let isFound = false;
  const work = async (admin: Admin) => {
    const verified = await admin.target.verify({ id, ...options });
    isFound = verified.outcome === 'FOUND';
    return verified;
  };
  await runAdmin(command, work, verifiedText);
  if (!isFound) throw new CommandEnd(1);
}

type Verified = Awaited<ReturnType<Admin['target']['verify']>>;
type Check = Awaited<ReturnType<Admin['target']['checks']>>['checks'][number];

function verifiedText({
  verificationId,
  method,
  origin,
  proof,
  outcome,
  expiresAt,
  message,
  lookUps,
}: Verified): string {
  const facts = fields({
    verification: verificationId,
    origin,
    method,
    expected: proof,
    outcome,
    expires: expiresAt ?? 'not verified yet',
  });
  const told = paragraph(message + nextStep(outcome, verificationId));
  return [facts, ...(lookUps.length > 0 ? [lookUpsText(lookUps)] : []), told].join('\n');
}

/** A queued check needs no second request, only a look at its result. */
function nextStep(outcome: string, id: string): string {
  if (outcome === 'FOUND') return '';
  const isQueued = outcome === 'WAITING';
  return `\n${isQueued ? 'Show the outcome with' : 'Then check again with'}: npx sortie admin target ${isQueued ? 'checks' : 'verify'} ${id}`;
}

function lookUpsText(lookUps: Verified['lookUps']): string {
  return table(
    ['location', 'observed'],
    lookUps.map(({ place, seen }) => [place, seen.join('; ')]),
    '',
  );
}

function checksText(checks: readonly Check[]): string {
  const rows = checks.map(({ askedAt, checkedAt, outcome, askedBy, pentestId, message }) => {
    return [askedAt, checkedAt, outcome ?? 'WAITING', askedBy ?? pentestId, message];
  });
  return table(['requested', 'checked', 'outcome', 'by', 'result'], rows, 'not checked yet');
}
