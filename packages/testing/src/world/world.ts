import { randomUUID } from 'node:crypto';
import type { Role } from '@sortie/contract';
import { type Admin, defaultCatalogue, openAdmin } from '@sortie/server';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { isFull } from '../runner/test-size.ts';
import { startHostedServer } from '../server/hosted-server.ts';
import { startTestServer, type TestServer } from '../server/server.ts';

export interface Member {
  accountId: string;
  userId: string;
  apiKeyId: string;
  apiKey: string;
}

interface KeyOptions {
  permissions?: string;
  budget?: string;
  expires?: string;
}

interface MemberOptions extends KeyOptions {
  accountId?: string;
  kind?: 'personal' | 'organization';
  role?: Role;
  allowance?: string;
}

/** A real server on its own database, with operator commands. */
export interface World {
  server: TestServer;
  admin: Admin;
  testDatabase: TestDatabase;
  /** Creates a user with a role in an account (by default a new one) and an API key. */
  createMember(options?: MemberOptions): Promise<Member>;
  /** Creates another key of the same user and account. */
  createKey(member: Omit<Member, 'apiKey' | 'apiKeyId'>, options?: KeyOptions): Promise<Member>;
  /** Starts another server on the same database. */
  addServer(): Promise<TestServer>;
  end(): Promise<void>;
}

interface WorldOptions {
  env?: Record<string, string>;
  flags?: string[];
  environment?: 'test' | 'live';
  /**
   * For tests of the server's process, such as its exit code or its environment. The default with a worker, whose
   * engines must not outlive it, and in the long suite, whose servers run as operators run them.
   */
  isOwnProcess?: boolean;
}

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { environment = 'test', flags = ['--no-demo'] } = options;
  const isOwnProcess = options.isOwnProcess ?? (flags.includes('all') || isFull);
  const testDatabase = await createTestDatabase({ connections: 2 });
  await testDatabase.database.queries.updateTable('service').set({ environment }).execute();
  const servers: TestServer[] = [];
  async function addServer(): Promise<TestServer> {
    const startOne = isOwnProcess ? startTestServer : startHostedServer;
    const started = await startOne({
      databaseUrl: testDatabase.url,
      flags: [...flags, '--environment', environment],
      ...(options.env ? { env: options.env } : {}),
    });
    servers.push(started);
    return started;
  }
  const server = await addServer();
  const admin = openAdmin({ connection: testDatabase.connection, catalogue: defaultCatalogue });
  return {
    server,
    admin,
    testDatabase,
    createMember: (member = {}) => createMember(admin, member),
    createKey: (member, key = {}) => createKey(admin, member, key),
    addServer,
    async end() {
      await admin.close();
      await Promise.all(servers.map((one) => one.stop()));
      await testDatabase.drop();
    },
  };
}

async function createMember(admin: Admin, options: MemberOptions): Promise<Member> {
  const { kind = 'organization', role = 'OWNER', allowance } = options;
  const accountId = options.accountId ?? (await admin.account.create({ name: 'Test account', kind })).id;
  const { id: userId } = await admin.user.create({ email: `${randomUUID()}@example.test` });
  await admin.member.add({ account: accountId, user: userId, role, ...(allowance ? { allowance } : {}) });
  return createKey(admin, { accountId, userId }, options);
}

async function createKey(
  admin: Admin,
  { accountId, userId }: Omit<Member, 'apiKey' | 'apiKeyId'>,
  { permissions = 'all', budget, expires }: KeyOptions,
): Promise<Member> {
  const { id: apiKeyId, key } = await admin.key.create({
    account: accountId,
    user: userId,
    permissions,
    ...(budget ? { budget } : {}),
    ...(expires ? { expires } : {}),
  });
  return { accountId, userId, apiKeyId, apiKey: key.reveal() };
}
