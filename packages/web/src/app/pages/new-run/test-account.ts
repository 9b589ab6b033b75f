import type { StartPentest } from '@sortie/contract';

export type TestAccount = NonNullable<StartPentest['credentials']>[number];

/** What a login try needs besides the account. */
export interface Tested {
  verificationId: string;
  targetUrl: string;
}
