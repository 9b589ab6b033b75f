import { judgeComputed } from '../../../oracle/computed.ts';
import { at, definePointCheck, type Nonce } from '../../define-active-check.ts';
import { firstToShow } from '../../shared/try-variants.ts';
import { mayMean } from '../../triage.ts';

/** An expression in a programming language and the syntax around it. */
interface Variant {
  write(word: string, a: number, b: number): string;
  before: string;
  after: string;
}

/** The word in upper case, then the product: neither a calculator nor a page that echoes its input produces that. */
const LANGUAGES: { write: Variant['write']; around: (readonly [before: string, after: string])[] }[] = [
  {
    write: (word, a, b) => `'${word}'.toUpperCase()+(${a}*${b})`,
    around: [
      ['', ''],
      ["'+", "+'"],
      ['"+', '+"'],
      // Where the result is not shown, the message of an error may show it.
      ['null[', ']'],
    ],
  },
  {
    write: (word, a, b) => `'${word}'.upper()+str(${a}*${b})`,
    around: [
      ['', ''],
      ["'+", "+'"],
      ['"+', '+"'],
      ['{}[', ']'],
    ],
  },
  {
    write: (word, a, b) => `strtoupper('${word}').(${a}*${b})`,
    around: [
      ['', ''],
      ['print(', ');'],
      ["'.", ".'"],
      ['".', '."'],
      [';print(', ');//'],
    ],
  },
  {
    write: (word, a, b) => `'${word}'.upcase+(${a}*${b}).to_s`,
    around: [
      ['', ''],
      ["'+", "+'"],
      ['"+', '+"'],
      ['{}.fetch ', ''],
    ],
  },
  {
    write: (word, a, b) => `uc('${word}').(${a}*${b})`,
    around: [
      ['', ''],
      ["'.", ".'"],
      ['".', '."'],
    ],
  },
];
const LABELS = {
  base: 'unchanged value',
  attack: 'expression in program code',
  control: 'same expression with a syntax error',
} as const;

const expected = ({ word, numbers: [a, b] }: Nonce) => `${word.toUpperCase()}${a * b}`;

/** Keeps the value before a quote; an expression on its own replaces it. */
function written({ write, before, after }: Variant, value: string, { word, numbers: [a, b] }: Nonce): string {
  return `${/['";]/.test(before) ? value : ''}${before}${write(word, a, b)}${after}`;
}

export default definePointCheck<Variant>({
  id: 'code-injection',
  flaw: { name: 'code-injection', rank: 4 },
  provesInterpreter: true,
  title: 'Server-side code injection',
  cwe: 95,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
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
  variants: LANGUAGES.flatMap(({ write, around }) => around.map(([before, after]) => ({ write, before, after }))),
  maxRequests: 28,
  async probe(point, nonce, { ask }) {
    const write = (variant: Variant) => written(variant, point.parameter.value, nonce);
    return firstToShow(this.variants, expected(nonce), write, { point, ask });
  },
  proof: {
    plan(point, variant, nonce) {
      const attack = written(variant, point.parameter.value, nonce);
      return [
        at(point, LABELS.base, point.parameter.value),
        at(point, LABELS.attack, attack),
        at(point, LABELS.control, attack.replace(')', '')),
      ];
    },
    judge: (answers, _variant, nonce) =>
      judgeComputed(answers, { [LABELS.attack]: expected(nonce) }, [LABELS.base, LABELS.control]),
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
