import type { Point } from '../../define-active-check.ts';
import type { Nonce } from '../../experiment.ts';
import { escapeForFilter, findPeople } from '../../labs/ldap.ts';
import { defineBooleanCheck } from '../../shared/boolean-check.ts';
import { mayMean } from '../../triage.ts';

/**
 * What precedes the bracket that closes the value: the value itself, a wildcard, or a word that no entry has, so that the
 * condition decides inside of an OR.
 */
interface Variant {
  start: 'value' | 'any' | 'nothing';
  /** How the filter is completed. */
  close: keyof typeof CLOSINGS;
}

function startOf({ parameter }: Point, { start }: Variant, { word }: Nonce): string {
  if (start === 'value') return parameter.value;
  return start === 'any' ? '*' : word;
}

const CLOSINGS = {
  /** The original closing bracket closes our condition. */
  open: (condition: string) => condition.replace(/\)$/, ''),
  /** The rest of the filter becomes a separate condition. */
  whole: (condition: string) => `${condition}(!(objectClass=${'z'.repeat(9)})`,
};

export default defineBooleanCheck<Variant>({
  id: 'ldap-injection',
  provesInterpreter: true,
  title: 'LDAP injection',
  cwe: 90,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker reads entries and attributes of the directory, such as users and groups, and may log in without a password.',
  why: 'The value becomes part of an LDAP filter. An attacker changes the filter, reads any attribute of the directory and can bypass a login. True and false filter conditions in the value changed the response consistently; an unbalanced filter did not return the same result.',
  fix: 'Escape the value for LDAP filters (RFC 4515) with the function of your LDAP library. Validate it against an allowlist of characters.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/LDAP_Injection_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/06-Testing_for_LDAP_Injection',
    'https://cwe.mitre.org/data/definitions/90.html',
  ],
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, 'wildcard', 'filter'),
  variants: [
    { start: 'value', close: 'open' },
    { start: 'any', close: 'open' },
    { start: 'value', close: 'whole' },
    { start: 'nothing', close: 'open' },
    { start: 'nothing', close: 'whole' },
  ],
  maxRequests: 30,
  base: {
    label: 'value without a condition',
    write: ({ parameter }, { start }) => (start === 'any' ? '*' : parameter.value),
  },
  isOr: ({ start }) => start === 'nothing',
  alwaysTriesOr: true,
  onlyQueries: true,
  invalidLabel: 'unbalanced filter',
  conditions: ({ word }) => ({
    pairs: [
      { label: (truth) => `${truth} condition`, true: '(objectClass=*)', false: `(objectClass=${word})` },
      {
        label: (truth) => `another ${truth} condition`,
        true: `(|(objectClass=*)(objectClass=${word}))`,
        false: `(|(objectClass=${word})(objectClass=z${word}))`,
      },
    ],
    invalid: '(|((objectClass=*)',
  }),
  write: (point, variant, nonce, condition) =>
    `${startOf(point, variant, nonce)})${CLOSINGS[variant.close](condition)}`,
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
