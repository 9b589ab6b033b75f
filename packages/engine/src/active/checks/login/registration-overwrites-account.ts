import { defineRequestCheck } from '../../define-active-check.ts';
import { membersLab } from '../../labs/members.ts';
import { isLetIn, isLockedOut } from '../../shared/login-attempts.ts';
import {
  findOwnAccounts,
  isSameRequest,
  loggingIn,
  type OwnAccounts,
  otherPasswordOf,
  passwordOf,
  plannedFor,
  plannedRegistration,
  registering,
  registersAccounts,
} from '../../shared/own-account.ts';

export default defineRequestCheck({
  id: 'registration-overwrites-account',
  title: 'Account takeover: registering an existing name sets a new password',
  cwe: 620,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker registers the name of any user with a password of their own and logs in under that name.',
  needsNoAccount: true,
  why: 'The registration accepts a name that is taken, and the new password logs in under that name. An attacker who knows the name of a user takes over the account or acts under its name. The run registered an account of its own twice with different passwords: the second password was refused before the second registration and logged in after it. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Refuse a registration whose name or email address exists, with a unique constraint in the database, and compare names after normalization (case, spaces, Unicode). Change passwords only for a logged-in user who enters the current one, or by a link sent by email. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/02-Test_User_Registration_Process',
    'https://cwe.mitre.org/data/definitions/620.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  namesOwn: true,
  registersOwn: true,
  appliesTo: registersAccounts,
  variants: [] as OwnAccounts[],
  async probe(item, { word }, asking) {
    const accounts = await findOwnAccounts({ ...asking, item, word });
    return accounts && isSameRequest(accounts.register, item) ? [accounts] : [];
  },
  maxRequests: 36,
  proof: {
    plan(_item, accounts, { word }) {
      const [first, second] = [passwordOf(word), otherPasswordOf(word)];
      const change = { leavesTraces: true };
      return {
        registered: plannedRegistration(accounts, word, first),
        letIn: plannedFor('login with its password', loggingIn(accounts, word, first), { isControl: true }),
        refused: plannedFor('login with another password', loggingIn(accounts, word, second), { isControl: true }),
        again: plannedFor('the same name registered with the other password', registering(accounts, word, second), {
          change,
        }),
        taken: plannedFor('login with the other password', loggingIn(accounts, word, second)),
        unknown: plannedFor('login with a third password', loggingIn(accounts, word, passwordOf(`0${word}`)), {
          isControl: true,
        }),
      };
    },
    judge({ letIn, refused, taken, unknown }) {
      if ([letIn, refused, unknown].some(isLockedOut) || !isLetIn(letIn, refused)) return 'VOID';
      return isLetIn(taken, refused) && !isLetIn(unknown, refused) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () =>
    membersLab('register', {
      vulnerable: { overwrites: true },
      safe: {},
    }),
});
