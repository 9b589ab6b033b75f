import { type ComparedAnswer, isSameInOrder, toAnswer } from '../oracle/compare.ts';
import { textOf } from '../oracle/private-content.ts';
import type { Asking, Point } from './define-active-check.ts';
import type { Nonce } from './experiment.ts';
import { meaningsOf } from './infer-interpreter.ts';
import { requestWith } from './insertion-point.ts';
import { areSilent, lookBehindSilence, outcomeOf } from './silence.ts';
import { compareSteadily } from './steady-json.ts';
import type { Meaning, Triage } from './triage-result.ts';
import { usualAnswer } from './usual-answer.ts';

/** Whether more than an echo depends on the value. */
const isResponsive = ({ isReactive, isRead }: Triage) => isReactive || isRead;

/**
 * Returns whether one of these interpreters may read the value. If spellings cannot be compared, or a server error has
 * no explanation, any interpreter is possible.
 */
export function mayMean(triage: Triage, ...ways: readonly Meaning[]): boolean {
  const { isBroken, meanings } = triage;
  if (!meanings) return isResponsive(triage);
  return ways.some((each) => meanings.has(each)) || (isBroken && meanings.size === 0);
}

/** How programming languages word a syntax error. Parsers of JSON and of query languages and shells do so alike. */
const SYNTAX_ERROR =
  /\bunexpected (?:token|identifier|end of input|string|number)\b|invalid or unexpected token|\bSyntaxError: (?:invalid|unterminated|unexpected|EOL)|\bParseError\b|\bsyntax error, unexpected\b/i;
const OTHER_PARSER =
  /\bJSON\b|sql\b|jdbc|\bhql\b|\bin statement\b|\bnear line\b|\bquery|\bsh\b|\bbash\b|near unexpected|\bcommand\b/i;
const AROUND = 80;

/** Returns whether the response shows that a programming language has read the value. */
function tellsOfProgram(text: string): boolean {
  const { 0: words = '', index = 0 } = SYNTAX_ERROR.exec(text) ?? {};
  return words !== '' && !OTHER_PARSER.test(text.slice(Math.max(0, index - AROUND), index + words.length + AROUND));
}

/** Breaks strings, statements and templates in most languages, and is valid in none. */
const ODD = '`z\'z"${{%{{\\';
/** Also leaves a filter or an expression in brackets, and names a folder that does not exist. */
const ODDER = `)(/${ODD}`;

/** Some targets cut the end of a value, or replace it. */
const MOST_CUT = 2;

type TriageInput = Pick<Asking, 'ask'> & Partial<Pick<Asking, 'known' | 'memory'>>;

/** Sends three requests if nothing depends on the value, and a few more to find the interpreter if something does. */
export async function triage(point: Point, { word }: Nonce, { ask, known, memory }: TriageInput): Promise<Triage> {
  const { value } = point.parameter;
  const isThorough = (known?.depth ?? 'LEAD') !== 'LEAD';
  // Many servers refuse a slash in a path, whatever reads the value.
  const odd = `${word}${isThorough && point.parameter.location !== 'path' ? ODDER : ODD}`;
  const base = await usualAnswer(point, { ask, ...(memory && { memory }) });
  const plain = await ask(requestWith(point, word));
  const broken = await ask(requestWith(point, odd));
  if (base.response && value !== '' && areSilent(plain, broken)) {
    const silent = await lookBehindSilence(point, { value, base, ask, memory });
    if (silent) return silent;
  }
  const { body, headers = [] } = plain.response ?? {};
  const isInHeader = headers.some(([, text]) => text.includes(word));
  const isWhole = isInHeader || (body?.toString() ?? '').includes(word);
  const isCut = !isWhole && (body?.toString() ?? '').includes(word.slice(0, -MOST_CUT));
  const isReflected = isWhole || isCut;
  // If the value is not echoed, its occurrences in the page are results of the request.
  const echoes = isReflected ? [odd, word, value] : [odd, word];
  const noise = isCut ? echoes.flatMap((echo) => [echo, echo.slice(0, -1), echo.slice(0, -MOST_CUT)]) : echoes;
  const [usual, ofPlain, ofOdd] = [base, plain, broken].map((each) => toAnswer(each, noise));
  // Only the plain word got no response, so the target is reachable and the word caused a hang.
  const isStuck = usual !== undefined && ofPlain === undefined && ofOdd !== undefined;
  const isRead = isStuck || differ(usual, ofPlain);
  const outcome = outcomeOf(base);
  const seen = { isReflected, isInHeader, isReactive: differ(ofPlain, ofOdd), isRead, outcome };
  const isBroken = (ofOdd?.status ?? 0) >= 500 && [usual, ofPlain].every((each) => (each?.status ?? 500) < 500);
  if (!seen.isReactive && !seen.isRead) return { ...seen, isStable: true, isBroken, meanings: new Set() };
  // An error that names the interpreter makes it needless to look for others, which takes many requests.
  const isProgram =
    seen.isReactive && tellsOfProgram(textOf(broken)) && ![base, plain].some((each) => tellsOfProgram(textOf(each)));
  // If special characters had no effect, two equal responses already prove stability.
  const again = seen.isReactive ? await ask(requestWith(point, value)) : base;
  const isStable = !differ(usual, toAnswer(again, noise));
  if (isProgram) return { ...seen, isStable, isBroken, meanings: new Set(['expression', 'addedText']) };
  const isAlike = isStable ? undefined : compareSteadily(base, again);
  const [asUsual, asPlain, asOdd] = [
    { exchange: base, value },
    { exchange: plain, value: word },
    { exchange: broken, value: odd },
  ];
  if (isAlike?.(asUsual, asPlain) && isAlike(asPlain, asOdd))
    return { ...seen, isReactive: false, isRead: false, isStable, isBroken, meanings: new Set() };
  if (!isStable) return { ...seen, isStable, isBroken, meanings: undefined };
  const looking = value === '' ? { value: word, base: plain } : { value, base };
  const meanings = await meaningsOf(point, { ...looking, isReflected, isThorough, ask });
  return { ...seen, isStable, isBroken, meanings };
}

const differ = (a: ComparedAnswer | undefined, b: ComparedAnswer | undefined) =>
  a !== undefined && b !== undefined && !isSameInOrder(a, b);
