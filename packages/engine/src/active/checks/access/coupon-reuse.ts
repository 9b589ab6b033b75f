import { jsonLeaves } from '../../../crawl/inventory/json-leaves.ts';
import { isSame, toAnswer } from '../../../oracle/compare.ts';
import { textOf } from '../../../oracle/private-content.ts';
import { defineRequestCheck } from '../../define-active-check.ts';
import type { Observation } from '../../experiment.ts';
import { couponLab } from '../../labs/token-members.ts';
import { passwordOf } from '../../shared/own-account.ts';
import { codeLike, type OwnCode, ownCodesAt, planWithCodes, takesCode } from '../../shared/own-code.ts';

/** Amounts that a coupon lowers, and those that it raises. */
const TO_PAY = /(?:^|[/_-])(?:(?:sub|grand)?_?total|(?:total_?)?price|amount|sum|due|to_?pay)$/i;
const REDUCTION = /(?:^|[/_-])(?:discount|reduction|savings?|balance|credits?)(?:_?(?:total|amount))?$/i;

/** Returns the amounts that a response shows by JSON pointer; empty for a refusal. */
function amountsIn(answer: Observation): Map<string, number> {
  const isRefusal = (answer.response?.status ?? 500) >= 300;
  const leaves = isRefusal ? [] : jsonLeaves(textOf(answer));
  return new Map(
    leaves
      .filter(
        ({ pointer, value }) => (TO_PAY.test(pointer) || REDUCTION.test(pointer)) && /^-?\d+(?:\.\d+)?$/.test(value),
      )
      .map(({ pointer, value }) => [pointer, Number(value)]),
  );
}

/** Each use has to change the amount in the same direction, and the first use of another account begins as the first. */
function isReduced(pointer: string, [once, twice, thrice]: readonly (number | undefined)[], other: number | undefined) {
  if (once === undefined || twice === undefined || thrice === undefined || other !== once) return false;
  const [first, second] = TO_PAY.test(pointer) ? [once - twice, twice - thrice] : [twice - once, thrice - twice];
  return first > 0 && second > 0;
}

export default defineRequestCheck({
  id: 'coupon-reuse',
  title: 'Business logic: one coupon reduces the same order repeatedly',
  cwe: 841,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker applies one coupon to an order until nothing is left to pay.',
  needsNoAccount: true,
  why: 'The server accepts the same coupon for one order as often as it is sent, and reduces the amount each time. An attacker repeats the request until the order is free, or turns a gift card into unlimited credit. The run registered accounts of its own: three uses of the code in one of them changed the amount in each response, another account got the amount of the first use, and a wrong code was refused. The accounts remain on the target; their names begin with the marker of the run.',
  fix: 'Store which coupons an order and an account have used, with a unique constraint in the database, and refuse a second use in the same transaction. Compute the amount from the list of coupons instead of reducing the stored one. Delete the accounts that the test registered.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/10-Business_Logic_Testing/05-Test_Number_of_Times_a_Function_Can_Be_Used_Limits',
    'https://owasp.org/API-Security/editions/2023/en/0xa6-unrestricted-access-to-sensitive-business-flows/',
    'https://cwe.mitre.org/data/definitions/841.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  namesOwn: true,
  registersOwn: true,
  appliesTo: takesCode,
  variants: [] as OwnCode[],
  probe: (item, { word }, asking) => ownCodesAt(item, word, asking),
  maxRequests: 120,
  proof: {
    plan(_item, variant, { word }) {
      const { value } = variant.field;
      const one = planWithCodes(variant, { key: 'one', word: `${word}a`, password: passwordOf(word) });
      const other = planWithCodes(variant, { key: 'other', word: `${word}b`, password: passwordOf(word) });
      return {
        oneRegistered: one.registered,
        oneLogin: one.login,
        once: one.trying('coupon used', value, true),
        twice: one.trying('the same coupon used again', value),
        thrice: one.trying('the same coupon used a third time', value),
        otherRegistered: other.registered,
        otherLogin: other.login,
        otherOnce: other.trying('coupon used by another account', value, true),
        wrong: other.trying('a code that was never issued', codeLike(value, word), true),
      };
    },
    judge({ once, twice, thrice, otherOnce, wrong }) {
      const [first, refusal] = [toAnswer(once), toAnswer(wrong)];
      if (!first || !refusal || first.status >= 300 || isSame(first, refusal)) return 'VOID';
      const [other, none] = [amountsIn(otherOnce), amountsIn(wrong)];
      const uses = [once, twice, thrice].map(amountsIn);
      const reduced = [...other.keys()].some(
        (pointer) =>
          isReduced(
            pointer,
            uses.map((amounts) => amounts.get(pointer)),
            other.get(pointer),
          ) &&
          // A wrong code changes nothing.
          (none.get(pointer) ?? other.get(pointer)) === other.get(pointer),
      );
      return reduced ? 'PROVED' : 'REFUTED';
    },
  },
  lab: () => couponLab({ vulnerable: { addsUp: true }, safe: {} }),
});
