import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import { ifPossible, type Observation, type PlannedRequest } from '../../experiment.ts';
import { couponLab } from '../../labs/token-members.ts';
import { isLockedOut } from '../../shared/login-attempts.ts';
import { passwordOf } from '../../shared/own-account.ts';
import { codeLike, type OwnCode, ownCodesAt, planWithCodes, takesCode } from '../../shared/own-code.ts';

/** Targets that limit attempts do so after three to ten failures. */
const TRIES = 20;
/** A target that slows attempts down limits them as well. */
const MOST_DELAY_MS = 2_000;

const indexes = Array.from({ length: TRIES }, (_, index) => index);

export default defineRequestCheck({
  id: 'missing-coupon-rate-limit',
  title: 'Missing rate limit: coupon codes can be guessed',
  cwe: 307,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker tries codes at full speed until some are valid, and uses the coupons of other people.',
  needsNoAccount: true,
  why: 'The request accepts any number of wrong coupon codes from one account. An attacker enumerates codes until some are valid (brute force), and spends discounts or gift cards that were meant for others. The run registered accounts of its own: 20 wrong codes in a row got the same response without delay, and the code that the application shows was still accepted afterwards. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Limit failed codes per account and per address: delay the response increasingly, or require a CAPTCHA after a few failures. Issue codes of at least ten random characters, and bind those of value to the account. Delete the accounts that the test registered.',
  references: [
    'https://owasp.org/www-project-automated-threats-to-web-applications/assets/oats/EN/OAT-002_Token_Cracking',
    'https://owasp.org/API-Security/editions/2023/en/0xa6-unrestricted-access-to-sensitive-business-flows/',
    'https://cwe.mitre.org/data/definitions/307.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  namesOwn: true,
  registersOwn: true,
  appliesTo: takesCode,
  variants: [] as OwnCode[],
  probe: (item, { word }, asking) => ownCodesAt(item, word, asking),
  maxRequests: 160,
  proof: {
    plan(_item, variant, { word }) {
      const { value } = variant.field;
      const one = planWithCodes(variant, { key: 'one', word: `${word}a`, password: passwordOf(word) });
      const other = planWithCodes(variant, { key: 'other', word: `${word}b`, password: passwordOf(word) });
      const tries = indexes.map(
        (index) =>
          [`wrong${index}`, untilLocked(one.trying(`wrong code ${index + 1}`, codeLike(value, word + index)))] as const,
      );
      const planned: Record<string, PlannedRequest> = {
        otherRegistered: other.registered,
        otherLogin: other.login,
        before: other.trying('right code of another account', value, true),
        oneRegistered: one.registered,
        oneLogin: one.login,
        ...Object.fromEntries(tries),
        after: untilLocked(one.trying('right code after the wrong ones', value)),
      };
      return planned;
    },
    judge(answers) {
      const { before, after } = answers;
      const wrong = indexes.flatMap((index) => answers[`wrong${index}`] ?? []);
      const [first] = wrong;
      const [right, refusal] = [before, first].map((each) => each && toAnswer(each));
      if (!first || !right || !refusal || right.status >= 300 || isSame(right, refusal)) return 'VOID';
      if (wrong.some(isLockedOut)) return 'REFUTED';
      const accepted = after && toAnswer(after);
      if (!accepted || wrong.length < TRIES) return 'VOID';
      return wrong.every((each) => isPlainRefusal(each, first)) && isSame(accepted, right) ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => couponLab({ vulnerable: {}, safe: { mostCodes: 8 } }),
});

/** A code that is not sent once the target has refused one by a limit: it would only prolong the lock. */
const untilLocked = (planned: PlannedRequest) =>
  ifPossible({
    ...planned,
    answer: { ...planned.answer, mayBeLimited: true },
    isControl: false,
    written: (earlier) =>
      hasLocked(earlier) ? undefined : planned.written ? planned.written(earlier) : planned.request,
  });

const hasLocked = (earlier: ReadonlyMap<string, Observation>) =>
  [...earlier].some(([key, observation]) => key.startsWith('wrong') && isLockedOut(observation));

/** Returns whether the target refuses as it did at first, and without slowing down. */
function isPlainRefusal(answer: Observation, first: Observation): boolean {
  const [one, other] = [toAnswer(answer, [answer.request.body?.toString() ?? '']), toAnswer(first)];
  return (
    one !== undefined &&
    other !== undefined &&
    isSame(one, other) &&
    answer.durationMs < first.durationMs + MOST_DELAY_MS
  );
}
