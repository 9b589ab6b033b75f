import { tokenOfLink } from '../sign-in/token-of-link.ts';

const NAME = 'sortie.invitation';

/**
 * The token of the invitation. It is kept for this window only, because people may have to sign in first, and it must
 * not be in an address that browsers send.
 */
export function takeToken(): string {
  const given = tokenOfLink();
  if (given === '') return sessionStorage.getItem(NAME) ?? '';
  sessionStorage.setItem(NAME, given);
  history.replaceState(history.state, '', location.pathname);
  return given;
}

export const forgetToken = (): void => sessionStorage.removeItem(NAME);
