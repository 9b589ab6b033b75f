import { effectOf } from '../../../crawl/effect/judge.ts';
import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at, type Observation } from '../../experiment.ts';
import type { WithAccounts } from '../../shared/accounts.ts';

const NAMES_SOMEBODY = /(?:^|[/_-])(?:e-?mail|user(?:_?name)?|login|account)$/i;

const usersIn = ({ accounts }: WithAccounts) => accounts.flatMap(({ user, marks }) => user ?? marks[0] ?? []);

/** Returns a user name of the same form that belongs to no account. */
const nobody = (user: string, word: string) => (user.includes('@') ? user.replace(/^[^@]*/, word) : word);

/** Removes the value itself from the response. */
const answerTo = (observed: Observation, value: string) => toAnswer(observed, [value]);

function valuesFor(known: WithAccounts, word: string) {
  const own = usersIn(known)[0] ?? '';
  const unknown = (index: number) => nobody(own, `${word}${index}`);
  return { own, random: unknown(0), another: unknown(1), third: unknown(2) };
}

export default definePointCheck({
  id: 'user-enumeration',
  title: 'User enumeration through response differences',
  cwe: 204,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker compiles a list of valid accounts, and uses it for password guessing and phishing.',
  why: 'The response to an existing account differs from the response to unknown names. An attacker compiles a list of valid accounts for password guessing and phishing. The response for a test account differed twice from that of three random names, which were all alike.',
  fix: 'Return the same status, text and timing whether the account exists or not, and send details by email only. Limit the rate of such requests.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/03-Identity_Management_Testing/04-Testing_for_Account_Enumeration_and_Guessable_User_Account',
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/204.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  needsNoAccount: true,
  locations: ['query', 'form', 'json'],
  appliesTo: ({ item, parameter }: Point, known) =>
    NAMES_SOMEBODY.test(parameter.name) &&
    (item.effect ?? effectOf({ method: item.method, url: item.url })) === 'reads' &&
    usersIn(known).length > 0,
  variants: ['name'],
  maxRequests: 10,
  proof: {
    plan(point, _variant, { word }, facts) {
      const values = valuesFor(facts, word);
      const session = { isNew: true };
      return {
        random: at(point, 'random name', values.random, { session, isControl: true }),
        own: at(point, 'test account', values.own, { session }),
        another: at(point, 'another one', values.another, { session, isControl: true }),
        ownAgain: at(point, 'test account, repeated', values.own, { session }),
        third: at(point, 'a third one', values.third, { session, isControl: true }),
      };
    },
    judge({ random, own, another, ownAgain, third }, _variant, { word }, _point, facts) {
      const values = valuesFor(facts, word);
      const [first, again] = [answerTo(own, values.own), answerTo(ownAgain, values.own)];
      const [one, two] = [answerTo(random, values.random), answerTo(another, values.another)];
      const three = answerTo(third, values.third);
      if (!first || !again || !one || !two || !three) return 'VOID';
      if ([first, one].some(({ status }) => status === 429 || status >= 500)) return 'VOID';
      const isSteady = isSame(first, again) && isSame(one, two) && isSame(two, three);
      return isSteady && !isSame(first, one) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => ({
    parameter: 'email',
    value: 'test',
    vulnerable: (value) => ({ body: value === 'alice@shop.test' ? 'Your first pet?' : 'Nothing is known about that.' }),
    safe: (value) => ({ body: `If ${value} has an account, a message is on its way.` }),
  }),
});
