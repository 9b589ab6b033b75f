import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { sql } from 'kysely';
import { type Database, inTransaction, openDatabase } from './database.ts';

let testDatabase: TestDatabase;
let database: Database;

before(async () => {
  testDatabase = await createTestDatabase();
});
after(() => testDatabase.drop());

/** Uses one connection, so that its prepared statements can be inspected. */
async function withOneConnection(work: () => Promise<void>): Promise<void> {
  database = openDatabase({ connectionString: testDatabase.url }, { connections: 1 });
  await work().finally(() => database.close());
}

async function keptStatements(): Promise<{ statement: string; uses: number }[]> {
  const { rows } = await database.pool.query<{ statement: string; uses: number }>(
    'select statement, generic_plans as uses from pg_prepared_statements order by prepare_time, name',
  );
  return rows;
}

const accountNamed = (name: string) => database.queries.selectFrom('account').select('id').where('name', '=', name);

test('a statement is planned once for a connection, inside and outside a transaction', async () => {
  await withOneConnection(async () => {
    for (const name of ['one', 'two', 'three']) assert.deepEqual(await accountNamed(name).execute(), []);
    await inTransaction(database, async (tx) => {
      assert.deepEqual(await tx.executeQuery(accountNamed('four').compile()).then(({ rows }) => rows), []);
    });
    assert.deepEqual(await keptStatements(), [{ statement: accountNamed('').compile().sql, uses: 4 }]);
  });
});

test('a table that a newer release has given a column can be read on, whichever way it is asked', async () => {
  await withOneConnection(async () => {
    await sql`create table shelf (id integer, book text)`.execute(database.queries);
    const readers = [
      (id: number) => sql`select book from shelf where id = ${id}`.execute(database.queries),
      (id: number) => sql`select * from shelf where id = ${id}`.execute(database.queries),
      (id: number) => sql`select "shelf".* from shelf where id = ${id}`.execute(database.queries),
      (id: number) => sql`insert into shelf values (${id}, 'a book') returning *`.execute(database.queries),
    ];
    const readAll = async () => {
      for (const read of readers) await read(1);
    };
    await readAll();
    await sql`alter table shelf add column colour text`.execute(database.queries);
    await readAll();
    const kept = await keptStatements();
    assert.deepEqual(
      kept.map(({ statement }) => statement),
      ['select book from shelf where id = $1'],
    );
  });
});

test('what is inserted by the dozen is not kept, and of the rest only so much', async () => {
  await withOneConnection(async () => {
    const add = (parameters: number) =>
      sql`select ${sql.join(Array.from({ length: parameters }, (_, i) => sql`${i}::integer`))}`.execute(
        database.queries,
      );
    await add(40);
    await add(41);
    await sql`select 1`.execute(database.queries);
    assert.equal((await keptStatements()).length, 1);
    for (let i = 0; i < 510; i++) {
      await sql`select ${i}::integer as ${sql.id(`column_${i}`)}`.execute(database.queries);
    }
    assert.equal((await keptStatements()).length, 500);
    assert.deepEqual((await sql`select ${7}::integer as late`.execute(database.queries)).rows, [{ late: 7 }]);
  });
});

test('a statement that fails is no obstacle to the next one', async () => {
  await withOneConnection(async () => {
    const divide = (by: number) => sql`select 6 / ${by}::integer as result`.execute(database.queries);
    await assert.rejects(divide(0), /division by zero/);
    assert.deepEqual((await divide(3)).rows, [{ result: 2 }]);
    await assert.rejects(sql`select ${1} from nowhere`.execute(database.queries), /nowhere/);
    await sql`create table nowhere (id integer)`.execute(database.queries);
    assert.deepEqual((await sql`select ${1} from nowhere`.execute(database.queries)).rows, []);
  });
});
