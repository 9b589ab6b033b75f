import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import pg from 'pg';
import { StartupError } from '../../errors/startup-error.ts';
import { type ConnectionSettings, clientSettings } from '../database.ts';
import { findPostmaster } from './postmaster.ts';
import { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

let folder: TestFolder;

function start(settings: Record<string, string> = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ directory: folder.data, systemFolder: folder.system, settings });
}

async function query(connection: ConnectionSettings, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(clientSettings(connection));
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** The tests share one database, in this order: creating one takes a second. */
describe('a database', () => {
  let running: EmbeddedPostgres;

  before(async () => {
    folder = await createTestFolder();
    assert.equal(await findEmbeddedPostgres(folder.data), undefined);
    process.env.SORTIE_TEST_CANARY = 'canary';
    running = await start({ max_connections: '7' });
    delete process.env.SORTIE_TEST_CANARY;
    await query(running.connection, 'create table note as select 42 as number');
  });
  after(() => folder.remove());

  it('the database keeps what it confirmed, speaks UTF-8 and listens on a socket only', async () => {
    const { connection } = running;
    const [row] = await query(
      connection,
      `select current_setting('fsync') as fsync, current_setting('listen_addresses') as addresses,
         pg_encoding_to_char(encoding) as encoding, datcollate from pg_database where datname = current_database()`,
    );
    assert.deepEqual(row, { fsync: 'on', addresses: '', encoding: 'UTF8', datcollate: 'C' });
    await assert.rejects(query({ ...connection, password: 'wrong' }, 'select 1'), { code: '28P01' });
  });

  it('only the server can read the password and enter the folders of the database', async () => {
    const { connection } = running;
    const modes = ['database.json', 'database/cluster', 'database/socket', 'database/postgres.log'].map(
      async (name) => {
        return (await stat(join(folder.data, name))).mode & 0o077;
      },
    );
    assert.deepEqual(await Promise.all(modes), [0, 0, 0, 0]);
    const { password } = JSON.parse(await readFile(join(folder.data, 'database.json'), 'utf8'));
    assert.equal(password, connection.password);
  });

  it('the processes of the database do not inherit the environment of the server', {
    skip: process.platform !== 'linux',
  }, async () => {
    const pid = await findPostmaster(join(folder.data, 'database/cluster'));
    assert.doesNotMatch(await readFile(`/proc/${pid}/environ`, 'utf8'), /SORTIE/);
  });

  it('settings of the caller reach the database', async () => {
    assert.deepEqual(await query(running.connection, 'show max_connections'), [{ max_connections: '7' }]);
  });

  it('errors are logged without the values that caused them', async () => {
    const { connection, logFile } = running;
    const values = `('customer@example.com'), ('customer@example.com')`;
    const statement = `create table address (email text unique); insert into address values ${values}`;
    await assert.rejects(query(connection, statement), { code: '23505' });
    const log = await readFile(logFile, 'utf8');
    assert.match(log, /duplicate key value/);
    assert.doesNotMatch(log, /customer@example.com/);
  });

  it('commands find a running database and nothing else', async () => {
    assert.deepEqual(await findEmbeddedPostgres(folder.data), running.connection);
    await running.stop();
    assert.equal(await findEmbeddedPostgres(folder.data), undefined);
  });

  it('what was written is there after a stop and a new start', async () => {
    assert.equal(await findPostmaster(join(folder.data, 'database/cluster')), undefined);
    const second = await start();
    assert.equal(second.isAttached, false);
    assert.deepEqual(await query(second.connection, 'select number from note'), [{ number: 42 }]);
    await second.stop();
  });

  it('a database that cannot start is refused with the reason from its log', async () => {
    await assert.rejects(start({ shared_buffers: 'much' }), (error) => {
      const words = /^The embedded database does not start: .*shared_buffers.*\. See its log, /;
      return error instanceof StartupError && words.test(error.message);
    });
  });

  it('a database without its password is refused, not overwritten', async () => {
    await rm(join(folder.data, 'database.json'));
    await assert.rejects(start(), StartupError);
    assert.ok(existsSync(join(folder.data, 'database/cluster/PG_VERSION')));
  });
});

describe('a data folder', () => {
  beforeEach(async () => {
    folder = await createTestFolder();
  });
  afterEach(() => folder.remove());

  it('a damaged database.json is refused by its name, without what it says', async () => {
    const file = join(folder.data, 'database.json');
    await mkdir(folder.data);
    for (const damaged of [
      '',
      '{ "password": "canary',
      '{ "password": 7 }',
      '{ "password": "canary", "socketFolder": 7 }',
    ]) {
      await writeFile(file, damaged);
      await assert.rejects(start(), (error) => {
        assert.ok(error instanceof StartupError);
        assert.match(error.message, /database\.json is damaged/);
        assert.doesNotMatch(inspect(error), /canary/);
        return true;
      });
      assert.equal(await readFile(file, 'utf8'), damaged);
    }
    await rm(file);
  });

  it('a folder "database" that is not ours is refused, and keeps its mode', async () => {
    const foreign = join(folder.data, 'database');
    await mkdir(join(foreign, 'theirs'), { recursive: true, mode: 0o755 });
    const before = await stat(foreign);
    await assert.rejects(
      start(),
      (error) => error instanceof StartupError && /already contains "database"/.test(error.message),
    );
    const { mode, uid, gid } = await stat(foreign);
    assert.deepEqual([mode, uid, gid], [before.mode, before.uid, before.gid]);
    assert.deepEqual(await readdir(foreign), ['theirs']);
  });
});
