import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function signingKeyCommand(): Command {
  const key = new Command('signing-key').description('manage the keys that sign the capsules of findings');
  key
    .command('list')
    .description('list the keys of capsules, and whether they are published')
    .action((_options, command) => runAdmin(command, (admin) => admin.signingKey.list({}), listText));
  key
    .command('rotate')
    .description('sign with a new key; the former one stays published (embedded database)')
    .action((_options, command) => runAdmin(command, (admin) => admin.signingKey.rotate({}), fields));
  key
    .command('revoke <key>')
    .description('withdraw a former key: capsules that it signed are no longer accepted')
    .action((id, _options, command) => runAdmin(command, (admin) => admin.signingKey.revoke({ key: id }), fields));
  return key;
}

type Listed = Awaited<ReturnType<Admin['signingKey']['list']>>;

function listText({ keys }: Listed): string {
  const rows = keys.map(({ id, state, createdAt, revokedAt }) => [id, state, createdAt, revokedAt]);
  return table(['key', 'state', 'since', 'revoked'], rows, 'no keys');
}
