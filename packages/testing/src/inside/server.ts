/** What tests across packages use of the inside of packages/server; everything else they see from outside. */
export { lockAccount } from '../../../server/src/accounts/accounts.ts';
export { openCredentials, openDescriptions } from '../../../server/src/credentials/credentials.ts';
export { sealedFields } from '../../../server/src/credentials/sealed-run.ts';
export { checkInvariants, holdCredits, returnAll, settlePart } from '../../../server/src/credits/credits.ts';
export { inTransaction, openDatabase, serviceNow } from '../../../server/src/db/database.ts';
export { readDatabaseFile } from '../../../server/src/db/embedded/database-file.ts';
export type { Schema } from '../../../server/src/db/schema.ts';
export { createTransport, mailKeyOf, prepareMail, sendDueMail } from '../../../server/src/mail/mail.ts';
export { createLog } from '../../../server/src/platform/log.ts';
export { runAs } from '../../../server/src/platform/run-as.ts';
export { createSecret } from '../../../server/src/platform/secret.ts';
export { findSystemUser } from '../../../server/src/platform/system-user.ts';
export { findNext } from '../../../server/src/retests/work.ts';
export { stories } from '../../../server/src/sandbox/stories.ts';
export { loadServiceSecrets, loadVaultKeys } from '../../../server/src/secrets/service-secrets.ts';
export { fillSlots } from '../../../server/src/worker/run-slots.ts';
