import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ActiveCheck, CheckAbout, Known, Subjects } from '../../../engine/src/active/define-active-check.ts';
import { answersTo, type Observation } from '../../../engine/src/active/experiment.ts';
import type { LabAnswer, LabRequest, PointLab, RequestLab } from '../../../engine/src/active/lab.ts';
import { createRunMemory } from '../../../engine/src/active/run-memory.ts';
import { digestsOf } from '../../../engine/src/active/shared/password-digests.ts';
import { triage } from '../../../engine/src/active/triage.ts';
import { type Browser, openBrowser } from '../../../engine/src/browser/browser.ts';
import type { InventoryItem } from '../../../engine/src/crawl/inventory/inventory.ts';
import type { Exchange } from '../../../engine/src/http/exchange/exchange.ts';
import { createRedactor } from '../../../engine/src/http/record/redactor.ts';
import { createSender } from '../../../engine/src/http/send/create-sender.ts';
import { createSession } from '../../../engine/src/login/session/session.ts';
import { judgedEvent } from '../../../engine/src/pentest/testing/diagnose.ts';
import { askingOf } from '../../../engine/src/pentest/testing/proof/asking-of.ts';
import type { Verifying } from '../../../engine/src/pentest/testing/proof/verifying.ts';
import { triggerCallbacks } from '../../../engine/src/pentest/testing/trigger-callbacks.ts';
import { createNonce, type Verified, verify } from '../../../engine/src/pentest/testing/verify.ts';
import { createTestScope } from '../../../engine/src/target/scope.ts';

import { startTestListener } from '../targets/outside.ts';

export type Kind = 'vulnerable' | 'safe';

const ACCOUNTS = ['alice', 'bob'];
const ACCOUNT_HEADER = 'x-lab-account';
const SECONDS_HEADER = 'x-lab-seconds';

/** Adds the delay that the lab reports, instead of really waiting. */
function withTime(exchange: Exchange): Exchange {
  const told = exchange.response?.headers.find(([name]) => name.toLowerCase() === SECONDS_HEADER)?.[1];
  const added = Number(told ?? 0) * 1_000;
  const firstByteMs = exchange.firstByteMs === null ? null : exchange.firstByteMs + added;
  return { ...exchange, firstByteMs, durationMs: exchange.durationMs + added };
}

/** Serves the labs of the checks on one loopback server: /<number of the check>/<kind>/…, as words of ids mean something in paths. */
export async function openLabs(checks: readonly ActiveCheck[], chromium = '/usr/bin/chromium') {
  const listener = await startTestListener();
  const { outside } = listener;
  const ids = checks.map((check) => check.id);
  const labs = new Map(checks.map((check) => [check.id, check.lab(listener.tools)]));
  const server = createServer(async (request, response) => {
    const [, id = '', kind = ''] = new URL(request.url ?? '/', 'http://lab').pathname.split('/');
    const lab = labs.get(ids[Number(id)] ?? '');
    const isKind = kind === 'vulnerable' || kind === 'safe';
    const {
      status = 200,
      headers = {},
      body = '',
      seconds = 0,
    } = lab && isKind ? await answer(lab, kind, request) : { status: 404 };
    response.writeHead(status, { ...headers, [SECONDS_HEADER]: String(seconds) }).end(body);
  });
  const origin = await listen(server);
  const scope = createTestScope({ coveredName: null, coveredOrigin: origin, excludedPaths: [], tokenUrls: [] });
  const { port } = new URL(origin);
  const sender = createSender({
    network: { allowAddresses: [`127.0.0.1/32:${port}`], resolvers: [], userAgent: 'Sortie test' },
    scope,
    runId: 'pen_lab',
    limits: { requests: 50_000, bytes: 100_000_000, untilMs: 280_000, perSecond: 1_000, atOnce: 4 },
  });
  const sessionFor = (name: string | null, tokenOf?: (account: string) => string) => {
    const token = name && tokenOf ? [['Authorization', `Bearer ${tokenOf(name)}`] as const] : [];
    const identity = name && { origin, headers: [[ACCOUNT_HEADER, name] as const, ...token], query: [] };
    const session = createSession({ sender, scope, redactor: createRedactor(), name, ...(identity && { identity }) });
    const send: typeof session.send = async (...asked) => withTime(await session.send(...asked));
    return { ...session, send };
  };
  let browser: Browser | undefined;

  /** Returns what a run would pass to the check at its lab. */
  function prepare<About extends keyof Subjects>(check: CheckAbout<About, unknown>, kind: Kind) {
    const lab = labs.get(check.id) as PointLab | RequestLab;
    const base = `${origin}/${ids.indexOf(check.id)}/${kind}`;
    const subject = subjectOf(check, lab, base) as Subjects[About];
    const known = { ...knownOf(lab, base), outside };
    const as = 'seenAs' in subject ? subject.seenAs : null;
    const given = 'token' in lab ? lab.token : undefined;
    const tokenOf = given && ((name: string) => given(name, kind));
    const sessions = new Map([null, ...ACCOUNTS].map((name) => [name, sessionFor(name, tokenOf)]));
    const sessionOf = (name: string | null) => sessions.get(name);
    const newVisitor = () => sessionFor(null);
    const verifying = { sessionOf, newVisitor, as, known, browser, outside, renew: sender.renew };
    const asking = askingOf({ ...verifying, memory: createRunMemory() });
    if (!asking) throw new Error(`the labs know nobody called ${as}`);
    return { subject, known, as, asking, verifying };
  }

  /** Tests as a run does. Resolves to what was found, the number of requests, and why each proof was judged as it was. */
  async function test<About extends keyof Subjects>(check: CheckAbout<About, unknown>, kind: Kind) {
    if (check.needsBrowser) browser ??= await openBrowser(chromium, 'Sortie test', 'preferred');
    const { subject, known, asking, verifying } = prepare(check, kind);
    const isApplied = check.appliesTo(subject, known);
    const point = subject as Subjects['point'];
    const look = check.isWorthTrying && (await triage(point, createNonce(), asking));
    const isWorth = !look || check.isWorthTrying?.(look, point);
    const before = sender.requestsSent();
    const likely = () =>
      check.needsOutside
        ? triggerCallbacks(check, subject, `${check.id} ${kind}`, verifying)
        : check.probe?.(subject, createNonce(), { ...asking, ...(look && { look }) });
    const variants = isWorth ? ((await likely()) ?? check.variants) : [];
    const course = [
      `appliesTo: ${isApplied}, isWorthTrying: ${isWorth}, variants: ${JSON.stringify(variants)}`,
      ...(isWorth && variants.length === 0 ? ['The probe selected no variant.'] : []),
    ];
    const onJudged: NonNullable<Verifying['onJudged']> = (...execution) =>
      course.push(textOf(judgedEvent(...execution)));
    let verified: Verified | undefined;
    for (const variant of variants) {
      verified = await verify(check, subject, variant, { ...verifying, onJudged });
      if (verified) break;
    }
    return { isApplied, verified, requests: sender.requestsSent() - before, course: course.join('\n') };
  }

  /**
   * Resolves to the responses of one proof at the vulnerable lab, without a browser, and a function that judges others
   * in their place.
   */
  async function record<About extends keyof Subjects>(check: CheckAbout<About, unknown>) {
    const { subject, known, as, asking, verifying } = prepare(check, 'vulnerable');
    const variants = (await check.probe?.(subject, createNonce(), asking)) ?? check.variants;
    for (const variant of variants) {
      const nonce = createNonce();
      const plan = check.proof.plan(subject, variant, nonce, known);
      if (!plan) continue;
      const answers = new Map<string, Observation>();
      for (const [key, planned] of Object.entries(plan)) {
        const session = planned?.session?.isNew ? verifying.newVisitor() : verifying.sessionOf(planned?.as ?? as);
        if (!session || !planned) continue;
        const exchange = await session.send(planned.request);
        const { tag } = planned.calling ?? {};
        const heard =
          tag === undefined
            ? undefined
            : (await outside.heard([tag], planned.calling ? [planned.calling] : [])).get(tag);
        answers.set(key, { ...exchange, ...(heard && { heard }) });
      }
      const judge = (others: ReadonlyMap<string, Observation>) => {
        const told = answersTo(plan, others);
        return told ? check.proof.judge(told, variant, nonce, subject, known) : 'VOID';
      };
      if (judge(answers) === 'PROVED') return { answers, judge };
    }
    throw new Error(`the lab of ${check.id} has no proof`);
  }

  return {
    test,
    record,
    async close() {
      await browser?.close();
      await sender.close();
      await listener.close();
      server.close();
    },
  };
}

function textOf({ verdict, reason, requests = [] }: ReturnType<typeof judgedEvent>): string {
  const sent = requests.map(
    ({ label, request, outcome }) => `  ${label}: ${request.method} ${request.url} -> ${outcome}`,
  );
  return [`${verdict}: ${reason}`, ...sent].join('\n');
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(lab: PointLab | RequestLab, kind: Kind, request: IncomingMessage): Promise<LabAnswer> {
  const body = await text(request);
  if ('parameter' in lab) return lab[kind](readValue(lab, request, body));
  return lab[kind](toLabRequest(request, body));
}

function toLabRequest({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): LabRequest {
  const account = String(headers[ACCOUNT_HEADER] ?? '') || null;
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const [, , , ...rest] = url.split('/');
  return { method, path: `/${rest.join('/')}`, headers: plain, body, account };
}

const SENT_IN_BODY = new Set<PointLab['location']>(['form', 'json', 'graphql', 'multipart', 'fileName']);

function subjectOf(
  { about }: Pick<ActiveCheck, 'about'>,
  lab: PointLab | RequestLab,
  base: string,
): Subjects[keyof Subjects] {
  if (about === 'site') return { origin: base };
  if (!('parameter' in lab)) return placed(lab.item, base);
  const { location = 'query', parameter: name, value } = lab;
  const parameter = { location, name, value };
  const method = SENT_IN_BODY.has(location) ? ('POST' as const) : ('GET' as const);
  return { item: { method, url: base, parameters: [parameter], seenAs: null, contentType: 'text/html' }, parameter };
}

function placed(item: InventoryItem, base: string): InventoryItem {
  const at = <Met extends { url: string }>(met: Met) => ({ ...met, url: `${base}${met.url}` });
  return { ...at(item), ...(item.sightings && { sightings: item.sightings.map(at) }) };
}

function knownOf(lab: PointLab | RequestLab, base: string): Known {
  const items: readonly InventoryItem[] = 'parameter' in lab ? [] : [lab.item, ...(lab.others ?? [])];
  const inventory = items.map((item) => placed(item, base));
  const refused = 'parameter' in lab ? [] : (lab.refused ?? []);
  return {
    inventory,
    accounts: ACCOUNTS.map((name) => ({
      name,
      marks: [`${name}@shop.test`],
      passwordDigests: digestsOf(`${name}-of-the-lab`),
    })),
    refused: refused.map(({ as, url }) => ({ as, url: `${base}${url}` })),
    depth: 'STANDARD',
  };
}

/** Returns the value at the insertion point that the lab declares. */
function readValue({ location = 'query', parameter }: PointLab, { url = '', headers }: IncomingMessage, body: string) {
  const query = new URL(url, 'http://lab').searchParams;
  const cookies = new URLSearchParams(headers.cookie?.replaceAll('; ', '&'));
  const inBody = () => {
    const read: unknown = parameter
      .split('/')
      .slice(1)
      .reduce((value, name) => value?.[name], JSON.parse(body));
    return typeof read === 'object' ? JSON.stringify(read) : String(read);
  };
  const inPart = (pattern: RegExp) => pattern.exec(body)?.[1];
  const readers: Record<NonNullable<PointLab['location']>, () => string | null | undefined> = {
    query: () => query.get(parameter),
    form: () => new URLSearchParams(body).get(parameter),
    json: inBody,
    graphql: inBody,
    multipart: () => inPart(new RegExp(`name="${parameter}".*?\\r\\n\\r\\n(.*?)\\r\\n--`, 's')),
    fileName: () => inPart(new RegExp(`name="${parameter}"; filename="(.*?)"`)),
    cookie: () => cookies.get(parameter),
    header: () => String(headers[parameter.toLowerCase()] ?? ''),
    // Never sent to the server: only scripts of the page read it.
    fragment: () => '',
  };
  return readers[location]() ?? '';
}
