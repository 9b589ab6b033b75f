import type { InventoryItem } from '../../../crawl/inventory/inventory.ts';
import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { defineSiteCheck } from '../../define-active-check.ts';
import { accountLab } from '../../labs/members.ts';
import { isLockedOut } from '../../shared/login-attempts.ts';
import {
  nameFor,
  namesIn,
  type OwnAccounts,
  passwordOf,
  plannedFor,
  plannedRegistration,
  waysToRegister,
} from '../../shared/own-account.ts';
import { nearestOf, ownAccountsAt, resetsAt, resetting } from '../../shared/own-password.ts';

interface Variant {
  accounts: OwnAccounts;
  reset: InventoryItem;
}

/** One name that is registered, and others of the same length that are not. */
const namesOf = (word: string) => ({ own: `${word}a`, first: `${word}b`, second: `${word}c`, third: `${word}d` });

export default defineSiteCheck({
  id: 'user-enumeration-reset',
  title: 'User enumeration through the password reset',
  cwe: 204,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker compiles a list of valid accounts, and uses it for password guessing and phishing.',
  needsNoAccount: true,
  why: 'The request for a password reset gets a different response if the account exists. An attacker compiles a list of valid accounts for password guessing and phishing. The run registered an account of its own: its reset got a different response, twice, from the resets of three unknown names, which were answered alike. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Return the same status and text whether the account exists or not, and send details by email only. Do the work in the background, so that the time is the same, and limit the rate. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Forgot_Password_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    'https://cwe.mitre.org/data/definitions/204.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (site, known) =>
    resetsAt(site, known).length > 0 && waysToRegister({ url: `${site.origin}/` }, known).registrations.length > 0,
  variants: [] as Variant[],
  async probe(site, { word }, asking) {
    const owns = await ownAccountsAt(site, word, asking);
    return resetsAt(site, asking.known).flatMap((reset) => {
      const accounts = nearestOf(owns, reset.url);
      return accounts ? [{ accounts, reset }] : [];
    });
  },
  maxRequests: 60,
  placeOf: (_site, { reset }) => reset.url,
  proof: {
    plan(_site, { accounts, reset }, { word }) {
      const { own, first, second, third } = namesOf(word);
      // At every level, only the account that the run registered is reset.
      const asked = (label: string, name: string, isControl = false) =>
        plannedFor(label, resetting(reset, accounts, name), {
          change: { leavesTraces: true },
          ...(isControl && { isControl }),
        });
      return {
        registered: plannedRegistration(accounts, own, passwordOf(word)),
        first: asked('reset for a name without an account', first, true),
        own: asked('reset for the account of the run', own),
        second: asked('reset for another unknown name', second, true),
        ownAgain: asked('reset for the account of the run, repeated', own),
        third: asked('reset for a third unknown name', third, true),
      };
    },
    judge({ first, own, second, ownAgain, third }, { accounts, reset }, { word }) {
      if ([first, own, second, ownAgain, third].some(isLockedOut)) return 'VOID';
      const noise = Object.values(namesOf(word)).flatMap((name) => [
        name,
        ...namesIn(reset).map((field) => nameFor(accounts, field, name)),
      ]);
      const [one, ofAccount, two, again, three] = [first, own, second, ownAgain, third].map((each) =>
        toAnswer(each, noise),
      );
      if (!one || !ofAccount || !two || !again || !three) return 'VOID';
      if ([one, ofAccount].some(({ status }) => status >= 500)) return 'VOID';
      const isSteady = isSame(one, two) && isSame(two, three) && isSame(ofAccount, again);
      return isSteady && !isSame(one, ofAccount) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => accountLab('/forgot', ['username'], { vulnerable: {}, safe: { isDiscreet: true } }),
});
