import { judgeComputed } from '../../../oracle/computed.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { fill } from '../../shared/fill.ts';
import { firstToShow } from '../../shared/try-variants.ts';
import { mayMean } from '../../triage.ts';

/** An expression in a programming language and the syntax around it. */
interface Variant {
  /** With placeholders for the word and the numbers. */
  expression: string;
  before: string;
  after: string;
}

/** The word in upper case, then the product: neither a calculator nor a page that echoes its input produces that. */
const LANGUAGES: { expression: string; around: (readonly [before: string, after: string])[] }[] = [
  {
    expression: "'{word}'.toUpperCase()+({a}*{b})",
    around: [
      ['', ''],
      ["'+", "+'"],
      ['"+', '+"'],
      // Where the result is not shown, the message of an error may show it.
      ['null[', ']'],
    ],
  },
  {
    expression: "'{word}'.upper()+str({a}*{b})",
    around: [
      ['', ''],
      ["'+", "+'"],
      ['"+', '+"'],
      ['{}[', ']'],
    ],
  },
  {
    expression: "strtoupper('{word}').({a}*{b})",
    around: [
      ['', ''],
      ['print(', ');'],
      ["'.", ".'"],
      ['".', '."'],
      [';print(', ');//'],
    ],
  },
  {
    expression: "'{word}'.upcase+({a}*{b}).to_s",
    around: [
      ['', ''],
      ["'+", "+'"],
      ['"+', '+"'],
      ['{}.fetch ', ''],
    ],
  },
  {
    expression: "uc('{word}').({a}*{b})",
    around: [
      ['', ''],
      ["'.", ".'"],
      ['".', '."'],
    ],
  },
];

const expected = ({ word, numbers: [a, b] }: Nonce) => `${word.toUpperCase()}${a * b}`;

/** Keeps the value before a quote; an expression on its own replaces it. */
function written({ expression, before, after }: Variant, value: string, { word, numbers: [a, b] }: Nonce): string {
  return `${/['";]/.test(before) ? value : ''}${before}${fill(expression, { word, a, b })}${after}`;
}

const VARIANTS: readonly Variant[] = LANGUAGES.flatMap(({ expression, around }) =>
  around.map(([before, after]) => ({ expression, before, after })),
);

export default definePointCheck({
  id: 'code-injection',
  flaw: { name: 'code-injection', rank: 4 },
  provesInterpreter: true,
  title: 'Server-side code injection',
  cwe: 95,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact:
    'An attacker runs arbitrary code on the server with the privileges of the application, and reads or changes all its data.',
  why: 'The server evaluates the value as program code, for example by eval(). An attacker runs arbitrary code with the privileges of the application. An expression in the value was computed and its result appeared in the response; the same expression with a syntax error had no result.',
  fix: 'Never pass request data to eval() or similar functions. Parse the value with a parser for the expected format, such as JSON, a number or a formula grammar.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Injection_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/11-Testing_for_Code_Injection',
    'https://cwe.mitre.org/data/definitions/95.html',
  ],
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage) => mayMean(triage, 'addedText', 'expression'),
  variants: VARIANTS,
  maxRequests: 28,
  async probe(point, nonce, { ask }) {
    const write = (variant: Variant) => written(variant, point.parameter.value, nonce);
    return firstToShow(VARIANTS, expected(nonce), write, { point, ask });
  },
  proof: {
    plan(point, variant, nonce) {
      const attack = written(variant, point.parameter.value, nonce);
      return {
        base: at(point, 'unchanged value', point.parameter.value, { isControl: true }),
        attack: at(point, 'expression in program code', attack),
        control: at(point, 'same expression with a syntax error', attack.replace(')', ''), { isControl: true }),
      };
    },
    judge: ({ base, attack, control }, _variant, nonce) => judgeComputed([[attack, expected(nonce)]], [base, control]),
  },
  lab() {
    const { runInNewContext } = process.getBuiltinModule('node:vm');
    const evaluate = (code: string) => {
      try {
        return { body: `The result is ${runInNewContext(code)}` };
      } catch {
        return { status: 500, body: 'This is no formula' };
      }
    };
    return {
      parameter: 'formula',
      value: '3*4',
      vulnerable: evaluate,
      // A calculator: computes products too and echoes everything else.
      safe: (value) => (/^[\d\s.()*+/-]+$/.test(value) ? evaluate(value) : { body: `Not a formula: ${value}` }),
    };
  },
});
