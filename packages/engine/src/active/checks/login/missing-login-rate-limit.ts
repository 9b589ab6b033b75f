import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { ifPossible, type Observation, type PlannedRequest } from '../../experiment.ts';
import type { PointRequest } from '../../insertion-point.ts';
import { membersLab } from '../../labs/members.ts';
import { isLetIn, isLockedOut } from '../../shared/login-attempts.ts';
import {
  findOwnAccounts,
  isSameRequest,
  loggingIn,
  logsInAccounts,
  type OwnAccounts,
  passwordOf,
  plannedFor,
  plannedRegistration,
} from '../../shared/own-account.ts';

/** Targets that limit attempts do so after three to ten failures. */
const TRIES = 20;
/** A target that slows attempts down limits them as well. */
const MOST_DELAY_MS = 2_000;

const indexes = Array.from({ length: TRIES }, (_, index) => index);

export default defineRequestCheck({
  id: 'missing-login-rate-limit',
  title: 'Missing rate limit: passwords can be guessed without a lockout',
  cwe: 307,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker tries passwords from lists against any account at full speed until one is right.',
  needsNoAccount: true,
  why: 'The login accepts any number of failed attempts for one account. An attacker tries lists of leaked and common passwords (brute force, credential stuffing) until one fits. The run registered an account of its own: 20 wrong passwords in a row got the same response without delay, and the right password still logged in afterwards. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Limit failed attempts per account and per address: delay the response increasingly, and require a second factor or a CAPTCHA after a few failures. Prefer a temporary limit to a permanent lock, which lets attackers lock out users. Delete the accounts that the test registered.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/04-Authentication_Testing/03-Testing_for_Weak_Lock_Out_Mechanism',
    'https://cwe.mitre.org/data/definitions/307.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  isForLogins: true,
  appliesTo: logsInAccounts,
  variants: [] as OwnAccounts[],
  async probe(item, { word }, asking) {
    const accounts = await findOwnAccounts({ ...asking, item, word });
    return accounts && isSameRequest(accounts.login, item) ? [accounts] : [];
  },
  maxRequests: 70,
  proof: {
    plan(_item, accounts, { word }) {
      const password = passwordOf(word);
      const login = (label: string, pass: string) => untilLocked(label, loggingIn(accounts, word, pass));
      const wrong = indexes.map(
        (index) => [`wrong${index}`, login(`wrong password ${index + 1}`, passwordOf(`${index}${word}`))] as const,
      );
      const planned: Record<string, PlannedRequest> = {
        registered: plannedRegistration(accounts, word, password),
        before: plannedFor('right password', loggingIn(accounts, word, password), { isControl: true }),
        ...Object.fromEntries(wrong),
        after: login('right password after the wrong ones', password),
      };
      return planned;
    },
    judge(answers) {
      const { before, after } = answers;
      const wrong = indexes.flatMap((index) => answers[`wrong${index}`] ?? []);
      const [first] = wrong;
      if (!before || !first || !isLetIn(before, first)) return 'VOID';
      if (wrong.some(isLockedOut)) return 'REFUTED';
      if (!after || wrong.length < TRIES) return 'VOID';
      return wrong.every((each) => isPlainRefusal(each, first)) && isLetIn(after, first) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () =>
    membersLab('login', {
      vulnerable: {},
      safe: { mostFailures: 10 },
    }),
});

/** A login that is not sent once the target has refused one by a limit: it would only prolong the lock. */
const untilLocked = (label: string, request: PointRequest) =>
  ifPossible({
    ...plannedFor(label, request, { answer: { mayBeLimited: true } }),
    isControl: false,
    written: (earlier) => (hasLocked(earlier) ? undefined : request),
  });

const hasLocked = (earlier: ReadonlyMap<string, Observation>) =>
  [...earlier].some(([key, observation]) => key.startsWith('wrong') && isLockedOut(observation));

/** Returns whether the target refuses as it did at first, and without slowing down. */
function isPlainRefusal(answer: Observation, first: Observation): boolean {
  const [one, other] = [toAnswer(answer), toAnswer(first)];
  return (
    one !== undefined &&
    other !== undefined &&
    isSame(one, other) &&
    answer.durationMs < first.durationMs + MOST_DELAY_MS
  );
}
