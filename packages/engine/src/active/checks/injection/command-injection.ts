import { judgeComputed } from '../../../oracle/computed.ts';
import { definePointCheck, type Point } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { quoteForShell, runShell } from '../../labs/shell.ts';
import { fill } from '../../shared/fill.ts';
import { firstToShow } from '../../shared/try-variants.ts';
import { mayMean } from '../../triage.ts';

/** How our command is separated from the original one. */
interface Variant {
  /** With a placeholder for the command. */
  separated: string;
  system: 'unix' | 'windows';
  /** The command replaces the value, which is a command itself. */
  isWhole?: boolean;
  /** Without a shell, nothing removes the backslash. */
  isUnescaped?: boolean;
}

/** A value that a target may run as it is, such as "ls -l" in a field. */
const COMMAND_LINE =
  /^(?:cat|cmd|curl|date|df|dig|dir|echo|hostname|id|ifconfig|ipconfig|ls|netstat|nslookup|ping|ps|pwd|uname|uptime|ver|wget|whoami)(?:\.exe)?(?:\s|$)/i;
const isCommandLine = ({ parameter }: Pick<Point, 'parameter'>) => COMMAND_LINE.test(parameter.value);

const COMMANDS = {
  unix: (a: number, b: number) => `expr ${a} \\* ${b}`,
  windows: (a: number, b: number) => `set /a ${a}*${b}`,
};

const unix = (separated: string): Variant => ({ separated, system: 'unix' });
const windows = (separated: string): Variant => ({ separated, system: 'windows' });

function write({ separated, system, isWhole, isUnescaped }: Variant, value: string, a: number, b: number): string {
  const command = COMMANDS[system](a, b);
  return `${isWhole ? '' : value}${fill(separated, { command: isUnescaped ? command.replace('\\', '') : command })}`;
}

const VARIANTS: readonly Variant[] = [
  unix(';{command};'),
  unix('|{command}'),
  unix('$({command})'),
  unix('`{command}`'),
  unix('\n{command}\n'),
  unix('";{command};"'),
  unix("';{command};'"),
  unix('||{command}||'),
  windows('&{command}&'),
  windows('"&{command}&"'),
  { ...unix('{command}'), isWhole: true, isUnescaped: true },
  { ...unix('{command}'), isWhole: true },
];

export default definePointCheck({
  id: 'command-injection',
  flaw: { name: 'command-injection', rank: 1 },
  provesInterpreter: true,
  title: 'OS command injection',
  cwe: 78,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact:
    'An attacker runs arbitrary commands on the server with the privileges of the application, and reads their output.',
  why: 'The value becomes part of a shell command. An attacker runs arbitrary programs on the server with the privileges of the application. A command in the value multiplied two numbers, and the response contained the product; without a command separator it did not.',
  fix: 'Start programs without a shell and pass the value as a separate argument (execFile, subprocess with a list). Validate it against an allowlist. Prefer a library to an external program.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/12-Testing_for_Command_Injection',
    'https://cwe.mitre.org/data/definitions/78.html',
  ],
  risk: 'harmless',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'fileName', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  isWorthTrying: (triage, point) => mayMean(triage, 'command') || (triage.isRead && isCommandLine(point)),
  variants: VARIANTS,
  maxRequests: 22,
  async probe(point, nonce, { ask, memory }) {
    const [a, b] = nonce.numbers;
    const { value } = point.parameter;
    const fitting = VARIANTS.filter(({ isWhole }) => !isWhole || isCommandLine(point));
    return firstToShow(fitting, String(a * b), (variant) => write(variant, value, a, b), { point, ask, memory });
  },
  proof: {
    plan(point, variant, { numbers: [a, b, c] }) {
      const { value } = point.parameter;
      const unseparated = `${value} ${COMMANDS[variant.system](a, b)}`;
      return {
        base: at(point, 'unchanged value', value, { isControl: true }),
        attack: at(point, 'command that multiplies two numbers', write(variant, value, a, b)),
        control: at(point, 'same command without a separator', unseparated, { isControl: true }),
        other: at(point, 'the same command with other numbers', write(variant, value, b, c)),
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
  lab: () => ({
    parameter: 'host',
    value: 'shop.test',
    vulnerable: (value) => ({ body: runShell(`echo Looking for ${value}`).output }),
    safe: (value) => ({ body: runShell(`echo Looking for ${quoteForShell(value)}`).output }),
  }),
});
