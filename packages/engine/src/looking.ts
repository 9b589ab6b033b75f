import { randomBytes } from 'node:crypto';
import { type Baseline, learnBaseline } from './crawl/baseline.ts';
import { bounds as boundsOf } from './crawl/bounds.ts';
import { maySend } from './crawl/danger.ts';
import { createDiscovery, type Discovery } from './crawl/discovery.ts';
import { createHarvest, type Harvest, harvestLogin } from './crawl/harvest.ts';
import { createInventory, type Inventory, type InventoryItem } from './crawl/inventory.ts';
import { patient } from './crawl/patient.ts';
import type { Exchange, TargetRequest } from './http/exchange.ts';
import type { Session } from './login/session.ts';
import { isMaskless } from './mask.ts';
import type { StepContext } from './pentest-attempt.ts';

/** So long one visitor looks around at most: a step must end well before it is taken for stuck. */
export const STEP_MS = 5 * 60_000;
/** Pages are shorter and quicker than this, or they are none. */
const PAGE = { totalMs: 10_000, bodyBytes: 5_000_000 } as const;

/** What one visitor works with in one step. */
export interface Looking {
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

export function startLooking(
  session: Session,
  ask: Session['send'],
  context: StepContext,
  shareOfRequests: number,
): Looking {
  const { order, state, scope } = context;
  const bounds = boundsOf[order.depth];
  const isCovered = (url: string) => scope(new URL(url), 'test') === undefined;
  const share = bounds.shareOfRequests * shareOfRequests;
  const harvest = createHarvest(state.harvest);
  const { name } = session;
  const told = name === null ? [] : (context.accounts.get(name)?.told() ?? []);
  if (name !== null) for (const each of told) harvestLogin(harvest, name, each);
  return {
    session,
    context,
    inventory: createInventory(state.inventory),
    harvest,
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

export const newWord = () => `s${randomBytes(6).toString('hex')}`;

export const learn = ({ send, context }: Looking): Promise<Baseline> =>
  learnBaseline((url) => send({ method: 'GET', url }), context.order.targetUrl, newWord());

const MOST_REFUSED = 150;

/** What has a secret in it could not be asked for again. */
export function noteRefused(url: string, as: string | null, { state: { refused }, redactor }: StepContext): void {
  const isKnown = refused.some((each) => each.as === as && each.url === url);
  if (!isKnown && isMaskless(url, redactor.redact) && refused.length < MOST_REFUSED && url.length < MOST_CHARACTERS)
    refused.push({ as, url });
}

const MOST_CHARACTERS = 300;

export function maySubmit(
  { effect = 'changes', isOurs = false, seenAs: as }: InventoryItem,
  { order }: StepContext,
): boolean {
  return maySend({ effect, isOurs, as, risk: 'intrusive' }, order.depth);
}

export const asName = (name: string | null) => (name === null ? '' : ` as ${name}`);
