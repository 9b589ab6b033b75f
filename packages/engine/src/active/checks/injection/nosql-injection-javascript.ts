import { areAlike, judgeTwoSided } from '../../../oracle/two-sided.ts';
import { at, definePointCheck, type Nonce, type Point } from '../../define-active-check.ts';
import { requestWith } from '../../insertion-point.ts';
import { findTeas } from '../../labs/mongo.ts';
import { isReading, unknownLike } from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/** Ends the string before the condition and continues it afterwards. */
interface Variant {
  before: string;
  after: string;
  join: '&&' | '||';
}

const LABELS = {
  base: 'unchanged value',
  true1: 'true condition in JavaScript',
  false1: 'false condition in JavaScript',
  true2: 'another true condition',
  false2: 'another false condition',
  broken: 'invalid JavaScript',
} as const;

/** These functions exist only in JavaScript; SQL databases reject them. */
function conditionsOf({ numbers: [a, b] }: Nonce) {
  const most = Math.max(a, b);
  const digits = String(a * b).length;
  return {
    [LABELS.true1]: `Math.max(${a},${b})==${most}`,
    [LABELS.false1]: `Math.max(${a},${b})==${most + 1}`,
    [LABELS.true2]: `(${a}*${b}).toString().length==${digits}`,
    [LABELS.false2]: `(${a}*${b}).toString().length==${digits + 1}`,
    [LABELS.broken]: `Math.max(${a} ${b})==${most}`,
  };
}

/** For `||`, starts with a value that finds nothing, so that the condition alone decides. */
function written(point: Point, { before, after, join }: Variant, nonce: Nonce, condition: string): string {
  const start = join === '&&' ? point.parameter.value : unknownLike(point, nonce);
  return `${start}${before} ${join} ${condition}${after}`;
}

export default definePointCheck<Variant>({
  id: 'nosql-injection-javascript',
  flaw: { name: 'code-injection', rank: 2 },
  provesInterpreter: true,
  title: 'NoSQL injection (server-side JavaScript)',
  cwe: 943,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  why: 'The value becomes part of a JavaScript condition that the database or the application evaluates for each record, such as $where. An attacker reads any record by true and false conditions. True and false conditions in the value changed the response consistently; invalid JavaScript did not return the same result.',
  fix: 'Do not build JavaScript conditions from requests. Use query operators with the value as data, and disable server-side scripting in the database (MongoDB: security.javascriptEnabled: false).',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05.6-Testing_for_NoSQL_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/943.html',
  ],
  risk: 'harmless',
  appliesTo: (point) => isReading(point) || point.item.method === 'POST',
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, 'addedText', 'expression'),
  variants: [
    { before: "'", after: " && 'a'=='a", join: '&&' },
    { before: '"', after: ' && "a"=="a', join: '&&' },
    { before: '', after: '', join: '&&' },
    { before: "'", after: '//', join: '&&' },
    { before: "'", after: " || 'a'=='b", join: '||' },
    { before: '"', after: ' || "a"=="b', join: '||' },
    { before: '', after: '', join: '||' },
  ],
  maxRequests: 28,
  async probe(point, nonce, { ask }) {
    const base = await ask(requestWith(point, point.parameter.value));
    const conditions = conditionsOf(nonce);
    const unknown = await ask(requestWith(point, unknownLike(point, nonce)));
    for (const variant of this.variants.filter(({ join }) => join === '&&' || isReading(point))) {
      const send = (condition: string) => ask(requestWith(point, written(point, variant, nonce, condition)));
      const isTrue = await send(conditions[LABELS.true1]);
      if (variant.join === '&&' ? !areAlike(base, isTrue) : areAlike(unknown, isTrue)) continue;
      const isFalse = await send(conditions[LABELS.false1]);
      if (!areAlike(isTrue, isFalse)) return [variant];
    }
    return [];
  },
  proof: {
    plan: (point, variant, nonce) => [
      at(point, LABELS.base, point.parameter.value),
      ...Object.entries(conditionsOf(nonce)).map(([label, condition]) =>
        at(point, label, written(point, variant, nonce, condition)),
      ),
    ],
    judge(answers, { join }) {
      const { base, true1, true2, false1, false2, broken } = LABELS;
      return judgeTwoSided(answers, {
        trues: [...(join === '&&' ? [base] : []), true1, true2],
        falses: [false1, false2],
        broken: [broken],
        harmless: [base],
      });
    },
  },
  lab() {
    const answer = (query: Parameters<typeof findTeas>[0]) => {
      try {
        return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(findTeas(query)) };
      } catch {
        return { status: 500, body: 'Something went wrong' };
      }
    };
    return {
      parameter: 'kind',
      value: 'green',
      vulnerable: (value) => answer({ where: `this.kind == '${value}'` }),
      safe: (value) => answer({ kind: value }),
    };
  },
});
