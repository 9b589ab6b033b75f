import { evaluate } from '../expression/evaluate.ts';

/** Word expansion of a shell: quotes, `$(…)`, backticks, `$((…))` and variables. */

/** Runs a command and returns its output. */
type Substitute = (command: string) => string;

const VARIABLES: Record<string, string> = { IFS: ' ', HOME: '/srv/shop', USER: 'shop', PWD: '/srv/shop' };

/** Returns the index of the matching closing bracket, or -1. */
function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

/** Returns the expansion of a dollar sign or backtick, and where it ends. */
function expansionAt(text: string, at: number, substitute: Substitute): { value: string; end: number } | undefined {
  if (text[at] === '`') {
    const end = text.indexOf('`', at + 1);
    return end < 0 ? undefined : { value: substitute(text.slice(at + 1, end)), end };
  }
  if (text.startsWith('$((', at)) {
    const end = closing(text, at + 1);
    return end < 0 ? undefined : { value: arithmetic(text.slice(at + 3, end - 1)), end };
  }
  if (text.startsWith('$(', at)) {
    const end = closing(text, at + 1);
    return end < 0 ? undefined : { value: substitute(text.slice(at + 2, end)), end };
  }
  const variable = /^\$(?:\{(\w+)\}|(\w+)|@)/.exec(text.slice(at));
  return variable
    ? { value: VARIABLES[variable[1] ?? variable[2] ?? ''] ?? '', end: at + variable[0].length - 1 }
    : undefined;
}

function arithmetic(text: string): string {
  return /^[\d\s()+*/%-]+$/.test(text) ? String(Math.trunc(Number(evaluate(text)))) : '0';
}

/** Throws if a quote or bracket is unterminated, as a shell does. */
export function readWords(command: string, substitute: Substitute): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const sign = command[at] ?? '';
    if (quote === "'" && sign !== "'") word += sign;
    else if ((sign === "'" && quote !== '"') || (sign === '"' && quote !== "'")) {
      quote = quote === '' ? sign : '';
      word ??= '';
    } else if (sign === '\\') word = (word ?? '') + (command[++at] ?? '');
    else if (sign === '$' || sign === '`') {
      const expansion = expansionAt(command, at, substitute);
      if (!expansion && (sign === '`' || command.startsWith('$(', at))) throw new SyntaxError('sh: unexpected EOF');
      const [first = '', ...rest] =
        quote === '"' || !expansion ? [expansion?.value ?? sign] : expansion.value.split(/\s+/);
      if (expansion) at = expansion.end;
      word = (word ?? '') + first;
      for (const next of rest) {
        words.push(word);
        word = next;
      }
    } else if (/\s/.test(sign) && quote === '') {
      if (word) words.push(word);
      word = undefined;
    } else word = (word ?? '') + sign;
  }
  if (quote !== '') throw new SyntaxError('sh: Unterminated quoted string');
  return word === undefined ? words : [...words, word];
}
