import { areAlike, judgeTwoSided } from '../../../oracle/two-sided.ts';
import { at, definePointCheck, type Nonce, type Point } from '../../define-active-check.ts';
import { requestWith } from '../../insertion-point.ts';
import { escapeForFilter, findPeople } from '../../labs/ldap.ts';
import { mayMean } from '../../triage.ts';

/** What precedes the bracket that closes the value: the value itself, or a wildcard. */
interface Variant {
  start: 'value' | 'any';
  /** Completes the filter. */
  close(condition: string): string;
}

const LABELS = {
  base: 'value without a condition',
  true1: 'true condition',
  false1: 'false condition',
  true2: 'another true condition',
  false2: 'another false condition',
  broken: 'unbalanced filter',
} as const;

function conditionsOf({ word }: Nonce) {
  return {
    [LABELS.true1]: '(objectClass=*)',
    [LABELS.false1]: `(objectClass=${word})`,
    [LABELS.true2]: `(|(objectClass=*)(objectClass=${word}))`,
    [LABELS.false2]: `(|(objectClass=${word})(objectClass=z${word}))`,
    [LABELS.broken]: '(|((objectClass=*)',
  };
}

const startOf = ({ parameter }: Point, { start }: Variant) => (start === 'any' ? '*' : parameter.value);
const written = (point: Point, variant: Variant, condition: string) =>
  `${startOf(point, variant)})${variant.close(condition)}`;

/** The original closing bracket closes our condition. */
const open = (condition: string) => condition.replace(/\)$/, '');
/** The rest of the filter becomes a separate condition. */
const whole = (condition: string) => `${condition}(!(objectClass=${'z'.repeat(9)})`;

export default definePointCheck<Variant>({
  id: 'ldap-injection',
  provesInterpreter: true,
  title: 'LDAP injection',
  cwe: 90,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  why: 'The value becomes part of an LDAP filter. An attacker changes the filter, reads any attribute of the directory and can bypass a login. True and false filter conditions in the value changed the response consistently; an unbalanced filter did not return the same result.',
  fix: 'Escape the value for LDAP filters (RFC 4515) with the function of your LDAP library. Validate it against an allowlist of characters.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/LDAP_Injection_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/06-Testing_for_LDAP_Injection',
    'https://cwe.mitre.org/data/definitions/90.html',
  ],
  risk: 'harmless',
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, 'wildcard'),
  variants: [
    { start: 'value', close: open },
    { start: 'any', close: open },
    { start: 'value', close: whole },
  ],
  maxRequests: 24,
  async probe(point, nonce, { ask }) {
    const conditions = conditionsOf(nonce);
    for (const variant of this.variants) {
      const isTrue = await ask(requestWith(point, written(point, variant, conditions[LABELS.true1])));
      const base = await ask(requestWith(point, startOf(point, variant)));
      if (!areAlike(base, isTrue)) continue;
      const isFalse = await ask(requestWith(point, written(point, variant, conditions[LABELS.false1])));
      if (!areAlike(isTrue, isFalse)) return [variant];
    }
    return [];
  },
  proof: {
    plan: (point, variant, nonce) => [
      at(point, LABELS.base, startOf(point, variant)),
      ...Object.entries(conditionsOf(nonce)).map(([label, condition]) =>
        at(point, label, written(point, variant, condition)),
      ),
    ],
    judge(answers) {
      const { base, true1, true2, false1, false2, broken } = LABELS;
      return judgeTwoSided(answers, {
        trues: [base, true1, true2],
        falses: [false1, false2],
        broken: [broken],
        harmless: [base],
      });
    },
  },
  lab() {
    const answer = (filter: string) => {
      try {
        return { body: `People: ${findPeople(filter).join(', ')}` };
      } catch {
        return { status: 500, body: 'The directory did not answer' };
      }
    };
    return {
      parameter: 'user',
      value: 'alice',
      vulnerable: (value) => answer(`(&(objectClass=person)(uid=${value}))`),
      safe: (value) => answer(`(&(objectClass=person)(uid=${escapeForFilter(value)}))`),
    };
  },
});
