import { findTeas } from '../../labs/mongo.ts';
import { defineBooleanCheck } from '../../shared/boolean-check.ts';
import { isReading, unknownLike } from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/** Ends the string before the condition and continues it afterwards. */
interface Variant {
  before: string;
  after: string;
  join: '&&' | '||';
}

export default defineBooleanCheck<Variant>({
  id: 'nosql-injection-javascript',
  flaw: { name: 'code-injection', rank: 2 },
  provesInterpreter: true,
  title: 'NoSQL injection (server-side JavaScript)',
  cwe: 943,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker reads all documents of the collection, and can bypass filters and logins that use it.',
  why: 'The value becomes part of a JavaScript condition that the database or the application evaluates for each record, such as $where. An attacker reads any record by true and false conditions. True and false conditions in the value changed the response consistently; invalid JavaScript did not return the same result.',
  fix: 'Do not build JavaScript conditions from requests. Use query operators with the value as data, and disable server-side scripting in the database (MongoDB: security.javascriptEnabled: false).',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/05.6-Testing_for_NoSQL_Injection',
    'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/943.html',
  ],
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
  invalidLabel: 'invalid JavaScript',
  isOr: ({ join }) => join === '||',
  alwaysTriesOr: true,
  conditions({ numbers: [a, b] }) {
    const most = Math.max(a, b);
    const digits = String(a * b).length;
    return {
      // These functions exist only in JavaScript; SQL databases reject them.
      pairs: [
        {
          label: (truth) => `${truth} condition in JavaScript`,
          true: `Math.max(${a},${b})==${most}`,
          false: `Math.max(${a},${b})==${most + 1}`,
        },
        {
          label: (truth) => `another ${truth} condition`,
          true: `(${a}*${b}).toString().length==${digits}`,
          false: `(${a}*${b}).toString().length==${digits + 1}`,
        },
      ],
      invalid: `Math.max(${a} ${b})==${most}`,
    };
  },
  write(point, { before, after, join }, nonce, condition) {
    const start = join === '&&' ? point.parameter.value : unknownLike(point, nonce);
    return `${start}${before} ${join} ${condition}${after}`;
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
