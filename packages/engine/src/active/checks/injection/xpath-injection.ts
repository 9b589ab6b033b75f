import { areAlike, judgeTwoSided } from '../../../oracle/two-sided.ts';
import { at, definePointCheck, type Nonce, type Point } from '../../define-active-check.ts';
import { requestWith } from '../../insertion-point.ts';
import { findByPath } from '../../labs/xpath.ts';
import { isReading, unknownLike } from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/** How the condition is joined to the value; `or` is for values that find nothing. */
interface Variant {
  quote: string;
  join: 'and' | 'or';
}

const LABELS = {
  base: 'unchanged value',
  true1: 'true condition in XPath',
  false1: 'false condition in XPath',
  true2: 'another true condition',
  false2: 'another false condition',
  broken: 'invalid XPath',
} as const;

/** Functions that exist in neither SQL nor JavaScript. */
function conditionsOf({ word, numbers: [a] }: Nonce) {
  return {
    [LABELS.true1]: 'count(/*)=1',
    [LABELS.false1]: `count(/*)=${a}`,
    [LABELS.true2]: `string-length(concat(${a},${word.length}))=6`,
    [LABELS.false2]: `string-length(concat(${a},${word.length}))=7`,
    [LABELS.broken]: 'count(/*=1',
  };
}

function written({ parameter }: Point, { quote, join }: Variant, condition: string, { word }: Nonce): string {
  const start = join === 'and' ? parameter.value : word;
  if (quote === '') return `${join === 'and' ? start : 0} ${join} ${condition}`;
  const rest = join === 'and' ? `${quote}a${quote}=${quote}a` : `${quote}a${quote}=${quote}b`;
  return `${start}${quote} ${join} ${condition} ${join} ${rest}`;
}

export default definePointCheck<Variant>({
  id: 'xpath-injection',
  provesInterpreter: true,
  title: 'XPath injection',
  cwe: 643,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: 'The value becomes part of an XPath expression. An attacker reads the complete XML document by true and false conditions, and can bypass a login. True and false XPath conditions in the value changed the response consistently; invalid XPath did not return the same result.',
  fix: 'Pass the value as an XPath variable, or search the document in application code. Reject quotes where the format does not need them.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/09-Testing_for_XPath_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/643.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, 'condition', 'expression'),
  variants: (['and', 'or'] as const).flatMap((join) => ["'", '"', ''].map((quote) => ({ quote, join }))),
  maxRequests: 26,
  async probe(point, nonce, { ask }) {
    const conditions = conditionsOf(nonce);
    const base = await ask(requestWith(point, point.parameter.value));
    const unknown = await ask(requestWith(point, unknownLike(point, nonce)));
    const mayUseOr = isReading(point) && areAlike(base, unknown);
    for (const variant of this.variants) {
      if (variant.join === 'or' && !mayUseOr) continue;
      const isTrue = await ask(requestWith(point, written(point, variant, conditions[LABELS.true1], nonce)));
      if (areAlike(base, isTrue) !== (variant.join === 'and')) continue;
      const isFalse = await ask(requestWith(point, written(point, variant, conditions[LABELS.false1], nonce)));
      if (!areAlike(isTrue, isFalse)) return [variant];
    }
    return [];
  },
  proof: {
    plan: (point, variant, nonce) => [
      at(point, LABELS.base, point.parameter.value),
      ...Object.entries(conditionsOf(nonce)).map(([label, condition]) =>
        at(point, label, written(point, variant, condition, nonce)),
      ),
    ],
    judge(answers, { join }) {
      const { base, true1, true2, false1, false2, broken } = LABELS;
      return judgeTwoSided(answers, {
        trues: [...(join === 'and' ? [base] : []), true1, true2],
        falses: [false1, false2],
        broken: [broken],
        harmless: [base],
      });
    },
  },
  lab() {
    const answer = (condition: string) => {
      try {
        return { body: `Teas: ${findByPath(condition).join(', ')}` };
      } catch {
        return { status: 500, body: 'Something went wrong' };
      }
    };
    return {
      parameter: 'kind',
      value: 'green',
      vulnerable: (value) => answer(`kind='${value}'`),
      safe: (value) => (/^\w+$/.test(value) ? answer(`kind='${value}'`) : { body: 'Teas: ' }),
    };
  },
});
