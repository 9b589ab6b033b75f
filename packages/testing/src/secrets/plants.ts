import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { call } from '../http/call.ts';
import type { Scene } from './scene.ts';

const inBase64 = (before: string) => (secret: string) => Buffer.from(`${before}${secret} and more`).toString('base64');

/** Encodings in which a program may leak text. */
export const plantedForms: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  'cut behind its beginning': (secret) => secret.slice(0, 20),
  'cut before its end': (secret) => secret.slice(-20),
  base64: inBase64(''),
  'base64, one byte later': inBase64('1'),
  'base64, two bytes later': inBase64('12'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  'URL-encoded': encodeURIComponent,
  'percent-encoded': (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
  'HTML entities': (secret) => [...secret].map((character) => `&#${character.codePointAt(0)};`).join(''),
  'JSON-escaped': (secret) => JSON.stringify({ secret }),
  'a list of bytes': (secret) => JSON.stringify(Buffer.from(secret)),
};

interface Plant {
  surface: keyof Scene['surfaces'];
  where: string;
  alphabet?: 'url';
  /** Places these texts where a leak would appear, while the search runs. */
  plant(scene: Scene, texts: string[], search: () => Promise<void>): Promise<void>;
}

export const plants: Plant[] = [
  {
    surface: 'answers',
    where: 'the body of an answer',
    plant: (scene, texts, search) => answering(scene, (response) => response.end(texts.join('\n')), search),
  },
  {
    surface: 'answers',
    where: 'a header of an answer',
    alphabet: 'url',
    plant: (scene, texts, search) => answering(scene, (response) => response.setHeader('x-leak', texts).end(), search),
  },
  {
    surface: 'logs',
    where: 'a line of the log',
    async plant({ world }, texts, search) {
      world.server.child.stderr?.emit('data', Buffer.from(`${texts.join(' ')}\n`));
      await search();
    },
  },
  {
    surface: 'logs',
    where: 'what is printed',
    async plant({ fragile }, texts, search) {
      fragile.child.stdout?.emit('data', Buffer.from(`${texts.join(' ')}\n`));
      await search();
    },
  },
  {
    surface: 'tables',
    where: 'a row',
    async plant({ world }, texts, search) {
      const { pool } = world.testDatabase.database;
      await pool.query('insert into fault (name, remaining) select text, 0 from unnest($1::text[]) as text', [texts]);
      await search();
      await pool.query('delete from fault where name = any ($1)', [texts]);
    },
  },
  {
    surface: 'tables',
    where: 'a row, as bytes',
    async plant({ world }, texts, search) {
      const { pool } = world.testDatabase.database;
      await pool.query(
        `insert into credential_key (run_id, account_id, key_id, wrapped_key)
         select 'planted ' || row_number() over (), (select id from account limit 1), '', convert_to(text, 'UTF8')
         from unnest($1::text[]) as text`,
        [texts],
      );
      await search();
      await pool.query(`delete from credential_key where run_id like 'planted %'`);
    },
  },
  {
    surface: 'database files',
    where: 'a row that was never committed',
    async plant({ world }, texts, search) {
      const client = await world.testDatabase.database.pool.connect();
      await client.query('begin');
      await client.query('insert into fault (name, remaining) select text, 0 from unnest($1::text[]) as text', [texts]);
      await client.query('rollback');
      client.release();
      await search();
    },
  },
  {
    surface: 'database log',
    where: 'a value that the database was given',
    async plant({ world }, texts, search) {
      await world.testDatabase.database.pool.query('select $1::text[]', [texts]);
      await search();
    },
  },
  {
    surface: 'database sessions',
    where: 'the text of a statement',
    async plant({ world }, texts, search) {
      // One connection each, because the database shows only the beginning of a statement.
      const clients = texts.map(() => new pg.Client(world.testDatabase.connection));
      await Promise.all(clients.map((client) => client.connect()));
      await Promise.all(clients.map((client, index) => client.query(`select 1 /* ${texts[index]} */`)));
      await search();
      await Promise.all(clients.map((client) => client.end()));
    },
  },
  {
    surface: 'data folders',
    where: 'a file',
    async plant({ fragile }, texts, search) {
      const file = path.join(fragile.dataDir, 'planted');
      await writeFile(file, texts.join('\n'));
      await search();
      await rm(file);
    },
  },
  {
    surface: 'arguments',
    where: 'the arguments of a process',
    plant: (_scene, texts, search) => besideProcess(texts, {}, search),
  },
];

/** Other platforms do not expose the environment of a process. */
if (process.platform === 'linux') {
  plants.push({
    surface: 'environments',
    where: 'the environment of a process',
    plant: (_scene, texts, search) => besideProcess([], { PLANTED: texts.join(' ') }, search),
  });
}

async function answering(
  { record }: Scene,
  answer: (response: http.ServerResponse) => unknown,
  search: () => Promise<void>,
): Promise<void> {
  const server = http.createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await record(call(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  server.close();
  await search();
}

async function besideProcess(texts: string[], env: NodeJS.ProcessEnv, search: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', ...texts], {
    env,
    stdio: 'ignore',
  });
  await once(child, 'spawn');
  await search();
  child.kill('SIGKILL');
  await once(child, 'exit');
}
