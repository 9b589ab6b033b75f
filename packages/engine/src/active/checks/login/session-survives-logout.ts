import { defineRequestCheck } from '../../define-active-check.ts';
import { membersLab } from '../../labs/members.ts';
import { isSameRequest, loggingIn, logsInAccounts, passwordOf, plannedRegistration } from '../../shared/own-account.ts';
import { findOwnSession, type OwnSession, plannedIn, showsName } from '../../shared/own-session.ts';

export default defineRequestCheck({
  id: 'session-survives-logout',
  title: 'Insufficient session expiration: session stays valid after logout',
  cwe: 613,
  asvs: '7.4.1',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker who obtains a session cookie keeps the access after the user has logged out.',
  needsNoAccount: true,
  why: 'The logout only deletes the cookie in the browser; the server still accepts it. An attacker who has obtained the cookie, for example on a shared machine or from a log, keeps the access, and the user cannot end it. The run registered an account of its own: its cookie showed the page of the account after the logout as before. A browser that follows the logout was logged out. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Delete the session on the server at the logout, and only then the cookie. Tokens that the server cannot delete need a short lifetime and a list of those that were revoked. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/06-Testing_for_Logout_Functionality',
    'https://cwe.mitre.org/data/definitions/613.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  isForLogins: true,
  appliesTo: logsInAccounts,
  variants: [] as OwnSession[],
  async probe(item, { word }, asking) {
    const own = await findOwnSession({ ...asking, item, word });
    return own?.logout !== undefined && isSameRequest(own.login, item) ? [own] : [];
  },
  maxRequests: 54,
  proof: {
    plan(_item, own, { word }) {
      if (own.logout === undefined) return undefined;
      const [password, page, logout] = [
        passwordOf(word),
        { method: 'GET', url: own.page },
        { method: 'GET', url: own.logout },
      ];
      const login = loggingIn(own, word, password);
      return {
        registered: plannedRegistration(own, word, password),
        login: plannedIn('kept', 'login', login, { isControl: true }),
        inside: plannedIn('kept', 'a page of the account', page, { isControl: true }),
        logout: plannedIn('kept', 'logout', logout, { isFrozen: true }),
        again: plannedIn('kept', 'the page with the cookie from before the logout', page, { isFrozen: true }),
        other: plannedIn('browser', 'login in a browser', login, { isControl: true }),
        otherLogout: plannedIn('browser', 'logout in the browser', logout, { isControl: true }),
        otherAgain: plannedIn('browser', 'the page in the browser after its logout', page, { isControl: true }),
      };
    },
    judge({ inside, again, otherAgain }, _own, { word }) {
      // If the link does not log out a browser either, it is none.
      if (!showsName(inside, word) || showsName(otherAgain, word)) return 'VOID';
      return showsName(again, word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => membersLab('login', { vulnerable: { remembers: true }, safe: {} }),
});
