import type { ApiDescriptionKind, endpoints } from '@sortie/contract';
import type { Generated } from 'kysely';
import type { z } from 'zod';
import type { Stamped } from './columns.ts';

interface CredentialKeyTable {
  run_id: string;
  account_id: string;
  key_id: string;
  wrapped_key: Buffer;
  created_at: Stamped<Date>;
}

/** A test account as sent in the request that starts a run. */
export type Credential = NonNullable<z.output<typeof endpoints.startPentest.body>['credentials']>[number];

interface CredentialTable {
  run_id: string;
  account_id: string;
  position: number;
  name: string;
  kind: NonNullable<Credential['kind']>;
  mode: NonNullable<Credential['mode']>;
  location: NonNullable<Credential['location']>;
  sealed_user: Buffer;
  sealed_pass: Buffer;
  sealed_totp_secret: Buffer | null;
  sealed_instructions: Buffer | null;
  sealed_token_url: Buffer | null;
  sealed_scope: Buffer | null;
  sealed_audience: Buffer | null;
}

interface ApiDescriptionTable {
  /** Also the `run_id` of its data key in `credential_key`. */
  id: string;
  account_id: string;
  /** The run whose start contained it; null for an import. */
  run_id: string | null;
  /** The verification that it was imported for; null for a start. */
  verification_id: string | null;
  name: string | null;
  kind: ApiDescriptionKind;
  bytes: number;
  sealed: Buffer;
  created_at: Stamped<Date>;
}

interface SigningKeyTable {
  id: string;
  x: string;
  created_at: Stamped<Date>;
  revoked_at: Date | null;
}

interface RetiredVaultKeyTable {
  key_id: string;
  successor_id: string;
  retired_at: Stamped<Date>;
}

interface CredentialUseTable {
  id: Generated<number>;
  run_id: string;
  used_at: Stamped<Date>;
  purpose: 'ENGINE' | 'REVEAL' | 'RETEST';
  actor: string;
  epoch: number | null;
}

interface CredentialReceiptTable {
  id: Generated<number>;
  run_id: string;
  account_id: string;
  names: string[];
  kinds: (NonNullable<Credential['kind']> | ApiDescriptionKind)[];
  sealed_at: Date;
  deleted_at: Stamped<Date>;
  reason: 'AGE' | 'OPERATOR';
  key_id: string;
}

/** Sealed test accounts and API descriptions, their keys and their use; the keys that sign capsules. */
export interface CredentialTables {
  credential_key: CredentialKeyTable;
  credential: CredentialTable;
  api_description: ApiDescriptionTable;
  signing_key: SigningKeyTable;
  retired_vault_key: RetiredVaultKeyTable;
  credential_use: CredentialUseTable;
  credential_receipt: CredentialReceiptTable;
}
