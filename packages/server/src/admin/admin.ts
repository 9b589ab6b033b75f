import type { Catalogue } from '../billing/catalogue.ts';
import { readSecretVariables } from '../config/config.ts';
import { type ConnectionSettings, inTransaction, openDatabase } from '../db/database.ts';
import { loadSigningSource } from '../secrets/service-secrets.ts';
import { accountCommands } from './account.ts';
import { auditCommands } from './audit.ts';
import { clockCommands } from './clock.ts';
import type { AdminContext } from './context.ts';
import { creditsCommands } from './credits.ts';
import { explainDatabaseError } from './database-error.ts';
import { faultCommands } from './fault.ts';
import { keyCommands } from './key.ts';
import { mailCommands } from './mail.ts';
import { memberCommands } from './member.ts';
import { optoutCommands } from './optout.ts';
import { reviewCommands } from './review.ts';
import { runCommands } from './run.ts';
import { signingKeyCommands } from './signing-key.ts';
import { targetCommands } from './target.ts';
import { userCommands } from './user.ts';
import { createVaultSource, vaultCommands } from './vault.ts';

/** The operator commands, which the command line and the dashboard call. */
export type Admin = ReturnType<typeof openAdmin>;

interface AdminOptions {
  connection: ConnectionSettings;
  catalogue: Catalogue;
  /** The data folder of the server that runs the embedded database; omitted with DATABASE_URL. */
  dataDir?: string;
}

/** Returns the operator commands by noun and verb. They can run beside a server on the same database. */
export function openAdmin({ connection, catalogue, dataDir }: AdminOptions) {
  const vault = createVaultSource(dataDir);
  const loadSigning = () => loadSigningSource(dataDir, readSecretVariables());
  const database = openDatabase(connection, { connections: 1, applicationName: 'sortie admin' });
  const context: AdminContext = {
    catalogue,
    transact: (work) =>
      inTransaction(database, work).catch((error: unknown) => {
        throw explainDatabaseError(error);
      }),
  };
  return {
    account: accountCommands(context),
    user: userCommands(context),
    mail: mailCommands(context, dataDir),
    member: memberCommands(context),
    key: keyCommands(context),
    credits: creditsCommands(context),
    target: targetCommands(context, vault),
    run: runCommands(context),
    optout: optoutCommands(context),
    review: reviewCommands(context, vault, loadSigning),
    vault: vaultCommands(context, vault),
    signingKey: signingKeyCommands(context, loadSigning),
    audit: auditCommands(context),
    clock: clockCommands(context),
    fault: faultCommands(context),
    close: () => database.close(),
  };
}
