import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import { fieldsIn, loginForm } from '../../labs/sql.ts';
import type { WithAccounts } from '../../shared/accounts.ts';
import { isLockedOut, loginsAt, requestAs, reserveTries } from '../../shared/login-attempts.ts';
import { nameLike } from '../../shared/name-like.ts';

/** The proof is repeated once, with one wrong password for the test account each time. */
const TRIES = 2;

/** Takes the last account, because most checks use the first one. */
const userOf = ({ accounts }: WithAccounts) =>
  accounts.flatMap(({ user, marks }) => user ?? marks[0] ?? []).at(-1) ?? '';

function namesFor(known: WithAccounts, word: string) {
  const own = userOf(known);
  const [first, second, third] = ['a', 'b', 'c'].map((each) => nameLike(own, `${word}${each}`));
  return { own, first: first ?? '', second: second ?? '', third: third ?? '' };
}

export default defineRequestCheck({
  id: 'user-enumeration-login',
  title: 'User enumeration through the login response',
  cwe: 204,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker compiles a list of valid accounts, and uses it for password guessing and phishing.',
  needsNoAccount: true,
  why: 'A wrong password for an existing account gets a different response from a wrong password for an unknown name. An attacker compiles a list of valid accounts for password guessing and phishing. The response for a test account differed from that of three random names of the same form, which were all alike.',
  fix: 'Return the same status and text, such as "Wrong name or password", whether the account exists or not, and compare a password hash in both cases so that the time is the same. Limit failed attempts.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/204.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  isForLogins: true,
  appliesTo: (item, known) =>
    userOf(known) !== '' && loginsAt(new URL(item.url), known).some(({ url }) => url === item.url),
  variants: ['name'],
  async probe(item, { word }, { askAsNewVisitor, known, memory }) {
    const { first, second, own } = namesFor(known, word);
    const [one, two] = [
      answerTo(await askAsNewVisitor(requestAs(item, first, word)), first, word),
      answerTo(await askAsNewVisitor(requestAs(item, second, word)), second, word),
    ];
    const isSteady = one !== undefined && two !== undefined && isSame(one, two);
    return isSteady && reserveTries(memory, item, own, TRIES) ? ['name'] : [];
  },
  maxRequests: 10,
  proof: {
    plan(item, _variant, { word }, facts) {
      const { own, first, second, third } = namesFor(facts, word);
      const tried = (label: string, name: string) => ({
        label: `wrong password for ${label}`,
        request: requestAs(item, name, word),
        session: { isNew: true },
      });
      return {
        first: { ...tried('a random name', first), isControl: true },
        own: tried('a test account', own),
        second: { ...tried('another random name', second), isControl: true },
        third: { ...tried('a third random name', third), isControl: true },
      };
    },
    judge({ first, own, second, third }, _variant, { word }, _item, facts) {
      if ([first, own, second, third].some(isLockedOut)) return 'VOID';
      const names = namesFor(facts, word);
      const [one, two, three] = [
        answerTo(first, names.first, word),
        answerTo(second, names.second, word),
        answerTo(third, names.third, word),
      ];
      const ofAccount = answerTo(own, names.own, word);
      if (!one || !two || !three || !ofAccount) return 'VOID';
      // Where the server fails at any name, it fails at the request and does not look for the name.
      if (ofAccount.status >= 500) return 'VOID';
      return isSame(one, two) && isSame(two, three) && !isSame(one, ofAccount) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const users = ['alice@shop.test', 'bob@shop.test'];
    return {
      item: { ...loginForm, effect: 'logsIn' },
      vulnerable({ body }) {
        const { user = '' } = fieldsIn(body);
        return { status: 401, body: users.includes(user) ? 'Wrong password' : 'There is no such user' };
      },
      // Refuses names that no user can have, which says nothing about those that exist.
      safe({ body }) {
        const { user = '' } = fieldsIn(body);
        return { status: 401, body: /^[a-z]+@shop\.test$/.test(user) ? 'Wrong name or password' : 'This is no name' };
      },
    };
  },
});

/** Removes what the request sent from the response. */
const answerTo = (observed: Observation, name: string, password: string) => toAnswer(observed, [name, password]);
