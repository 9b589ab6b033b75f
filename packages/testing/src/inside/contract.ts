/** Schemas of the contract, of which the index of packages/contract exports only the types. */
export { CreditsBalance } from '../../../contract/src/credits.ts';
export { Pentest } from '../../../contract/src/pentests.ts';
export { Scan } from '../../../contract/src/scans.ts';
