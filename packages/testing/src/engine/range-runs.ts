import { existsSync } from 'node:fs';
import type { Flaw, Place } from '@sortie/range';
import type { InventoryItem } from '../../../engine/src/crawl/inventory/inventory.ts';
import { readState } from '../../../engine/src/pentest/run/state.ts';
import { runPentest } from '../../../engine/src/pentest/run-pentest.ts';
import type { Coverage } from '../../../engine/src/protocol/coverage.ts';
import type { PentestFinding } from '../../../engine/src/protocol/finding.ts';
import type { EngineCredential, PentestOrder } from '../../../engine/src/protocol/messages.ts';
import type { Untested } from '../../../engine/src/protocol/untested.ts';
import { startTestListener } from '../targets/outside.ts';
import { pentestOrder } from './pentest-orders.ts';
import { startTestRange, type TestRange } from './range.ts';

const CHROMIUM = '/usr/bin/chromium';
const RUN = 'pen_range';

/** Returns the request as a crawler would record it. */
export function itemAt(
  origin: string,
  { method, path, location, parameter }: Place,
  { sample }: Pick<Flaw, 'sample'>,
): InventoryItem {
  const common = { seenAs: null, contentType: 'text/html', parameters: [] };
  const value = { name: parameter, value: sample };
  if (location === 'body') {
    return { ...common, method: 'POST', url: origin + path, body: { type: 'application/xml', text: sample } };
  }
  if (location === 'json') {
    const body = { type: 'application/json', text: JSON.stringify({ [parameter.slice(1)]: sample }) };
    return { ...common, method: 'POST', url: origin + path, body, parameters: [{ location, ...value }] };
  }
  if (`${method} ${location}` !== 'GET query') throw new Error(`${method} ${location} is not known here`);
  const url = `${origin}${path}?${new URLSearchParams({ [parameter]: sample })}`;
  return { ...common, method: 'GET', url, parameters: [{ location: 'query', ...value }] };
}

/** Returns the state of a run that has finished enumeration with these requests. */
export const havingMet = (origin: string, inventory: InventoryItem[]): Partial<PentestOrder> => ({
  done: ['VERIFYING/1', 'RECON/1', 'ENUMERATION/1'],
  state: JSON.stringify({ ...readState(null, `${origin}/`), crawled: 100, inventory }),
});

/** Accounts of the range, and a browser if there is one. */
export const asCustomers = (names: readonly string[] = ['alice', 'bob']): Partial<PentestOrder> => ({
  credentials: names.map(accountOf),
  chromium: existsSync(CHROMIUM) ? CHROMIUM : null,
  sandbox: 'preferred',
});

function accountOf(name: string): EngineCredential {
  const none = { totpSecret: null, instructions: null, tokenUrl: null, scope: null, audience: null };
  return {
    name,
    kind: 'FORM_LOGIN',
    mode: 'auto',
    location: 'header',
    user: name,
    pass: `${name}-of-the-range`,
    ...none,
  };
}

export interface RangeRun {
  findings: PentestFinding[];
  requests: number;
  summary: string;
  untested: readonly Untested[];
  coverage: Coverage | undefined;
  /** How often the run triggered each action that nobody may trigger. */
  touches: Record<string, number>;
  /** The accounts of the run that can no longer log in. */
  lockedOut: readonly string[];
}

/** The whole range with a listener that it may call, and what is between the engine and the range. */
export interface OpenRange {
  range: TestRange;
  listener: Awaited<ReturnType<typeof startTestListener>>;
  close(): Promise<void>;
}

export async function openRange({ hasShiftedIds = false } = {}): Promise<OpenRange> {
  const listener = await startTestListener({ runId: RUN, patienceMs: 300 });
  const [mayCall = '', mayAsk = ''] = [listener.httpPort, listener.dnsPort].map((port) => `127.0.0.1:${port}`);
  const range = await startTestRange({ isWhole: true, hasShiftedIds, mayCall, mayAsk });
  return {
    range,
    listener,
    async close() {
      await range.stop();
      await listener.close();
    },
  };
}

/** Runs against its own instance of the whole range, which may call the listener. */
export async function runAtRange(
  changes: (origin: string) => Partial<PentestOrder>,
  version: { hasShiftedIds?: boolean } = {},
): Promise<RangeRun> {
  const opened = await openRange(version);
  try {
    return await runAt(opened.range.origin, opened, changes);
  } finally {
    await opened.close();
  }
}

/** Runs against the range at this origin, which may be that of a proxy. */
export async function runAt(
  origin: string,
  { range, listener }: OpenRange,
  changes: (origin: string) => Partial<PentestOrder>,
): Promise<RangeRun> {
  const findings: PentestFinding[] = [];
  let requests = 0;
  const order = { ...pentestOrder(origin), runId: RUN, ...changes(origin), outside: listener.order };
  const ended = await runPentest(order, {
    enter: () => undefined,
    went: () => undefined,
    keep: async () => undefined,
    async save(step) {
      findings.push(...step.findings);
      requests += step.requests;
    },
    heard: listener.ask,
  });
  if (ended === 'paused') throw new Error('a run without a time window paused');
  const touched = await fetch(`${range.origin}/.well-known/range-touches`);
  const touches = (await touched.json()) as RangeRun['touches'];
  return {
    findings,
    requests,
    summary: ended.summary,
    untested: ended.untested ?? [],
    coverage: ended.coverage,
    touches,
    lockedOut: await lockedOutOf(range.origin, order.credentials),
  };
}

/** Returns the names of the accounts that the range does not let in. */
async function lockedOutOf(origin: string, credentials: readonly EngineCredential[]): Promise<string[]> {
  const refused: string[] = [];
  for (const { name, user, pass } of credentials) {
    const form = await fetch(`${origin}/login`);
    const [, token = ''] = /name="form_token" value="([^"]+)"/.exec(await form.text()) ?? [];
    const cookie = form.headers.getSetCookie().map((line) => line.replace(/;.*$/s, ''));
    const body = new URLSearchParams({ username: user, password: pass, form_token: token });
    const headers = { cookie: cookie.join('; ') };
    const { status } = await fetch(`${origin}/login`, { method: 'POST', redirect: 'manual', headers, body });
    if (status !== 303) refused.push(name);
  }
  return refused;
}

/** Returns how many requests the summary tells, those of them that could change something, and the sum of their outcomes. */
export function sentIn(summary: string) {
  const told =
    /^Sent (\d+) requests(?:, none of which could|: (\d+) could) change something(?: \((\d+) accepted, (\d+) refused, (\d+) without a response\))?\.$/m;
  const [all, changing, ...outcomes] = (told.exec(summary) ?? []).slice(1).map((each) => Number(each ?? 0));
  return { all, changing, outcomes: outcomes.reduce((sum, each) => sum + each, 0) };
}

/** Returns the findings without what varies between runs: ports, numbers and order. */
export const tellingOf = ({ findings }: Pick<RangeRun, 'findings'>) =>
  findings
    .map(({ title, confidence, severity, affectedUrl, parameter }) => {
      const { pathname } = new URL(affectedUrl ?? '');
      return `${confidence} ${severity} ${title}: ${pathname} ${parameter ?? ''}`;
    })
    .toSorted();
