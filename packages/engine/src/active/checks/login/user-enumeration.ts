import { effectOf } from '../../../crawl/inventory/effect.ts';
import { isSame, toAnswer } from '../../../oracle/compare.ts';
import {
  at,
  definePointCheck,
  type Known,
  type Observation,
  type PlannedRequest,
  type Point,
} from '../../define-active-check.ts';

type Variant = 'name';

const NAMES_SOMEBODY = /(?:^|[/_-])(?:e-?mail|user(?:_?name)?|login|account)$/i;
const OWN = ['test account', 'test account, repeated'] as const;
const UNKNOWN = ['random name', 'another one', 'a third one'] as const;

const usersIn = ({ accounts }: Known) => accounts.flatMap(({ user, marks }) => user ?? marks[0] ?? []);

/** Returns a user name of the same form that belongs to no account. */
const nobody = (user: string, word: string) => (user.includes('@') ? user.replace(/^[^@]*/, word) : word);

/** Removes the value itself from the response. */
const answerTo = (observed: Observation | undefined, value: string) => observed && toAnswer(observed, [value]);

function valuesFor(known: Known, word: string): { own: string; unknown: string[] } {
  const own = usersIn(known)[0] ?? '';
  return { own, unknown: UNKNOWN.map((_, index) => nobody(own, `${word}${index}`)) };
}

export default definePointCheck<Variant>({
  id: 'user-enumeration',
  title: 'User enumeration through response differences',
  cwe: 204,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
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
    (item.effect ?? effectOf(item.method, item.url)) === 'reads' &&
    usersIn(known).length > 0,
  variants: ['name'],
  maxRequests: 10,
  proof: {
    plan(point, _variant, { word }, known) {
      const { own, unknown } = valuesFor(known, word);
      const asked = (label: string, value: string): PlannedRequest =>
        at(point, label, value, { session: { isNew: true } });
      return [
        asked(UNKNOWN[0], unknown[0] ?? ''),
        asked(OWN[0], own),
        asked(UNKNOWN[1], unknown[1] ?? ''),
        asked(OWN[1], own),
        asked(UNKNOWN[2], unknown[2] ?? ''),
      ];
    },
    judge(answers, _variant, { word }, _point, known) {
      const { own, unknown } = valuesFor(known, word);
      const [first, again] = OWN.map((label) => answerTo(answers.get(label), own));
      const [one, two, three] = UNKNOWN.map((label, index) => answerTo(answers.get(label), unknown[index] ?? ''));
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
