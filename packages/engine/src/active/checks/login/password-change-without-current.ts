import { defineSiteCheck } from '../../define-active-check.ts';
import { accountLab } from '../../labs/members.ts';
import { isLetIn, isLockedOut } from '../../shared/login-attempts.ts';
import { loggingIn, otherPasswordOf, passwordOf, plannedFor, plannedRegistration } from '../../shared/own-account.ts';
import {
  alsoSilent,
  changingPassword,
  mayChangePassword,
  type PasswordChange,
  passwordChangesOfOwn,
  withTokenOf,
} from '../../shared/own-password.ts';
import { plannedIn } from '../../shared/own-session.ts';

export default defineSiteCheck({
  id: 'password-change-without-current',
  title: 'Account takeover: password change without the current password',
  cwe: 620,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who has a session for a moment, by XSS or on an unlocked machine, sets a password and keeps the account.',
  needsNoAccount: true,
  why: 'The server sets a new password without verifying the current one. An attacker who has the session of a user for a moment, for example by cross-site scripting or on an unlocked machine, takes over the account. The run registered an account of its own and changed its password with a wrong current one, or without one: the new password logged in, which it had not done before. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Require the current password for each change of the password, the email address and the second factor, and verify it on the server. End all other sessions after the change and notify the user. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/09-Testing_for_Weak_Password_Change_or_Reset_Functionalities',
    'https://cwe.mitre.org/data/definitions/620.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: mayChangePassword,
  variants: [] as PasswordChange[],
  probe: async (site, { word }, asking) => alsoSilent(await passwordChangesOfOwn(site, word, asking)),
  maxRequests: 200,
  placeOf: (_site, { change }) => change.url,
  proof: {
    plan(_site, { own, page, change, isSilent }, { word }) {
      const [password, next] = [passwordOf(word), otherPasswordOf(word)];
      const changing = changingPassword(change, isSilent ? null : passwordOf(`0${word}`), next);
      return {
        registered: plannedRegistration(own, word, password),
        login: plannedIn('member', 'login', loggingIn(own, word, password), { isControl: true }),
        page:
          page === undefined
            ? undefined
            : plannedIn('member', 'page of the account', { method: 'GET', url: page }, { isControl: true }),
        refused: plannedFor('login with the new password, before', loggingIn(own, word, next), { isControl: true }),
        changed: plannedIn(
          'member',
          `password changed ${isSilent ? 'without the' : 'with a wrong'} current password`,
          changing,
          { written: withTokenOf('login', changing) },
        ),
        letIn: plannedFor('login with the new password', loggingIn(own, word, next)),
        unknown: plannedFor('login with a third password', loggingIn(own, word, passwordOf(`1${word}`)), {
          isControl: true,
        }),
      };
    },
    judge({ refused, letIn, unknown }) {
      if ([refused, letIn, unknown].some(isLockedOut) || isLetIn(unknown, refused)) return 'VOID';
      return isLetIn(letIn, refused) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => accountLab('/password', ['current_password', 'new_password'], { vulnerable: { trusts: true }, safe: {} }),
});
