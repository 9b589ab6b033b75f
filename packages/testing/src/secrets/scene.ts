import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { globalSetup, globalTeardown } from '../database/cluster.ts';
import { TEST_CLUSTER_VARIABLE, type TestCluster } from '../database/test-cluster.ts';
import { type Answer, call } from '../http/call.ts';
import { startTestServer, type TestServer } from '../server/server.ts';
import { partsOfKey } from '../world/key-text.ts';
import { createTarget, grantCredits, manyRequests } from '../world/starts.ts';
import { createWorld, type Member, type World } from '../world/world.ts';
import { createCanaries, credentialsOfEveryKind, type SecretStart, secretDescription } from './canaries.ts';
import { dumpTables } from './leak-scanner.ts';
import { readArguments, readDatabaseFiles, readDatabaseLog, readEnvironments, readFolder } from './surfaces.ts';

/** A member who can start pentests, with a start full of secrets. */
export interface Starter extends Member {
  start: SecretStart;
}

interface SendOptions {
  server?: TestServer;
  idempotencyKey?: string;
  headers?: OutgoingHttpHeaders;
}

/** Differs from the key of the other servers. */
export const otherFingerprintKey = Buffer.alloc(32, 'another fingerprint').toString('base64');

export type Scene = Awaited<ReturnType<typeof createScene>>;

/** Creates servers on their own database server, whose files contain only what these servers wrote. */
export async function createScene() {
  const shared = process.env[TEST_CLUSTER_VARIABLE];
  await globalSetup();
  await logEveryStatement();
  const env = { ...manyRequests, SORTIE_LOG_LEVEL: 'debug' };
  const world = await createWorld({ env, isOwnProcess: true });
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
  /** A server to be killed, limited to two starts per minute. */
  const fragile = await startTestServer({
    databaseUrl: world.testDatabase.url,
    dataDir,
    flags: ['--no-demo'],
    env: { ...env, SORTIE_LIMIT_WRITES_PER_KEY: '2', SORTIE_FINGERPRINT_KEY: otherFingerprintKey },
  });
  const secrets = createCanaries();
  const labels = createCanaries();
  const answers: Answer[] = [];
  const people = createPeople(world, {
    credentials: credentialsOfEveryKind(secrets, labels),
    apiDescription: secretDescription(secrets),
  });

  /** Stores the response, to be searched at the end. */
  async function record(answer: Answer | Promise<Answer>): Promise<Answer> {
    answers.push(await answer);
    return answer;
  }

  return {
    world,
    fragile,
    secrets,
    labels,
    /** Canaries for unknown members. */
    names: createCanaries(),
    /** Canaries in error messages of the database. */
    databaseWords: createCanaries(),
    answers,
    record,
    ...people,
    send(starter: Pick<Starter, 'apiKey'>, body: unknown, options: SendOptions = {}): Promise<Answer> {
      const { server = world.server, idempotencyKey = randomUUID() } = options;
      const headers = { 'idempotency-key': idempotencyKey, ...options.headers };
      return record(call(`${server.baseUrl}/v1/pentests`, { method: 'POST', key: starter.apiKey, headers, body }));
    },
    surfaces: createSurfaces(world, fragile, answers),
    async end() {
      await fragile.stop('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
      await world.end();
      await globalTeardown();
      process.env[TEST_CLUSTER_VARIABLE] = shared;
    },
  };
}

/** Makes the database log every statement with all its parameters. */
async function logEveryStatement(): Promise<void> {
  const { connection } = JSON.parse(process.env[TEST_CLUSTER_VARIABLE] ?? '') as TestCluster;
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`
    alter role current_user set log_statement = 'all';
    alter role current_user set log_error_verbosity = 'default';
    alter role current_user set log_min_error_statement = 'error';
    alter role current_user set log_parameter_max_length_on_error = -1`);
  await client.end();
}

function createPeople(world: World, secrets: Pick<SecretStart, 'credentials' | 'apiDescription'>) {
  /** The secrets of all created keys. */
  const apiKeys: Record<string, string> = {};

  function withKey(member: Member, start: SecretStart): Starter {
    apiKeys[`API key ${Object.keys(apiKeys).length}`] = partsOfKey(member.apiKey).secret;
    return { ...member, start };
  }

  return {
    apiKeys,
    async createStarter({ credits = 100_000, ...options }: { credits?: number } & MemberOptions = {}) {
      const member = await world.createMember(options);
      const target = await createTarget(world.admin, member);
      if (credits > 0) await grantCredits(world.admin, member, credits);
      return withKey(member, { ...target, ...secrets });
    },
    /** Creates another key of the same user and account. */
    async createKey(starter: Starter, options?: Parameters<World['createKey']>[1]): Promise<Starter> {
      return withKey(await world.createKey(starter, options), starter.start);
    },
  };
}

type MemberOptions = NonNullable<Parameters<World['createMember']>[0]>;

/** Every place where a secret could leak, read anew each time. */
function createSurfaces(world: World, fragile: TestServer, answers: readonly Answer[]) {
  const servers = [world.server, fragile];
  let printed = '';
  for (const { child } of servers) {
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
    });
  }
  const { database } = world.testDatabase;
  // No request was sent yet. One second earlier, because file system timestamps are coarse.
  const since = new Date(Date.now() - 1_000);
  return {
    answers: async () =>
      Buffer.from(answers.map(({ headers, text }) => `${JSON.stringify(headers)}\n${text}`).join('\n')),
    logs: async () => Buffer.from([printed, ...servers.map((server) => server.log())].join('\n')),
    tables: () => dumpTables(database),
    'database files': () => readDatabaseFiles(database, since),
    'database log': () => readDatabaseLog(database),
    'database sessions': async () => {
      const { rows } = await database.pool.query('select * from pg_stat_activity');
      return Buffer.from(JSON.stringify(rows));
    },
    'data folders': async () => Buffer.concat(await Promise.all(servers.map(({ dataDir }) => readFolder(dataDir)))),
    arguments: readArguments,
    environments: readEnvironments,
  };
}
