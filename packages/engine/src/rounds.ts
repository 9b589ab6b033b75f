import { askDrafts } from './crawl/ask-drafts.ts';
import { askGraphql } from './crawl/ask-graphql.ts';
import { bounds as boundsOf } from './crawl/bounds.ts';
import { browse } from './crawl/browse.ts';
import { type CrawlResult, crawl } from './crawl/crawl.ts';
import { descriptionsBeside } from './crawl/descriptions-beside.ts';
import { socketOf } from './crawl/draft.ts';
import { parametersOf, templateOf } from './crawl/inventory.ts';
import { olderVersions } from './crawl/older-versions.ts';
import { findPathPoints } from './crawl/path-points.ts';
import { requestOf } from './crawl/write-request.ts';
import type { Session } from './login/session.ts';
import { asName, type Looking, learn, maySubmit, newWord, noteRefused, STEP_MS } from './looking.ts';
import type { StepContext } from './pentest-attempt.ts';
import { addNote, addUntested, type PentestState } from './pentest-state.ts';

/** What was not shown to those without an account may be shown to one. */
function closedTo({ name }: Session, { refused }: PentestState) {
  const urls = refused.filter(({ as }) => as === null && name !== null).map(({ url }) => url);
  return urls.map((url) => ({ url, source: 'link' as const }));
}

export async function crawlPages(looking: Looking): Promise<void> {
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
export async function openPages(looking: Looking): Promise<void> {
  const { session, context, inventory, isCovered, most } = looking;
  const { order, state } = context;
  const pages = state.scripted.filter(({ as }) => as === session.name).map(({ url }) => url);
  const browser = pages.length > 0 ? await context.browser.open() : undefined;
  if (!browser) return pages.length > 0 ? noteUnopened(context) : undefined;
  const kindOf = (url: string) => templateOf({ method: 'GET', url, parameters: parametersOf(url) });
  const known = new Set(inventory.items().map(({ url }) => kindOf(url)));
  const {
    pages: opened,
    avoided,
    isCut,
  } = await browse({
    browser,
    load: session.load,
    storage: session.storage(),
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

/** Scripts may make requests that nothing else shows: what they are for cannot be tested. */
function noteUnopened({ state, browser }: StepContext): void {
  addNote(state, 'Pages with scripts were read but not opened: there was no browser to open them with.');
  addUntested(state, { id: null, group: 'scripting' }, browser.obstacle());
}

/** What descriptions and scripts name is asked for as well, as far as it only reads. */
export async function askForDescribed(looking: Looking): Promise<void> {
  const { session, context, inventory, harvest, discovery, send, most } = looking;
  const { order, state } = context;
  const isFirst = session.name === (order.credentials[0]?.name ?? null);
  if (isFirst) await readDescriptionsBeside(looking);
  const drafts = [...discovery.drafts(), ...olderVersions(inventory.items())];
  if (drafts.length === 0) return;
  const { asked, avoided, isCut } = await askDrafts({
    drafts,
    send,
    harvest,
    inventory,
    seenAs: session.name,
    // Most of what writes needs an account; as which of them it is tested does not matter.
    notesWrites: isFirst,
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

async function readDescriptionsBeside({ inventory, discovery, send, isCovered }: Looking): Promise<void> {
  for (const url of descriptionsBeside(inventory.items()).filter(isCovered)) {
    const { response } = await send({ method: 'GET', url });
    if (response?.status === 200) discovery.readDocument(response.body.toString(), url);
  }
}

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
