import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { defineSiteCheck } from '../../define-active-check.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { accountLab } from '../../labs/members.ts';
import { isLetIn, isLockedOut } from '../../shared/login-attempts.ts';
import { loggingIn, otherPasswordOf, passwordOf, plannedFor, plannedRegistration } from '../../shared/own-account.ts';
import {
  changingPassword,
  mayChangePassword,
  type PasswordChange,
  passwordChangesOfOwn,
} from '../../shared/own-password.ts';
import { plannedIn, showsName } from '../../shared/own-session.ts';
import { byTokenOf, inventedLike } from '../../shared/own-token.ts';

/** How the sessions of a plan are carried: by cookies, or by the token of a login. */
function carrying(scheme: string | undefined) {
  if (scheme === undefined) return { by: () => ({}), invented: () => ({}) };
  return {
    by: (login: string, request: PointRequest) => ({ written: byTokenOf(login, request, scheme) }),
    invented: (login: string, request: PointRequest) => ({ written: byTokenOf(login, request, scheme, inventedLike) }),
  };
}

export default defineSiteCheck({
  id: 'session-survives-password-change',
  title: 'Insufficient session expiration: sessions survive a password change',
  cwe: 613,
  asvs: '7.4.3',
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who is logged in to the account of a user stays logged in after the user has changed the password.',
  needsNoAccount: true,
  why: 'A password change leaves the other sessions of the account valid, whether a cookie or a token carries them. Users change their password because they suspect an intruder, who stays logged in. The run registered an account of its own and logged in twice: after a password change in one session, with the right current password, the page of the account still opened in the other. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'End all sessions of the account when its password changes, and issue a new one for the session that made the change. Reject tokens that were issued before the change. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/06-Session_Management_Testing/06-Testing_for_Logout_Functionality',
    'https://cwe.mitre.org/data/definitions/613.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: mayChangePassword,
  variants: [] as PasswordChange[],
  probe: async (site, { word }, asking) =>
    (await passwordChangesOfOwn(site, word, asking)).filter(({ page }) => page !== undefined),
  maxRequests: 200,
  placeOf: (_site, { change }) => change.url,
  proof: {
    plan(_site, { own, page: url, scheme, change }, { word }) {
      if (url === undefined) return undefined;
      const [password, next] = [passwordOf(word), otherPasswordOf(word)];
      const page = { method: 'GET', url };
      const login = loggingIn(own, word, password);
      const changing = changingPassword(change, password, next);
      const { by, invented } = carrying(scheme);
      return {
        registered: plannedRegistration(own, word, password),
        other: plannedIn('other', 'login in another browser', login, { isControl: true }),
        inside: plannedIn('other', 'page of the account in that browser', page, {
          isControl: true,
          ...by('other', page),
        }),
        login: plannedIn('member', 'login', login, { isControl: true }),
        refused: plannedFor('login with the new password, before', loggingIn(own, word, next), { isControl: true }),
        changed: plannedIn('member', 'password changed', changing, by('login', changing)),
        letIn: plannedFor('login with the new password', loggingIn(own, word, next), { isControl: true }),
        again: plannedIn(
          'other',
          'page of the account in the other browser, after the change',
          page,
          by('other', page),
        ),
        stranger: plannedFor(`the page ${scheme === undefined ? 'without a login' : 'with an invented token'}`, page, {
          isControl: true,
          ...invented('other', page),
        }),
      };
    },
    judge({ inside, refused, letIn, again, stranger }, { scheme }, { word }) {
      if ([refused, letIn].some(isLockedOut) || !isLetIn(letIn, refused)) return 'VOID';
      if (!showsName(inside, word) || showsName(stranger, word)) return 'VOID';
      // A response about a session that has ended may name its user.
      const [before, after] = [toAnswer(inside), toAnswer(again)];
      if (scheme !== undefined && !(before && after && isSame(before, after))) return 'REFUTED';
      return showsName(again, word) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () =>
    accountLab('/password', ['current_password', 'new_password'], { vulnerable: { keepsOthers: true }, safe: {} }),
});
