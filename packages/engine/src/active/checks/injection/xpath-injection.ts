import { findByPath } from '../../labs/xpath.ts';
import { defineBooleanCheck } from '../../shared/boolean-check.ts';
import { mayMean } from '../../triage.ts';

/** How the condition is joined to the value; `or` is for values that find nothing. */
interface Variant {
  quote: string;
  join: 'and' | 'or';
}

export default defineBooleanCheck<Variant>({
  id: 'xpath-injection',
  provesInterpreter: true,
  title: 'XPath injection',
  cwe: 643,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads the whole XML document, such as users and passwords, and can bypass a login that uses it.',
  why: 'The value becomes part of an XPath expression. An attacker reads the complete XML document by true and false conditions, and can bypass a login. True and false XPath conditions in the value changed the response consistently; invalid XPath did not return the same result.',
  fix: 'Pass the value as an XPath variable, or search the document in application code. Reject quotes where the format does not need them.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/09-Testing_for_XPath_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/643.html',
  ],
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage) => triage.isStable && mayMean(triage, 'condition', 'expression'),
  variants: (['and', 'or'] as const).flatMap((join) => ["'", '"', ''].map((quote) => ({ quote, join }))),
  maxRequests: 26,
  invalidLabel: 'invalid XPath',
  isOr: ({ join }) => join === 'or',
  onlyQueries: true,
  conditions: ({ word, numbers: [a] }) => ({
    // Functions that exist in neither SQL nor JavaScript.
    pairs: [
      { label: (truth) => `${truth} condition in XPath`, true: 'count(/*)=1', false: `count(/*)=${a}` },
      {
        label: (truth) => `another ${truth} condition`,
        true: `string-length(concat(${a},${word.length}))=6`,
        false: `string-length(concat(${a},${word.length}))=7`,
      },
    ],
    invalid: 'count(/*=1',
  }),
  write({ parameter }, { quote, join }, { word }, condition) {
    const start = join === 'and' ? parameter.value : word;
    if (quote === '') return `${join === 'and' ? start : 0} ${join} ${condition}`;
    const rest = join === 'and' ? `${quote}a${quote}=${quote}a` : `${quote}a${quote}=${quote}b`;
    return `${start}${quote} ${join} ${condition} ${join} ${rest}`;
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
