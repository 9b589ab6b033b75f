import { randomBytes, randomInt } from 'node:crypto';
import type {
  Asking,
  Change,
  CheckAbout,
  Known,
  Nonce,
  Observation,
  PlannedRequest,
  Subjects,
  Verdict,
} from './active-check.ts';
import type { Browser } from './browser/browser.ts';
import type { Exchange } from './http/exchange.ts';
import type { Session } from './login/session.ts';
import { madeUrl } from './oracle/made-url.ts';
import type { Outside } from './oracle/outside.ts';
import type { PointRequest } from './point.ts';

/** A request of a proof and what was answered, in the order in which they were sent. */
export interface Exhibit {
  label: string;
  exchange: Observation;
  isConfidential?: boolean | undefined;
}

export interface Verified {
  confidence: 'CONFIRMED' | 'FIRM';
  /** Of the last execution. */
  exhibits: Exhibit[];
}

export interface Verifying {
  /** Undefined for an account that is not logged in. */
  sessionOf(name: string | null): Pick<Session, 'send' | 'load'> | undefined;
  /** Whoever has met what the proof is about. */
  as: string | null;
  known: Known;
  /** Somebody without an account whom the target has not seen; forgotten after one request. */
  newVisitor?(): Pick<Session, 'send' | 'load'>;
  /** Undefined where there is none. */
  browser?: Pick<Browser, 'visit'> | undefined;
  /** Undefined where nobody listens. */
  outside?: Pick<Outside, 'heard'> | undefined;
  /** Makes the next request use a new connection. */
  renew(): void;
  /** Notes what is about to be changed, as somebody, and what takes it back. */
  willChange?(as: string | null, undo: readonly PointRequest[]): Promise<Change>;
}

/** Those that a probe may ask as: it may also see what they show of themselves. */
export interface Visitors {
  sessionOf(name: string | null): Pick<Session, 'send' | 'load' | 'credentials'> | undefined;
  newVisitor(): Pick<Session, 'send' | 'load'>;
}

export function createNonce(): Nonce {
  const numbers = new Set<number>();
  while (numbers.size < 3) numbers.add(randomInt(1_000, 10_000));
  const [a = 0, b = 0, c = 0] = numbers;
  return { word: `s${randomBytes(6).toString('hex')}`, numbers: [a, b, c] };
}

interface Execution {
  verdict: Verdict;
  exhibits: Exhibit[];
}

/**
 * The only place that says CONFIRMED: what was proved once must be proved again, with new nonces, over a new
 * connection, and with all controls. What the second time refutes is no finding.
 */
export async function verify<About extends keyof Subjects, Variant>(
  check: CheckAbout<About, Variant>,
  subject: Subjects[About],
  variant: Variant,
  verifying: Verifying,
): Promise<Verified | undefined> {
  const first = await execute(check, subject, variant, verifying);
  if (!isFor(first)) return undefined;
  verifying.renew();
  const second = await execute(check, subject, variant, verifying);
  if (second.verdict === 'REFUTED') return undefined;
  if (second.verdict === 'VOID') return { confidence: 'FIRM', exhibits: first.exhibits };
  const isProved = first.verdict === 'PROVED' && second.verdict === 'PROVED';
  return { confidence: isProved ? 'CONFIRMED' : 'FIRM', exhibits: second.exhibits };
}

const isFor = ({ verdict }: Execution) => verdict === 'PROVED' || verdict === 'LIKELY';

async function execute<About extends keyof Subjects, Variant>(
  { proof }: CheckAbout<About, Variant>,
  subject: Subjects[About],
  variant: Variant,
  verifying: Verifying,
): Promise<Execution> {
  const nonce = createNonce();
  const { known } = verifying;
  const plan = proof.plan(subject, variant, nonce, known);
  const exhibits: Exhibit[] = [];
  const change = await noteChange(plan, verifying);
  let isWhole = true;
  for (const planned of plan) {
    if (!isWhole && !planned.isCleanUp) continue;
    const led = ledToMade(planned, exhibits);
    const exchange = led && (await carryOut(led, verifying));
    if (planned.isCleanUp) change?.note(exchange);
    if (exchange) exhibits.push({ label: planned.label, exchange, isConfidential: planned.isConfidential });
    else if (!planned.isOptional) isWhole = false;
  }
  const told = await withCalls(exhibits, plan, verifying);
  const answers = new Map(told.map(({ label, exchange }) => [label, exchange]));
  return { verdict: isWhole ? proof.judge(answers, variant, nonce, subject, known) : 'VOID', exhibits: told };
}

/** Undefined where nothing was made that it could ask for. */
function ledToMade(planned: PlannedRequest, exhibits: readonly Exhibit[]): PlannedRequest | undefined {
  if (planned.madeBy === undefined) return planned;
  const made = exhibits.find(({ label }) => label === planned.madeBy);
  const url = made && madeUrl(made.exchange);
  return url === undefined ? undefined : { ...planned, request: { ...planned.request, url } };
}

/** Whether a request that takes something back was answered as if it had. */
export function isTakenBack(exchange: Pick<Exchange, 'response'> | undefined): boolean {
  return (exchange?.response?.status ?? 500) < 400;
}

/** Before anything is sent. What was answered to all that takes changes back is over. */
async function noteChange(plan: readonly PlannedRequest[], { as: usual, willChange }: Verifying) {
  const undo = plan.filter(({ isCleanUp }) => isCleanUp);
  const leavesTraces = plan.some((planned) => planned.leavesTraces);
  const [{ as = usual } = {}] = undo;
  if (!willChange || (undo.length === 0 && !leavesTraces)) return undefined;
  const change = await willChange(
    as,
    undo.map(({ request }) => request),
  );
  let open = undo.length;
  return {
    note(exchange: Observation | undefined): void {
      if (isTakenBack(exchange)) open--;
      if (open === 0 && !leavesTraces) change.forget();
    },
  };
}

/** Each with the calls from outside that it has caused. */
async function withCalls(
  exhibits: Exhibit[],
  plan: readonly PlannedRequest[],
  { outside }: Pick<Verifying, 'outside'>,
): Promise<Exhibit[]> {
  const calling = new Map(plan.flatMap(({ label, calling }) => (calling ? [[label, calling] as const] : [])));
  if (!outside || calling.size === 0) return exhibits;
  const expected = [...calling.values()];
  const heard = await outside.heard(
    expected.map(({ tag }) => tag),
    expected.filter(({ isControl }) => !isControl),
  );
  return exhibits.map((exhibit) => {
    const { tag } = calling.get(exhibit.label) ?? {};
    return tag === undefined ? exhibit : { ...exhibit, exchange: { ...exhibit.exchange, heard: heard.get(tag) ?? [] } };
  });
}

/** One request of a proof. Undefined when nobody can send it. */
export async function carryOut(
  planned: Omit<PlannedRequest, 'label'>,
  verifying: Verifying,
): Promise<Observation | undefined> {
  const { inBrowser, fromPage, isNewVisitor, showing, look, awaited, as = verifying.as } = planned;
  const request = planned.isCleanUp ? { ...planned.request, isCleanUp: true } : planned.request;
  const session = isNewVisitor ? verifying.newVisitor?.() : verifying.sessionOf(as);
  if (!session) return undefined;
  if (fromPage) return verifying.browser && askFromPage(fromPage, session, verifying.browser);
  if (!inBrowser) return session.send(request, showing);
  // In a new profile each time: nothing of an earlier page can pass for an answer.
  const visited = await verifying.browser?.visit(request, session.load, { look, awaited });
  if (!visited) return undefined;
  const { exchange, calls, seen } = visited;
  return { ...exchange, calls, ...(seen !== undefined && { seen }) };
}

/** What a probe may do. Undefined when whoever has met the subject is not logged in any more. */
export function askingOf(verifying: Omit<Verifying, keyof Visitors> & Visitors): Asking | undefined {
  const { sessionOf, newVisitor, as: usual, known } = verifying;
  if (!sessionOf(usual)) return undefined;
  return {
    known,
    async ask(request, as = usual, showing) {
      const session = sessionOf(as);
      if (!session) throw new Error(`nobody is logged in as ${as}`);
      return session.send(request, showing);
    },
    askAsNewVisitor: (request) => newVisitor().send(request),
    willChange: async (undo) => (await verifying.willChange?.(usual, undo)) ?? changeOfNobody(undo, sessionOf(usual)),
    credentialsOf: async (as, url) => (await sessionOf(as)?.credentials(url)) ?? [],
    open: (planned) => carryOut({ ...planned, inBrowser: true }, verifying),
  };
}

/** Where nobody keeps note of changes. */
function changeOfNobody(undo: readonly PointRequest[], session: Pick<Session, 'send'> | undefined): Change {
  return {
    async takeBack(better = undo) {
      for (const request of better) await session?.send(request);
    },
    forget: () => undefined,
  };
}

/** What the page asks the target for goes through the session; the page itself is made up, and nobody is asked for it. */
async function askFromPage(
  { url, html, awaited }: NonNullable<PlannedRequest['fromPage']>,
  session: Pick<Session, 'send'>,
  browser: Pick<Browser, 'visit'>,
): Promise<Observation | undefined> {
  let asked: Exchange | undefined;
  const { promise: until, resolve: hasAsked } = Promise.withResolvers<void>();
  async function answer(request: PointRequest): Promise<Exchange> {
    if (request.url === url) return pageOf({ ...request, purpose: 'load' }, html);
    asked = await session.send(request, { isCrossSite: true });
    // Who is to call as well has not done all yet.
    if (awaited === undefined) hasAsked();
    return asked;
  }
  const visited = await browser.visit({ method: 'GET', url }, answer, { awaited, until });
  return visited && asked && { ...asked, calls: visited.calls };
}

function pageOf(request: Exchange['request'], html: string): Exchange {
  const headers = [['content-type', 'text/html; charset=utf-8']] as const;
  const response = { status: 200, headers, body: Buffer.from(html), isCut: false };
  return { request, response, failure: null, remote: null, firstByteMs: 0, durationMs: 0 };
}
