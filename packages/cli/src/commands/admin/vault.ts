import type { Admin } from '@sortie/server';
import { Command } from 'commander';
import { fields, table } from '../../terminal/text.ts';
import { runAdmin } from './run-admin.ts';

export function vaultCommand(): Command {
  const vault = new Command('vault').description('manage the encryption keys and deletion of stored test accounts');
  vault
    .command('status')
    .description('list the vault keys and the number of runs encrypted with each')
    .action((_options, command) => runAdmin(command, (admin) => admin.vault.status({}), statusText));
  vault
    .command('rotate')
    .description('rewrap data keys with a new (embedded database) or the configured vault key')
    .option('--forget-old', 'remove unused vault keys instead of creating a new one; embedded database only')
    .action((options, command) => runAdmin(command, (admin) => admin.vault.rotate(options), rotatedText));
  vault
    .command('forget <run>')
    .description("delete a run's test accounts now; irreversible, a receipt is kept")
    .action((run, _options, command) => runAdmin(command, (admin) => admin.vault.forget({ run }), receiptText));
  vault
    .command('receipts')
    .description('list deletions of test accounts, newest first')
    .option('--account <id>', 'only this account')
    .option('--limit <number>', 'maximum number (default: 50, up to 1000)')
    .action((options, command) =>
      runAdmin(
        command,
        (admin) => admin.vault.receipts(options),
        ({ receipts }) => receiptsText(receipts),
      ),
    );
  return vault;
}

type Vault = Admin['vault'];
type Status = Awaited<ReturnType<Vault['status']>>;
type Rotated = Awaited<ReturnType<Vault['rotate']>>;
type Receipt = Awaited<ReturnType<Vault['forget']>>;

function statusText({ keys, overdue }: Status): string {
  const headings = ['key', 'state', 'runs', 'oldest run', 'sealed', 'deletion due'];
  const rows = keys.map(({ id, state, runs, oldestRun, sealedAt, deletionDueAt }) => {
    return [id, state, runs, oldestRun, sealedAt, deletionDueAt];
  });
  const waiting = overdue === 0 ? '' : `${overdue} runs wait for the daily job to delete their test accounts.\n`;
  return table(headings, rows, 'no keys') + waiting;
}

function rotatedText({ current, isNew, rewrapped, damaged, unused, missing, forgotten }: Rotated): string {
  const facts = {
    'current key': isNew ? `${current} (new)` : current,
    rewrapped,
    damaged: damaged.length,
    forgotten: forgotten.join(', ') || null,
    unused: unused.join(', ') || null,
    missing: missing.join(', ') || null,
  };
  return fields(facts) + adviceOn({ damaged, unused, missing });
}

function adviceOn({ damaged, unused, missing }: Pick<Rotated, 'damaged' | 'unused' | 'missing'>): string {
  const advice = [
    unused.length > 0 && UNUSED,
    missing.length > 0 && 'Data keys wrapped with the missing vault keys cannot be decrypted. See docs/operating.md.',
    damaged.length > 0 &&
      `These data keys are damaged and cannot be decrypted: ${damaged.join(', ')}. ` +
        'Delete them before a new vault key can be created: npx sortie admin vault forget RUN',
  ];
  return advice.flatMap((line) => (line === false ? [] : [`${line}\n`])).join('');
}

const UNUSED =
  'Remove unused keys with: npx sortie admin vault rotate --forget-old. ' +
  'With DATABASE_URL, remove them from SORTIE_VAULT_OLD_KEYS.';

function receiptText({ runId, accountId, names, sealedAt, deletedAt }: Receipt): string {
  return fields({ run: runId, account: accountId, 'test accounts': names, sealed: sealedAt, deleted: deletedAt });
}

function receiptsText(receipts: readonly Receipt[]): string {
  const headings = ['run', 'account', 'deleted', 'reason', 'sealed', 'key', 'test accounts'];
  const rows = receipts.map(({ runId, accountId, deletedAt, reason, sealedAt, keyId, names, kinds }) => {
    const accounts = names.map((name, index) => `${name} (${kinds[index]})`);
    return [runId, accountId, deletedAt, reason, sealedAt, keyId, accounts];
  });
  return table(headings, rows, 'no deletions yet');
}
