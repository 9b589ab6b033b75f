import { judgeComputed } from '../../../oracle/computed.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { quoteForShell, runShell } from '../../labs/shell.ts';
import { fill } from '../../shared/fill.ts';
import { withSpaces } from '../../shared/rewritings.ts';
import { firstToShow } from '../../shared/try-variants.ts';
import { mayMean } from '../../triage.ts';

/** How the command is separated, with a placeholder for it, and how it is written. */
interface Variant {
  separated: string;
  command: keyof typeof COMMANDS;
}

const COMMANDS = {
  'no space': (a: number, b: number) => withSpaces(`expr ${a} \\* ${b}`, 'shell'),
  'no space, no backslash': (a: number, b: number) => withSpaces(`echo $((${a}*${b}))`, 'shell'),
  tabs: (a: number, b: number) => withSpaces(`expr ${a} \\* ${b}`, 'tab'),
  'quoted name': (a: number, b: number) => withSpaces(`e''cho $((${a}*${b}))`, 'shell'),
  'escaped name': (a: number, b: number) => withSpaces(`e\\cho $((${a}*${b}))`, 'shell'),
} as const;

const variant = (separated: string, command: Variant['command']): Variant => ({ separated, command });

/** The most likely first. A filter of separators leaves pipes, line breaks, substitutions or single ampersands. */
const VARIANTS: readonly Variant[] = [
  variant('|{command}', 'no space'),
  variant('|{command}', 'no space, no backslash'),
  variant('\n{command}', 'no space'),
  variant('\n{command}\n', 'tabs'),
  variant('$({command})', 'no space, no backslash'),
  variant('`{command}`', 'no space, no backslash'),
  variant(';{command};', 'no space'),
  variant('&{command}&', 'no space'),
  variant('&&{command}', 'no space, no backslash'),
  variant('|{command}', 'quoted name'),
  variant(';{command}', 'escaped name'),
  variant('"|{command}|"', 'no space'),
];

const write = ({ separated, command }: Variant, value: string, a: number, b: number) =>
  `${value}${fill(separated, { command: COMMANDS[command](a, b) })}`;

export default definePointCheck({
  id: 'command-injection-filtered',
  flaw: { name: 'command-injection', rank: 4 },
  provesInterpreter: true,
  title: 'OS command injection behind a filter',
  cwe: 78,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact:
    'An attacker runs arbitrary commands on the server with the privileges of the application, and reads their output.',
  why: 'The value becomes part of a shell command, and a filter that should prevent it overlooks other spellings. An attacker runs arbitrary programs on the server with the privileges of the application. A command without spaces multiplied two numbers, and the response contained the product; without a command separator it did not.',
  fix: 'Start programs without a shell and pass the value as a separate argument (execFile, subprocess with a list). Validate it against an allowlist of values; a denylist of characters is never complete.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/12-Testing_for_Command_Injection',
    'https://cwe.mitre.org/data/definitions/78.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage) => mayMean(triage, 'command'),
  variants: VARIANTS,
  maxRequests: 22,
  async probe(point, nonce, { ask }) {
    const [a, b] = nonce.numbers;
    return firstToShow(VARIANTS, String(a * b), (each) => write(each, point.parameter.value, a, b), { point, ask });
  },
  proof: {
    plan(point, each, { numbers: [a, b, c] }) {
      const { value } = point.parameter;
      return {
        base: at(point, 'unchanged value', value, { isControl: true }),
        attack: at(point, 'command that multiplies two numbers, past a filter', write(each, value, a, b)),
        control: at(point, 'the same numbers without a command', `${value}${a}${b}`, { isControl: true }),
        other: at(point, 'the same command with other numbers', write(each, value, b, c)),
      };
    },
    judge({ base, attack, control, other }, _variant, { numbers: [a, b, c] }) {
      const products = [
        [attack, String(a * b)],
        [other, String(b * c)],
      ] as const;
      return judgeComputed(products, [base, control]);
    },
  },
  lab() {
    const filtered = (commandOf: (value: string) => string) => (value: string) =>
      /[ ;&]/.test(value) ? { status: 400, body: 'This is no name' } : { body: runShell(commandOf(value)).output };
    return {
      parameter: 'host',
      value: 'shop.test',
      vulnerable: filtered((value) => `echo Looking for ${value}`),
      safe: filtered((value) => `echo Looking for ${quoteForShell(value)}`),
    };
  },
});
