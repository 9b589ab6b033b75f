import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function mailCommand(): Command {
  const mail = new Command('mail').description('read the mails of the service');
  mail
    .command('list')
    .description('list mails, newest first, with the text of those that wait (audited)')
    .option('--limit <number>', 'maximum number (default: 20, up to 1000)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.mail.list(options),
        ({ mails }) => (mails.length === 0 ? 'no mails yet\n' : mails.map(mailText).join('\n')),
      ),
    );
  return mail;
}

type Mail = Awaited<ReturnType<Admin['mail']['list']>>['mails'][number];

function mailText({ id, kind, recipient, state, attempts, failure, createdAt, expiresAt, text }: Mail): string {
  const facts = fields({
    id,
    to: recipient,
    kind: kind.toLowerCase().replace('_', ' '),
    state: state.toLowerCase(),
    created: createdAt.toISOString(),
    expires: expiresAt.toISOString(),
    attempts: failure === null ? String(attempts) : `${attempts}, the latest failed: ${failure}`,
  });
  return text === null ? facts : `${facts}\n${text.replace(/^(?=.)/gm, '  ')}`;
}
