import { randomBytes } from 'node:crypto';
import { requestOf } from './active/point.ts';
import { learnBaseline } from './crawl/baseline.ts';
import { bounds as boundsOf } from './crawl/bounds.ts';
import { type CrawlResult, crawl } from './crawl/crawl.ts';
import { maySend } from './crawl/danger.ts';
import { createHarvest } from './crawl/harvest.ts';
import { createInventory, type InventoryItem } from './crawl/inventory.ts';
import type { Session } from './login/session.ts';
import { maskInventory } from './mask.ts';
import type { StepContext } from './pentest-attempt.ts';
import type { PentestState } from './pentest-state.ts';

/** So long one visitor looks around at most: a step must end well before it is taken for stuck. */
const CRAWL_MS = 5 * 60_000;
/** Pages are shorter and quicker than this, or they are none. */
const PAGE = { totalMs: 10_000, bodyBytes: 2_000_000 } as const;

/** As a visitor first, then as each account, one in a step: what only an account sees is noted as its own. */
export async function enumerate(context: StepContext): Promise<undefined> {
  const { visitor, accounts, order, state } = context;
  const name = order.credentials[state.crawled - 1]?.name;
  const session = name === undefined ? visitor : accounts.get(name)?.session;
  if (session) await crawlAs(session, context);
  state.crawled++;
}

async function crawlAs(session: Session, context: StepContext): Promise<void> {
  const { order, state, redactor, scope } = context;
  const bounds = boundsOf[order.depth];
  const inventory = createInventory(state.inventory);
  const harvest = createHarvest(state.harvest);
  const ours = new Set(state.ours);
  const visit = (url: string) => session.send({ method: 'GET', url, ...PAGE });
  const most = Math.floor((order.budget.requests * bounds.shareOfRequests) / (order.credentials.length + 1));
  const result = await crawl({
    visit,
    submit: (form) => session.send({ ...requestOf(form), ...PAGE }),
    maySubmit: (form) => maySubmit(form, context),
    isCovered: (url) => scope(new URL(url), 'test') === undefined,
    inventory,
    seenAs: session.name,
    seeds: state.seeds,
    mostPages: Math.min(bounds.pages, Math.max(1, most)),
    mostMs: CRAWL_MS,
    bounds,
    baseline: await learnBaseline(visit, order.targetUrl, `s${randomBytes(6).toString('hex')}`),
    harvest,
    ours,
  });
  state.inventory = maskInventory(inventory.items(), redactor.redact);
  state.harvest = harvest.all();
  state.ours = [...ours];
  noteResult(state, result, session.name);
}

function maySubmit({ effect = 'changes', isOurs = false, seenAs: as }: InventoryItem, { order }: StepContext): boolean {
  return maySend({ effect, isOurs, as, risk: 'intrusive' }, order.depth);
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
  if (isCut)
    state.notes.push(`Not all pages were looked at${name === null ? '' : ` as ${name}`}: there were too many.`);
}
