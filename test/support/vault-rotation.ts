import { defaultCatalogue, openAdmin } from '@sortie/server';

/** An operator's `vault rotate` in a process of its own, which can be killed. */
const [connection = '{}', dataDir = '', options = '{}'] = process.argv.slice(2);
const admin = openAdmin({ connection: JSON.parse(connection), catalogue: defaultCatalogue, dataDir });
process.stdout.write(`${JSON.stringify(await admin.vault.rotate(JSON.parse(options)))}\n`);
await admin.close();
