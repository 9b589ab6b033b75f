import { defineRequestCheck } from '../../define-active-check.ts';
import { membersLab } from '../../labs/members.ts';
import { isLetIn, isLockedOut } from '../../shared/login-attempts.ts';
import {
  findOwnAccounts,
  isSameRequest,
  loggingIn,
  type OwnAccounts,
  otherPasswordOf,
  plannedFor,
  registering,
  registersAccounts,
} from '../../shared/own-account.ts';

/** An account of the run whose password no policy should accept. */
interface Variant extends OwnAccounts {
  password: string;
}

/** The shortest one, and one that is long enough but at the top of every list of leaked passwords. */
const PASSWORDS = ['1', '12345678'];

export default defineRequestCheck({
  id: 'weak-password-policy',
  title: 'Weak password policy: common passwords are accepted',
  cwe: 521,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker guesses the passwords of users who chose short or common ones.',
  needsNoAccount: true,
  why: 'The registration accepts a password that is among the first of every list of leaked passwords, or has a single character. An attacker guesses the passwords of those who chose such ones (password spraying, credential stuffing). The run registered an account of its own with it and logged in; another password was refused. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Require at least eight characters, better fifteen without a second factor, and refuse passwords of a list of leaked ones, such as that of Have I Been Pwned. Do not require kinds of characters. Delete the accounts that the test registered: their passwords are known.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/07-Testing_for_Weak_Password_Policy',
    'https://cwe.mitre.org/data/definitions/521.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  namesOwn: true,
  registersOwn: true,
  appliesTo: registersAccounts,
  variants: [] as Variant[],
  async probe(item, { word }, asking) {
    const accounts = await findOwnAccounts({ ...asking, item, word });
    return accounts && isSameRequest(accounts.register, item)
      ? PASSWORDS.map((password) => ({ ...accounts, password }))
      : [];
  },
  maxRequests: 40,
  describe: ({ password }) => ({ title: `Weak password policy: the password "${password}" is accepted` }),
  proof: {
    plan: (_item, { password, ...accounts }, { word }) => ({
      registered: plannedFor('account of the run registered with the password', registering(accounts, word, password), {
        change: { leavesTraces: true },
      }),
      refused: plannedFor('login with another password', loggingIn(accounts, word, otherPasswordOf(word)), {
        isControl: true,
      }),
      letIn: plannedFor('login with the password', loggingIn(accounts, word, password)),
    }),
    judge({ refused, letIn }) {
      if ([refused, letIn].some(isLockedOut)) return 'VOID';
      return isLetIn(letIn, refused) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => membersLab('register', { vulnerable: {}, safe: { shortest: 8 } }),
});
