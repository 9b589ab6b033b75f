import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { defineSiteCheck } from '../../define-active-check.ts';
import { membersLab } from '../../labs/members.ts';
import { isLockedOut } from '../../shared/login-attempts.ts';
import {
  type OwnAccounts,
  otherPasswordOf,
  passwordOf,
  plannedFor,
  registering,
  waysToRegister,
} from '../../shared/own-account.ts';
import { ownAccountsAt } from '../../shared/own-password.ts';

/** New names of the same length as the one that is taken. */
const namesOf = (word: string) => ({ own: `${word}a`, first: `${word}b`, second: `${word}c` });

export default defineSiteCheck({
  id: 'user-enumeration-registration',
  title: 'User enumeration through the registration',
  cwe: 204,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker compiles a list of valid accounts, and uses it for password guessing and phishing.',
  needsNoAccount: true,
  why: 'The registration tells whether a name or an email address has an account. An attacker compiles a list of valid accounts for password guessing and phishing. The run registered accounts of its own: registering one of them again got a different response, twice, from registering two new names, which were answered alike. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Register by email address: show the same page in both cases, and send either a confirmation link or a notice that the account exists. Where user names are public, limit the rate of registrations and require a CAPTCHA. Delete the accounts that the test registered.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/204.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (site, known) => waysToRegister({ url: `${site.origin}/` }, known).registrations.length > 0,
  variants: [] as OwnAccounts[],
  probe: (site, { word }, asking) => ownAccountsAt(site, word, asking),
  maxRequests: 140,
  placeOf: (_site, { register }) => register.url,
  proof: {
    plan(_site, accounts, { word }) {
      const { own, first, second } = namesOf(word);
      const change = { leavesTraces: true };
      const registered = (label: string, name: string, password: string, isControl = false) =>
        plannedFor(label, registering(accounts, name, password), { change, ...(isControl && { isControl }) });
      return {
        own: registered('account of the run registered', own, passwordOf(word), true),
        taken: registered('the same name registered again', own, otherPasswordOf(word)),
        first: registered('a new name registered', first, otherPasswordOf(word), true),
        takenAgain: registered('the taken name once more', own, otherPasswordOf(word)),
        second: registered('another new name registered', second, otherPasswordOf(word), true),
      };
    },
    judge({ own, taken, first, takenAgain, second }, _accounts, { word }) {
      if ([own, taken, first, takenAgain, second].some(isLockedOut)) return 'VOID';
      const names = Object.values(namesOf(word));
      // The pages may repeat what was sent.
      const noise = [...names, passwordOf(word), otherPasswordOf(word)];
      const [before, one, again, new1, new2] = [own, taken, takenAgain, first, second].map((each) =>
        toAnswer(each, noise),
      );
      if (!before || !one || !again || !new1 || !new2) return 'VOID';
      if ([one, new1].some(({ status }) => status >= 500)) return 'VOID';
      const isSteady = isSame(one, again) && isSame(new1, new2) && isSame(before, new1);
      return isSteady && !isSame(one, new1) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => membersLab('register', { vulnerable: {}, safe: { isDiscreet: true } }),
});
