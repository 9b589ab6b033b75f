import { randomBytes } from 'node:crypto';
import { askDrafts } from './crawl/ask-drafts.ts';
import { askGraphql } from './crawl/ask-graphql.ts';
import { type Baseline, learnBaseline } from './crawl/baseline.ts';
import { bounds as boundsOf } from './crawl/bounds.ts';
import { browse } from './crawl/browse.ts';
import { type CrawlResult, crawl } from './crawl/crawl.ts';
import { maySend } from './crawl/danger.ts';
import { createDiscovery, type Discovery } from './crawl/discovery.ts';
import { socketOf } from './crawl/draft.ts';
import { createHarvest, type Harvest } from './crawl/harvest.ts';
import { createInventory, type Inventory, type InventoryItem, parametersOf, templateOf } from './crawl/inventory.ts';
import { olderVersions } from './crawl/older-versions.ts';
import { findPathPoints } from './crawl/path-points.ts';
import { patient } from './crawl/patient.ts';
import { requestOf } from './crawl/write-request.ts';
import type { Exchange, TargetRequest } from './http/exchange.ts';
import type { Account } from './login/account.ts';
import type { Session } from './login/session.ts';
import { isMaskless, maskInventory } from './mask.ts';
import type { StepContext } from './pentest-attempt.ts';
import type { PentestState } from './pentest-state.ts';

/** So long one visitor looks around at most: a step must end well before it is taken for stuck. */
const STEP_MS = 5 * 60_000;
/** Pages are shorter and quicker than this, or they are none. */
const PAGE = { totalMs: 10_000, bodyBytes: 5_000_000 } as const;

/** What one visitor works with in one step. */
interface Looking {
  session: Session;
  context: StepContext;
  inventory: Inventory;
  harvest: Harvest;
  discovery: Discovery;
  send(request: Omit<TargetRequest, 'purpose'>): ReturnType<Session['send']>;
  isCovered(url: string): boolean;
  /** Requests that this step may use. */
  most: number;
}

/** One after another for everybody: what pages show is needed by what comes after them. */
const rounds = [
  { shareOfRequests: 0.6, run: crawlPages },
  { shareOfRequests: 0.2, run: openPages },
  { shareOfRequests: 0.2, run: askForDescribed },
] as const;

export function isEnumerated({ crawled }: PentestState, accounts: number): boolean {
  return crawled >= rounds.length * (accounts + 1);
}

/** As a visitor first, then as each account, one in a step: what only an account sees is noted as its own. */
export async function enumerate(context: StepContext): Promise<undefined> {
  const { visitor, accounts, order, state } = context;
  const visitors = order.credentials.length + 1;
  const round = rounds[Math.floor(state.crawled / visitors)];
  const name = order.credentials[(state.crawled % visitors) - 1]?.name;
  const account = name === undefined ? undefined : accounts.get(name);
  const session = name === undefined ? visitor : account?.session;
  if (session && round && !account?.failure()) await lookAs(session, account, context, round);
  state.crawled++;
}

/** One that is logged out while it looks around begins anew, once. */
const MOST_TRIES = 2;

async function lookAs(
  session: Session,
  account: Account | undefined,
  context: StepContext,
  { shareOfRequests, run }: (typeof rounds)[number],
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const watched = watch(session, account);
    const looking = startLooking(session, watched.send, context, shareOfRequests);
    try {
      await run(looking);
    } catch (error) {
      // Nothing may be sent any more; what was seen before was seen.
      keep(looking, context);
      throw error;
    }
    const isVoid = await watched.isVoid();
    const isLast = tries === MOST_TRIES || account?.failure() !== undefined;
    if (isVoid && !isLast) continue;
    if (isVoid) noteLost(context.state, session.name, account);
    if (!account?.failure()) keep(looking, context);
    return;
  }
}

function keep({ inventory, discovery, harvest }: Looking, { state, redactor }: StepContext): void {
  state.inventory = maskInventory(inventory.items(), redactor.redact);
  state.drafts = maskInventory(discovery.drafts(), redactor.redact);
  state.harvest = harvest.all();
}

/** What somebody sees who is no longer logged in is not what the account sees. */
function watch(session: Session, account: Account | undefined) {
  let wasLost = false;
  const isOut = async () => account !== undefined && (await account.check()) !== 'IN';
  return {
    async send(request: Parameters<Session['send']>[0]): Promise<Exchange> {
      const exchange = await session.send(request);
      if (!account?.needsCheck() || !(await isOut())) return exchange;
      wasLost = true;
      return session.send(request);
    },
    isVoid: async () => (await isOut()) || wasLost,
  };
}

function noteLost({ notes }: PentestState, name: string | null, account: Account | undefined): void {
  const failed = account?.failure();
  notes.push(
    failed
      ? `The account "${name}" was logged out while it looked around. ${failed.reason}`
      : `Not all pages may have been seen${asName(name)}: its session ended again and again.`,
  );
}

function startLooking(session: Session, ask: Session['send'], context: StepContext, shareOfRequests: number): Looking {
  const { order, state, scope } = context;
  const bounds = boundsOf[order.depth];
  const isCovered = (url: string) => scope(new URL(url), 'test') === undefined;
  const share = bounds.shareOfRequests * shareOfRequests;
  return {
    session,
    context,
    inventory: createInventory(state.inventory),
    harvest: createHarvest(state.harvest),
    discovery: createDiscovery({ known: state.drafts, mostItems: bounds.described, isCovered }),
    send: patient(async (request) => {
      const exchange = await ask({ ...request, ...PAGE });
      learnCookies(exchange, context);
      return exchange;
    }),
    isCovered,
    most: Math.max(1, Math.floor((order.budget.requests * share) / (order.credentials.length + 1))),
  };
}

const MOST_COOKIES = 10;

/** Those that are the same for everybody: a session's own are secrets, and known as such by now. */
function learnCookies({ response }: Exchange, { state, redactor }: StepContext): void {
  for (const [header, line] of response?.headers ?? []) {
    // A part of a secret would not be known as one.
    const [, name = '', value = ''] = /^([^=;\s]{1,100})=([^;\s"]{1,100})(?=;|\s*$)/.exec(line) ?? [];
    if (header.toLowerCase() !== 'set-cookie' || name === '' || state.sharedCookies.length >= MOST_COOKIES) continue;
    const isKnown = state.sharedCookies.some(([each]) => each === name);
    if (!isKnown && redactor.redact(value) === value) state.sharedCookies.push([name, decoded(value)]);
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** What was not shown to those without an account may be shown to one. */
function closedTo({ name }: Session, { refused }: PentestState) {
  const urls = refused.filter(({ as }) => as === null && name !== null).map(({ url }) => url);
  return urls.map((url) => ({ url, source: 'link' as const }));
}

const newWord = () => `s${randomBytes(6).toString('hex')}`;

const learn = ({ send, context }: Looking): Promise<Baseline> =>
  learnBaseline((url) => send({ method: 'GET', url }), context.order.targetUrl, newWord());

async function crawlPages(looking: Looking): Promise<void> {
  const { session, context, inventory, harvest, discovery, send, isCovered, most } = looking;
  const { order, state } = context;
  const bounds = boundsOf[order.depth];
  const ours = new Set(state.ours);
  const silent = new Set(state.silent);
  const baseline = await learn(looking);
  const visit = (url: string) => send({ method: 'GET', url });
  const result = await crawl({
    visit,
    async submit(form) {
      const change = await context.traces.add({ by: 'looking around', as: session.name, request: form, undo: [] });
      const exchange = await send(requestOf(form));
      if (exchange.failure?.code === 'REFUSED') change.forget();
      return exchange;
    },
    maySubmit: (form) => maySubmit(form, context),
    isCovered,
    inventory,
    seenAs: session.name,
    seeds: [...state.seeds, ...closedTo(session, state)],
    mostPages: Math.min(bounds.pages, most),
    mostMs: STEP_MS,
    bounds,
    baseline,
    harvest,
    ours,
    discovery,
    silent,
    onRefused: (url) => noteRefused(url, session.name, context),
  });
  state.ours = [...ours];
  state.silent = [...silent];
  state.scripted.push(...result.scripted.slice(0, bounds.browserPages).map((url) => ({ as: session.name, url })));
  noteResult(state, result, session.name);
  for (const url of discovery.sockets()) inventory.add(socketOf(url, session.name));
  await findPathPoints({ visit, inventory, seenAs: session.name, baseline, word: newWord() });
  await askGraphqlOfScripts(looking);
}

/** Pages may name endpoints that nobody would guess. */
async function askGraphqlOfScripts({ discovery, send }: Looking): Promise<void> {
  const isKnown = (url: string) => discovery.drafts().some((each) => each.url === url && each.source === 'graphql');
  for (const url of discovery.graphqlUrls().filter((each) => !isKnown(each))) {
    discovery.add((await askGraphql(send, url))?.items ?? []);
  }
}

/** Pages with scripts are opened in a browser, which makes the requests that scripts put together. */
async function openPages(looking: Looking): Promise<void> {
  const { session, context, inventory, isCovered, most } = looking;
  const { order, state } = context;
  const pages = state.scripted.filter(({ as }) => as === session.name).map(({ url }) => url);
  const browser = pages.length > 0 ? await context.browser.open() : undefined;
  if (!browser) return pages.length > 0 ? noteMissingBrowser(state) : undefined;
  const kindOf = (url: string) => templateOf({ method: 'GET', url, parameters: parametersOf(url) });
  const known = new Set(inventory.items().map(({ url }) => kindOf(url)));
  const {
    pages: opened,
    avoided,
    isCut,
  } = await browse({
    browser,
    load: session.load,
    mayLoad: (item) => item.effect === 'reads' || maySubmit(item, context),
    isCovered,
    isKnown: (url) => known.has(kindOf(url)),
    inventory,
    seenAs: session.name,
    pages,
    bounds: boundsOf[order.depth],
    mostRequests: most,
    mostMs: STEP_MS,
  });
  state.opened += opened;
  state.avoided += avoided;
  if (isCut) state.notes.push(`Not all pages with scripts were opened${asName(session.name)}: there were too many.`);
}

function noteMissingBrowser({ notes }: PentestState): void {
  const note = 'Pages with scripts were read but not opened: there was no browser.';
  if (!notes.includes(note)) notes.push(note);
}

/** What descriptions and scripts name is asked for as well, as far as it only reads. */
async function askForDescribed(looking: Looking): Promise<void> {
  const { session, context, inventory, harvest, discovery, send, most } = looking;
  const { order, state } = context;
  const drafts = [...discovery.drafts(), ...olderVersions(inventory.items())];
  if (drafts.length === 0) return;
  const { asked, avoided, isCut } = await askDrafts({
    drafts,
    send,
    harvest,
    inventory,
    seenAs: session.name,
    // Most of what writes needs an account; as which of them it is tested does not matter.
    notesWrites: session.name === (order.credentials[0]?.name ?? null),
    baseline: await learn(looking),
    most,
    mostMs: STEP_MS,
    onRefused: (url) => noteRefused(url, session.name, context),
  });
  state.described += session.name === null ? drafts.length : 0;
  state.pages += asked;
  if (session.name === null) state.avoided += avoided;
  if (isCut) state.notes.push(`Not all described requests were sent${asName(session.name)}: there were too many.`);
}

const MOST_REFUSED = 150;

/** What has a secret in it could not be asked for again. */
function noteRefused(url: string, as: string | null, { state: { refused }, redactor }: StepContext): void {
  const isKnown = refused.some((each) => each.as === as && each.url === url);
  if (!isKnown && isMaskless(url, redactor.redact) && refused.length < MOST_REFUSED && url.length < MOST_CHARACTERS)
    refused.push({ as, url });
}

const MOST_CHARACTERS = 300;

function maySubmit({ effect = 'changes', isOurs = false, seenAs: as }: InventoryItem, { order }: StepContext): boolean {
  return maySend({ effect, isOurs, as, risk: 'intrusive' }, order.depth);
}

const asName = (name: string | null) => (name === null ? '' : ` as ${name}`);

function noteResult(state: PentestState, result: CrawlResult, name: string | null): void {
  const { pages, avoided, isCut, alike, trapped, deep, unanswered } = result;
  const { left } = state;
  state.pages += pages;
  state.avoided += avoided;
  state.left = {
    alike: left.alike + alike,
    trapped: left.trapped + trapped,
    deep: left.deep + deep,
    unanswered: left.unanswered + unanswered,
  };
  if (isCut) state.notes.push(`Not all pages were looked at${asName(name)}: there were too many.`);
}
