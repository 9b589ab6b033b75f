import { readMadeUpFile } from '../made-up-files.ts';
import { readWords } from './words.ts';

/** An emulated shell: parses lines like sh, but its few commands only compute, print, and record sleeps and calls. */

interface Outcome {
  output: string;
  sleepSeconds: number;
  /** URLs that the command would have requested. */
  calls: string[];
}

interface ShellResult {
  output: string;
  isGood: boolean;
}

const DEEPEST = 8;
const MOST_COMMANDS = 50;
const LONGEST_LINE = 2_000;
const LONGEST_OUTPUT = 4_000;

const good = (output: string): ShellResult => ({ output, isGood: true });
const bad = (output: string): ShellResult => ({ output, isGood: false });

function expr(words: readonly string[]): ShellResult {
  const [one, sign, other] = words;
  const [left, right] = [Number(one), Number(other)];
  const results: Record<string, number> = {
    '*': left * right,
    '+': left + right,
    '-': left - right,
    '/': Math.trunc(left / right),
  };
  const result = results[sign ?? ''];
  return words.length === 3 && Number.isInteger(result) ? good(`${result}\n`) : bad('expr: syntax error\n');
}

const COMMANDS: Record<string, (words: string[], input: string) => ShellResult> = {
  echo: (words) => good(words[0] === '-n' ? words.slice(1).join(' ') : `${words.join(' ')}\n`),
  printf: (words) => good(words.join('').replaceAll('\\n', '\n')),
  expr,
  id: () => good('uid=1000(shop) gid=1000(shop)\n'),
  whoami: () => good('shop\n'),
  hostname: () => good('range\n'),
  uname: () => good('Linux\n'),
  date: () => good('12:30:45\n'),
  cut(words, input) {
    const position = /^-c(\d{1,3})$/.exec(words[0] ?? '')?.[1];
    return position === undefined ? bad('cut: invalid list\n') : good(`${input[Number(position) - 1] ?? ''}\n`);
  },
  pwd: () => good('/srv/shop\n'),
  true: () => good(''),
  false: () => bad(''),
  cat(words, input) {
    const [file] = words;
    const content = file === undefined ? input : readMadeUpFile(file);
    return content === undefined ? bad(`cat: ${file}: No such file or directory\n`) : good(content);
  },
  ping: ([...words]) => good(`PING ${words.at(-1) ?? ''}: 1 packets transmitted, 1 received\n`),
  convert: (words) => good(`written: ${words.at(-1) ?? ''}\n`),
  tar: () => good(''),
};

/**
 * Returns the commands of a line, each with the operator before it. Operators in quotes and brackets do not separate.
 */
function splitLine(line: string): { before: string; command: string }[] {
  const parts: { before: string; command: string }[] = [];
  let [before, command, quote, depth] = ['', '', '', 0];
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (sign === '\\') {
      command += sign + (line[++at] ?? '');
      continue;
    }
    if (quote === '' && (sign === "'" || sign === '"' || sign === '`')) quote = sign;
    else if (sign === quote) quote = '';
    else if (quote === '' && sign === '(') depth++;
    else if (quote === '' && sign === ')') depth--;
    else if (quote === '' && sign === '#' && /^\s?$/.test(line[at - 1] ?? '')) {
      const end = line.indexOf('\n', at);
      at = (end < 0 ? line.length : end) - 1;
      continue;
    }
    const isSeparating = quote === '' && depth === 0 && line[at - 1] !== '>';
    const separator = isSeparating ? /^(?:&&|\|\||[;|&\n])/.exec(line.slice(at))?.[0] : undefined;
    if (separator === undefined) command += sign;
    else {
      parts.push({ before, command });
      [before, command] = [separator, ''];
      at += separator.length - 1;
    }
  }
  return [...parts, { before, command }];
}

const REDIRECTIONS = /\d?>&\d|\d?>{1,2}\s*\S+/g;

export function runShell(line: string): Outcome {
  let sleepSeconds = 0;
  let commands = 0;
  const calls: string[] = [];

  function runCommand(command: string, input: string, depth: number): ShellResult {
    if (depth > DEEPEST || ++commands > MOST_COMMANDS) throw new SyntaxError('sh: too much');
    const substitute = (inner: string) => runLine(inner, depth + 1).replace(/\n+$/, '');
    const [name = '', ...words] = readWords(command.replaceAll(REDIRECTIONS, ''), substitute);
    if (name === '') return good('');
    if (name === 'sleep') {
      sleepSeconds += Math.max(0, Number.parseFloat(words[0] ?? '') || 0);
      return good('');
    }
    if (name === 'curl' || name === 'wget') {
      calls.push(words.findLast((word) => !word.startsWith('-')) ?? '');
      return good('');
    }
    const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    return known?.(words, input) ?? bad(`sh: ${name}: not found\n`);
  }

  function runLine(text: string, depth: number): string {
    let output = '';
    let last = good('');
    for (const { before, command } of splitLine(text)) {
      if ((before === '&&' && !last.isGood) || (before === '||' && last.isGood)) continue;
      const isPiped = before === '|';
      // Output that goes into a pipe is not printed.
      if (isPiped) output = output.slice(0, output.length - last.output.length);
      if (before !== '' && before !== ';' && command.trim() === '' && before !== '&' && before !== '\n') {
        throw new SyntaxError('sh: Syntax error: end of file unexpected');
      }
      last = runCommand(command, isPiped ? last.output : '', depth);
      output = (output + last.output).slice(0, LONGEST_OUTPUT);
    }
    return output;
  }

  if (line.length > LONGEST_LINE) return { output: 'sh: line too long\n', sleepSeconds, calls };
  try {
    return { output: runLine(line, 0), sleepSeconds, calls };
  } catch (error) {
    return { output: `${error instanceof Error ? error.message : error}\n`, sleepSeconds, calls };
  }
}
