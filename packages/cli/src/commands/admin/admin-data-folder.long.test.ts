import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createCommands } from '@sortie/testing/cli/commands.ts';
import { openDatabase } from '../../../../server/src/db/database.ts';
import { startEmbeddedPostgres } from '../../../../server/src/db/embedded/start.ts';
import { claimEnvironment } from '../../../../server/src/db/environment.ts';
import { migrate } from '../../../../server/src/db/migrate.ts';

const { run } = createCommands('');

it('an operator command finds the embedded database of a data folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sortie-cli-'));
  await chmod(folder, 0o711);
  const data = join(folder, 'data');
  const settings = { fsync: 'off' };
  const postgres = await startEmbeddedPostgres({ directory: data, settings, systemFolder: join(folder, 'system') });
  try {
    await migrate(postgres.connection);
    const database = openDatabase(postgres.connection);
    await claimEnvironment(database, 'test');
    await database.close();
    const created = await run(['admin', 'user', 'create', '--email', 'a@b.example', '--data', data, '--json']);
    assert.match(JSON.parse(created.stdout).id, /^usr_/);
    const relative = await run(['admin', 'audit', 'list', '--data', 'data', '--json'], { cwd: folder });
    assert.equal(JSON.parse(relative.stdout).entries[1].action, 'user.created');
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
});
