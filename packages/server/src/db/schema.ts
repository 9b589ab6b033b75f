import type { AccountTables } from './schema/accounts.ts';
import type { CredentialTables } from './schema/credentials.ts';
import type { CreditTables } from './schema/credits.ts';
import type { FindingTables } from './schema/findings.ts';
import type { IdentityTables } from './schema/identity.ts';
import type { PentestTables } from './schema/pentests.ts';
import type { ScanTables } from './schema/scans.ts';
import type { ServiceTables } from './schema/service.ts';
import type { TargetTables } from './schema/targets.ts';
import type { TraceTables } from './schema/traces.ts';

export type { Credential } from './schema/credentials.ts';
export type { StartEndpoint } from './schema/pentests.ts';

/** All tables of the database. */
export interface Schema
  extends AccountTables,
    CredentialTables,
    CreditTables,
    FindingTables,
    IdentityTables,
    PentestTables,
    ScanTables,
    ServiceTables,
    TargetTables,
    TraceTables {}
