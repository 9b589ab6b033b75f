import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import type { Exchange } from '../../../http/exchange/exchange.ts';
import { areAlike, judgeTwoSided } from '../../../oracle/two-sided.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import { cleanUp, type Nonce, type Observation, type PlannedRequest } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { asPage, openTeaShop } from '../../labs/sql.ts';
import { mayRestore, shownValues, withValues } from '../../shared/own-form.ts';
import { SQL_CVSS, SQL_CVSS4, SQL_FIX, SQL_IMPACT, SQL_REFERENCES } from '../../shared/sql.ts';
import { freeTexts, pagesAfter } from '../../shared/stored-marks.ts';

interface Variant {
  parameter: Parameter;
  /** What ends the value in the statement of the other page. */
  quote: string;
  /** The page that uses the value. */
  url: string;
  /** The request with the values that its page showed before the test. */
  before: InventoryItem;
}

const MOST_TEXTS = 2;
const MOST_PAGES = 10;
const MOST_USING = 2;

/**
 * Conditions are joined by AND and nothing is commented out: whatever statement reads the value later, it finds as many
 * rows as with the original value, or none.
 */
const conditional = (value: string, quote: string, condition: string) =>
  `${value}${quote} AND ${condition} AND ${quote}7${quote}=${quote}7`;
const QUOTES = ["'", '"'];

interface Writing extends Pick<Asking, 'ask'> {
  item: InventoryItem;
  parameter: Parameter;
}

/** Stores a value and resolves to a page as it is then, with the request that carried the value. */
async function viewWith({ item, parameter, ask }: Writing, value: string, url: string): Promise<Exchange> {
  const written = await ask(requestWith({ item, parameter }, value));
  return carrying(await ask({ method: 'GET', url }), written);
}

/** A page that repeats the stored value differs in it alone: the value is an echo of the request that stored it. */
const carrying = <Seen extends Exchange>(page: Seen, written: Pick<Exchange, 'request'>): Seen => ({
  ...page,
  request: { ...page.request, url: written.request.url, body: written.request.body ?? '' },
});

/** Resolves to the pages that show something else when the value is a word. */
async function pagesUsing(writing: Writing, nonce: Nonce, { known }: Asking): Promise<string[]> {
  const { item, parameter, ask } = writing;
  const original = await ask(requestWith({ item, parameter }, parameter.value));
  const pages = pagesAfter(item, original, known).filter(({ as, url }) => as === item.seenAs && url !== item.url);
  const usual = new Map<string, Exchange>();
  for (const { url } of pages.slice(0, MOST_PAGES))
    usual.set(url, carrying(await ask({ method: 'GET', url }), original));
  const changed = await ask(requestWith({ item, parameter }, nonce.word));
  const found: string[] = [];
  for (const [url, before] of usual) {
    const now = carrying(await ask({ method: 'GET', url }), changed);
    if (before.response && now.response && !areAlike(before, now)) found.push(url);
    if (found.length >= MOST_USING) break;
  }
  return found;
}

async function probeText(item: InventoryItem, parameter: Parameter, nonce: Nonce, asking: Asking): Promise<Variant[]> {
  const writing = { item, parameter, ask: asking.ask };
  const [a, , c] = nonce.numbers;
  for (const url of await pagesUsing(writing, nonce, asking)) {
    const usual = await viewWith(writing, parameter.value, url);
    for (const quote of QUOTES) {
      const isTrue = await viewWith(writing, conditional(parameter.value, quote, `${a}=${a}`), url);
      if (!areAlike(usual, isTrue)) continue;
      const isFalse = await viewWith(writing, conditional(parameter.value, quote, `${a}=${c}`), url);
      if (!areAlike(usual, isFalse)) return [{ parameter, quote, url, before: item }];
    }
  }
  return [];
}

/** Returns the texts whose present values are known, so that they can be written back. */
const knownTexts = (before: InventoryItem, shown: ReadonlyMap<string, string> | undefined) =>
  freeTexts(before).filter(({ name, value }) => value !== '' && (shown === undefined || shown.get(name) === value));

export default defineRequestCheck({
  id: 'sql-injection-second-order',
  title: 'Second-order SQL injection',
  cwe: 89,
  cvss: SQL_CVSS,
  cvss4: SQL_CVSS4,
  impact: SQL_IMPACT,
  why: 'The application stores the value safely, and another page later makes it part of an SQL statement. An attacker with an account reads, and often changes, all data of the database. True and false conditions in the stored value changed that page consistently; invalid SQL did not give the same result. The conditions were joined by AND, so that no statement could reach further rows.',
  fix: SQL_FIX,
  references: SQL_REFERENCES,
  risk: 'intrusive',
  depth: 'STANDARD',
  appliesTo: (item) => mayRestore(item) && item.operation === undefined && freeTexts(item).length > 0,
  variants: [] as Variant[],
  maxRequests: 110,
  async probe(item, nonce, asking) {
    const shown = item.method === 'POST' ? await shownValues(item, asking) : undefined;
    const before = shown ? withValues(item, shown) : item;
    const texts = knownTexts(before, shown).slice(0, MOST_TEXTS);
    if (texts.length === 0) return [];
    const change = await asking.willChange([requestOf(before)]);
    const found: Variant[] = [];
    for (const parameter of texts) found.push(...(await probeText(before, parameter, nonce, asking)));
    await change.takeBack();
    // What is not shown again stays in the journal, to be restored when the run ends.
    const after = shown ? await shownValues(item, asking) : undefined;
    if (after && texts.some(({ name, value }) => after.get(name) !== value))
      await asking.willChange([requestOf(before)]);
    return found;
  },
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan(_item, { parameter, quote, url, before }, { word, numbers: [a, b, c] }) {
      const { value } = parameter;
      const writing = (label: string, written: string, isControl = false): PlannedRequest => ({
        label: `${label}, stored`,
        request: requestWith({ item: before, parameter }, written),
        payload: written,
        ...(isControl && { isControl }),
      });
      const viewing = (label: string, isControl = false): PlannedRequest => ({
        label: `page after ${label}`,
        request: { method: 'GET', url },
        ...(isControl && { isControl }),
      });
      const withCondition = (condition: string) => conditional(value, quote, condition);
      return {
        base: writing('original value', value, true),
        baseSeen: viewing('the original value', true),
        true1: writing('true condition', withCondition(`${a}=${a}`)),
        true1Seen: viewing('the true condition'),
        false1: writing('false condition', withCondition(`${a}=${c}`)),
        false1Seen: viewing('the false condition'),
        true2: writing('true condition with a product', withCondition(`${a}*${b}=${a * b}`)),
        true2Seen: viewing('the true condition with a product'),
        false2: writing('false condition with a product', withCondition(`${a}*${b}=${a * b + 1}`)),
        false2Seen: viewing('the false condition with a product'),
        invalid: writing('invalid SQL', withCondition(`${c} ${b}`), true),
        invalidSeen: viewing('invalid SQL', true),
        other: writing('original value with a word', `${value}${word}`, true),
        otherSeen: viewing('the value with a word', true),
        back: cleanUp({ label: 'original value restored', request: requestOf(before) }),
      };
    },
    judge(seen) {
      const view = (page: Observation, written: Observation) => carrying(page, written);
      const base = view(seen.baseSeen, seen.base);
      return judgeTwoSided({
        trues: [base, view(seen.true1Seen, seen.true1), view(seen.true2Seen, seen.true2)],
        falses: [view(seen.false1Seen, seen.false1), view(seen.false2Seen, seen.false2)],
        broken: [view(seen.invalidSeen, seen.invalid), view(seen.otherSeen, seen.other)],
        harmless: [base],
      });
    },
  },
  lab() {
    const ask = openTeaShop(asPage);
    const shop = (find: (kind: string) => ReturnType<typeof ask>) => {
      let kind = 'green';
      return ({ method, path, body }: LabRequest) => {
        if (method === 'POST') kind = new URLSearchParams(body).get('kind') ?? '';
        if (method === 'POST') return { status: 303, headers: { location: 'profile' } };
        if (path === '/favourites') return find(kind);
        const field = kind.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        const form = `<form method="post" action="profile"><input name="kind" value="${field}"></form>`;
        return { headers: { 'content-type': 'text/html' }, body: form };
      };
    };
    const page = { method: 'GET' as const, parameters: [], seenAs: 'alice', contentType: 'text/html' };
    return {
      item: {
        method: 'POST',
        url: '/profile',
        parameters: [{ location: 'form', name: 'kind', value: 'green' }],
        body: { type: 'application/x-www-form-urlencoded', text: 'kind=green' },
        seenAs: 'alice',
        contentType: 'text/html',
      },
      others: [
        { ...page, url: '/profile' },
        { ...page, url: '/favourites' },
      ],
      vulnerable: shop((kind) => ask(`select name from tea where kind = '${kind}'`)),
      safe: shop((kind) => ask('select name from tea where kind = ?', kind)),
    };
  },
});
