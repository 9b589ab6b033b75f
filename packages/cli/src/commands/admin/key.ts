import type { Key } from '@sortie/server';
import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function keyCommand(): Command {
  const key = new Command('key').description('manage API keys');
  key
    .command('create')
    .description('create an API key; the key is printed only once')
    .option('--account <id>', 'account id (required)')
    .option('--user <id>', 'id or e-mail address of the member who owns the key (required)')
    .option('--permissions <list>', 'comma-separated permissions, or all (required)')
    .option('--budget <credits>', 'monthly credit limit of the key (default: none)')
    .option('--expires <when>', 'ISO 8601 date or date and time, or a duration such as 30d (default: never)')
    .option('--name <name>', 'name of the key')
    .action((options, command) =>
      runAdmin(
        command,
        async (admin) => {
          const created = await admin.key.create(options);
          return { ...created, key: created.key.reveal() };
        },
        createdText,
      ),
    );
  key
    .command('list')
    .description("list an account's keys, newest first")
    .option('--account <id>', 'account id (required)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.key.list(options),
        ({ keys }) => listText(keys),
      ),
    );
  key
    .command('revoke <id>')
    .description('revoke an API key; irreversible')
    .action((id, _options, command) => runAdmin(command, (admin) => admin.key.revoke({ id }), revokedText));
  return key;
}

function createdText({ id, key, name, permissions, budget, expiresAt }: Key & { key: string }): string {
  const facts = fields({ id, key, name, permissions, budget: budget ?? 'none', expires: expiresAt ?? 'never' });
  return `${facts}Store the key now: it cannot be shown again.\n`;
}

function listText(keys: readonly Key[]): string {
  const headings = ['id', 'ends in', 'state', 'created by', 'permissions', 'budget', 'last used', 'name'];
  const rows = keys.map(({ id, lastFour, createdBy, permissions, budget, lastUsedAt, name, ...key }) => {
    return [id, lastFour, stateText(key), createdBy, permissions, budget ?? 'none', lastUsedAt ?? 'never', name];
  });
  return table(headings, rows, 'no keys yet');
}

function stateText({ revokedAt, expiresAt }: Pick<Key, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
  return expiresAt ? `expires ${expiresAt.toISOString()}` : 'valid';
}

function revokedText({ id, lastFour, revokedAt }: Key): string {
  return fields({ id, 'ends in': lastFour, revoked: revokedAt });
}
