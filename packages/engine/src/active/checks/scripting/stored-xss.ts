import { effectOf } from '../../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { requestOf } from '../../../crawl/requests/write-request.ts';
import { MARKUP, oddValue, type Payload, payloadsFor, pressing, writePayload } from '../../../oracle/payloads.ts';
import { shownPage } from '../../../oracle/shown-page.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import { cleanUp } from '../../experiment.ts';
import { type Point, requestWith } from '../../insertion-point.ts';
import type { LabRequest } from '../../lab.ts';
import { mayHold } from '../../shared/filters.ts';
import { isUnfiltered, payloadsPastFilter } from '../../shared/payloads-past-filter.ts';
import { freeTexts, isOfferedAgain, pagesAfter, pagesWith, requestWithAll } from '../../shared/stored-marks.ts';
import { scriptsShowing, searchesWith } from '../../shared/stored-views.ts';

interface Variant {
  parameter: Parameter;
  payload: Payload;
  /** Page that shows the payload, and the session that views it. */
  url: string;
  viewer: string | null;
  /** The page is the result of this search for the payload. */
  search?: Point;
  /** Whether writing the original value replaces the payload. */
  isReplaced: boolean;
}

const MOST_VARIANTS = 3;
/** Each of them writes. */
const LIMITS = { probes: 8, payloads: 3 };

/** Every request is logged; a header counts as text where a page is known to show those of earlier requests. */
function textsOf(item: InventoryItem): Parameter[] {
  const { method, url, effect = effectOf({ method, url }), parameters } = item;
  if (effect === 'changes') return freeTexts(item);
  return effect === 'reads' ? parameters.filter(({ shownAt }) => shownAt !== undefined).slice(0, 1) : [];
}

interface Mark {
  parameter: Parameter;
  mark: string;
}

interface Seen {
  word: string;
  page: Awaited<ReturnType<typeof pagesWith>>[number] | undefined;
  marks: readonly Mark[];
  variants: readonly Variant[];
}

/** Where a page shows a mark, but not a payload as it was stored: the payloads that pass its filter. */
async function shownPastFilter(item: InventoryItem, { word, page, marks, variants }: Seen, { ask }: Asking) {
  const shown = marks.find(({ mark }) => page?.html.includes(mark));
  if (!page || !shown) return [];
  const { parameter, mark } = shown;
  const look = async (value: string) => {
    if (!mayHold({ parameter }, value)) return '';
    await ask(requestWith({ item, parameter }, value));
    return shownPage(await ask({ method: 'GET', url: page.url }, page.as));
  };
  const usual = variants.filter((each) => each.url === page.url && each.parameter === parameter);
  const payloads = usual.map(({ payload }) => payload);
  if (await isUnfiltered(page.html.slice(page.html.indexOf(mark)), payloads, mark, look)) return [];
  const isReplaced = replaces(item) || isOfferedAgain(page, parameter, mark);
  const found = await payloadsPastFilter(look, word, LIMITS);
  return found.map((payload): Variant => ({ parameter, payload, url: page.url, viewer: page.as, isReplaced }));
}

/** Where no page shows the marks: the results of posted searches, and JSON that scripts put into pages. */
async function shownElsewhere(item: InventoryItem, word: string, marks: readonly Mark[], asking: Asking) {
  const isReplaced = replaces(item);
  const found = (await searchesWith(word, item, asking)).flatMap(({ html, url, as: viewer, search }) =>
    marks.flatMap(({ parameter, mark }): Variant[] => {
      const [payload] = payloadsFor(html, mark);
      return payload ? [{ parameter, payload, url, viewer, search, isReplaced }] : [];
    }),
  );
  if (found.length > 0) return found;
  const pages = await scriptsShowing(marks, item, asking);
  return pages.map(({ parameter, url, as: viewer }): Variant => {
    return { parameter, payload: { text: MARKUP }, url, viewer, isReplaced };
  });
}

/** Returns the first payload of each text and page before the further ones. */
function firstOfEach(variants: readonly Variant[]): Variant[] {
  const places = Map.groupBy(variants, ({ parameter, url, viewer }) => JSON.stringify([parameter.name, url, viewer]));
  const tried = new Map(
    [...places.values()].flatMap((each) => each.map((variant, index) => [variant, index] as const)),
  );
  return variants.toSorted((one, other) => (tried.get(one) ?? 0) - (tried.get(other) ?? 0));
}

const replaces = ({ method }: InventoryItem) => method === 'PUT' || method === 'PATCH';

export default defineRequestCheck({
  id: 'stored-xss',
  family: { name: 'script-injection', by: 'sink' },
  isInPage: true,
  title: 'Stored cross-site scripting (XSS)',
  cwe: 79,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  impact:
    'An attacker runs scripts in the session of every user who opens the page, reads their data and acts in their name.',
  why: 'The application stores the value and includes it in a page without encoding. The script runs in the session of every user who opens the page, without a crafted link. A payload that the test stored ran in the browser. The test stored values with a marker of "s" and twelve hexadecimal digits; they are harmless, but remain where the application offers no way to replace them. The evidence lists them.',
  fix: 'Encode values for their context with an auto-escaping template engine. Removing tags or words is no fix: other tags run scripts, too. Where users may write markup, sanitize it with a maintained library such as DOMPurify. Delete the values that the test stored.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/02-Testing_for_Stored_Cross_Site_Scripting',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  risk: 'intrusive',
  depth: 'STANDARD',
  needsBrowser: true,
  appliesTo: (item) => textsOf(item).length > 0,
  variants: [] as Variant[],
  maxRequests: 76,
  async probe(item, { word }, asking) {
    const texts = textsOf(item);
    const marks = texts.map((parameter, index) => ({ parameter, mark: `${word}x${index}` }));
    const values = marks.map(({ parameter, mark }) => [parameter, oddValue(mark)] as const);
    const change = await asking.willChange(replaces(item) ? [requestOf(item)] : []);
    const written = await asking.ask(requestWithAll(item, values));
    const logs = texts.flatMap(({ shownAt }) => (shownAt === undefined ? [] : [{ url: shownAt, as: item.seenAs }]));
    const likely = logs.length > 0 ? logs : pagesAfter(item, written, asking.known);
    const pages = await pagesWith(word, likely, item.seenAs, asking);
    const variants = pages.flatMap((page) =>
      marks.flatMap(({ parameter, mark }): Variant[] => {
        const isReplaced = replaces(item) || isOfferedAgain(page, parameter, mark);
        return payloadsFor(page.html, mark).map((payload) => {
          return { parameter, payload, url: page.url, viewer: page.as, isReplaced };
        });
      }),
    );
    variants.unshift(...(await shownPastFilter(item, { word, page: pages[0], marks, variants }, asking)));
    if (pages.length === 0 && logs.length === 0) variants.push(...(await shownElsewhere(item, word, marks, asking)));
    const isOffered = pages.some((page) => marks.some(({ parameter, mark }) => isOfferedAgain(page, parameter, mark)));
    if (replaces(item) || isOffered) await change.takeBack([requestOf(item)]);
    return firstOfEach(variants).slice(0, MOST_VARIANTS);
  },
  parameterOf: (_item, { parameter }) => parameter,
  proof: {
    plan: (item, { parameter, payload, url, viewer, search, isReplaced }, { word }) => ({
      write: {
        label: 'payload, stored',
        request: requestWith({ item, parameter }, writePayload(payload, word)),
        ...(!isReplaced && { change: { leavesTraces: true } }),
      },
      view: {
        label: 'page that shows it, opened in a browser',
        request: search ? requestWith(search, word) : { method: 'GET', url },
        as: viewer,
        browser: { awaited: word, ...(payload.isPressed && { look: pressing(word) }) },
      },
      restore: isReplaced ? cleanUp({ label: 'original value restored', request: requestOf(item) }) : undefined,
    }),
    judge({ view: { calls } }, { viewer }, { word }, { seenAs }) {
      if (!calls) return 'VOID';
      if (!calls.includes(word)) return 'REFUTED';
      // A payload that only its author sees is not shown to affect other users.
      return viewer === seenAs ? 'LIKELY' : 'PROVED';
    },
  },
  lab() {
    const [raw, escaped] = [guestBook(String), guestBook((text) => text.replaceAll('<', '&lt;'))];
    return {
      item: {
        method: 'POST',
        url: '/entries',
        parameters: [
          { location: 'form', name: 'text', value: 'Hello' },
          { location: 'form', name: 'email', value: 'a@shop.test' },
        ],
        seenAs: 'alice',
        contentType: 'text/html',
      },
      others: [{ method: 'GET', url: '/guests', parameters: [], seenAs: 'alice', contentType: 'text/html' }],
      vulnerable: raw,
      safe: escaped,
    };
  },
});

/** Open to every account. */
function guestBook(show: (text: string) => string) {
  const entries: string[] = [];
  return ({ method, body, account }: LabRequest) => {
    if (account === null) return { status: 403 };
    if (method === 'POST') entries.push(new URLSearchParams(body).get('text') ?? '');
    if (method === 'POST') return { status: 303, headers: { location: 'guests' } };
    const list = entries.map((text) => `<li>${show(text)}</li>`).join('');
    return { headers: { 'content-type': 'text/html' }, body: `<ul>${list}</ul>` };
  };
}
