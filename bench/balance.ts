import { randomUUID } from 'node:crypto';
import { defaultCatalogue, openAdmin } from '@sortie/server';
import { startTestServer } from '@sortie/testing/server/server.ts';
import { createBenchDatabase } from './bench-database.ts';
import { compare, residentMegabytes, startBareServer } from './side-by-side.ts';

const ACCOUNTS = 600;
/** The account limit is five times the key limit, so five keys use both to the full. */
const KEYS_PER_ACCOUNT = 5;

interface Caller {
  accountId: string;
  apiKey: string;
}

async function seed(connection: Parameters<typeof openAdmin>[0]['connection']): Promise<Caller[]> {
  const admin = openAdmin({ connection, catalogue: defaultCatalogue });
  const callers: Caller[] = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const { id: account } = await admin.account.create({ name: `Account ${i}`, kind: 'organization', plan: 'team' });
    const { id: user } = await admin.user.create({ email: `${randomUUID()}@example.test` });
    await admin.member.add({ account, user, role: 'OWNER' });
    await admin.credits.grant({ account, source: 'purchased', amount: '1000' });
    await admin.credits.grant({ account, source: 'purchased', amount: '1000', expires: '60d' });
    for (let j = 0; j < KEYS_PER_ACCOUNT; j++) {
      const { key } = await admin.key.create({ account, user, permissions: 'all' });
      callers.push({ accountId: account, apiKey: key.reveal() });
    }
  }
  await admin.close();
  return callers;
}

/** Measures the overhead of authentication and rate limits, on the cheapest endpoint. */
export async function benchBalance(): Promise<void> {
  const database = await createBenchDatabase();
  const callers = await seed(database.connection);
  const bare = await startBareServer(database.url);
  const server = await startTestServer({ databaseUrl: database.url, flags: ['--no-demo'], keepLog: false });
  try {
    const ratio = await compare<Caller>({
      name: 'balance',
      status: 200,
      bare: { url: bare.url, callers, toRequest: ({ accountId }) => ({ path: `/balance/${accountId}` }) },
      ours: {
        url: server.baseUrl,
        callers,
        toRequest: ({ apiKey }) => ({
          path: '/v1/credits/balance',
          headers: { authorization: `Bearer ${apiKey}` },
        }),
      },
    });
    const megabytes = residentMegabytes(server.child.pid);
    console.log(`balance: median ratio ${ratio.toFixed(2)}, server memory ${megabytes} MB`);
    if (ratio < 0.5) throw new Error('GET /v1/credits/balance is slower than half of a bare read');
  } finally {
    bare.stop();
    await server.stop();
    await database.drop();
  }
}
