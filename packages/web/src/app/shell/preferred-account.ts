import type { AccountOfPerson, Me } from '@sortie/contract';

const PLACE = 'sortie-account';

/** The account that was used last in this browser, or the first one. */
export function preferredAccount(me: Me): AccountOfPerson | undefined {
  return me.accounts.find(({ id }) => id === localStorage.getItem(PLACE)) ?? me.accounts[0];
}

export function rememberAccount(accountId: string): void {
  localStorage.setItem(PLACE, accountId);
}
