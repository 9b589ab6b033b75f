import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answerKey, decoys, type Flaw, type Place, placeOf, twinOf } from '@sortie/range';
import type { InventoryItem } from '../packages/engine/src/crawl/inventory.ts';
import type { PentestFinding } from '../packages/engine/src/finding.ts';
import type { PentestOrder } from '../packages/engine/src/messages.ts';
import { runPentest } from '../packages/engine/src/pentest.ts';
import { readState } from '../packages/engine/src/pentest-state.ts';
import { startTestListener } from './support/outside.ts';
import { startTestRange, type TestRange } from './support/range.ts';

const RUN = 'pen_range';
const flaws = answerKey.filter(({ needs, check }) => needs === 'listener' || check === 'CMDI-BLIND');
/** A flaw that can be proved in several ways is told once. */
const OURS = new Set(flaws.map(({ cwe }) => cwe));
const watched = decoys.filter(({ id }) => id === 'followed-links');

/** The request as a crawler would have met it. */
function itemAt(origin: string, { method, path, location, parameter }: Place, { sample }: Flaw): InventoryItem {
  const common = { seenAs: null, contentType: 'text/html', parameters: [] };
  const value = { name: parameter, value: sample };
  if (location === 'body') {
    return { ...common, method: 'POST', url: origin + path, body: { type: 'application/xml', text: sample } };
  }
  if (location === 'json') {
    const body = { type: 'application/json', text: JSON.stringify({ [parameter.slice(1)]: sample }) };
    return { ...common, method: 'POST', url: origin + path, body, parameters: [{ location, ...value }] };
  }
  assert.equal(`${method} ${location}`, 'GET query');
  const url = `${origin}${path}?${new URLSearchParams({ [parameter]: sample })}`;
  return { ...common, method: 'GET', url, parameters: [{ location: 'query', ...value }] };
}

function inventoryAt(origin: string): InventoryItem[] {
  const places = flaws.flatMap((flaw) => [placeOf(flaw), twinOf(flaw)].map((place) => itemAt(origin, place, flaw)));
  const looksAlike = watched.map(({ path, parameter }) =>
    itemAt(origin, { method: 'GET', path, parameter, location: 'query' }, { sample: 'x' } as Flaw),
  );
  return [...places, ...looksAlike];
}

function orderFor({ origin, port }: TestRange): PentestOrder {
  return {
    type: 'pentest',
    runId: RUN,
    targetUrl: `${origin}/`,
    depth: 'STANDARD',
    done: ['VERIFYING/1', 'RECON/1', 'ENUMERATION/1'],
    state: JSON.stringify({ ...readState(null, `${origin}/`), crawled: 100, inventory: inventoryAt(origin) }),
    attempt: 1,
    script: null,
    engagement: {
      coveredName: null,
      coveredOrigin: origin,
      excludedPaths: [],
      requestsPerSecond: 1_000,
      windowMs: null,
    },
    budget: { milliseconds: 600_000, requests: 20_000 },
    credentials: [],
    network: { allowAddresses: [`127.0.0.1/32:${port}`], resolvers: ['127.0.0.1:1'], userAgent: 'Sortie test' },
    chromium: null,
  };
}

let range: TestRange;
let listener: Awaited<ReturnType<typeof startTestListener>>;
const findings: PentestFinding[] = [];
let summary = '';

before(async () => {
  listener = await startTestListener({ runId: RUN, patienceMs: 300 });
  const [mayCall = '', mayAsk = ''] = [listener.httpPort, listener.dnsPort].map((port) => `127.0.0.1:${port}`);
  range = await startTestRange({ isWhole: true, mayCall, mayAsk });
  const ended = await runPentest(
    { ...orderFor(range), outside: listener.order },
    {
      enter: () => undefined,
      went: () => undefined,
      keep: async () => undefined,
      save: async (step) => void findings.push(...step.findings),
      heard: listener.ask,
    },
  );
  summary = ended === 'paused' ? ended : ended.summary;
});
after(async () => {
  await range.stop();
  await listener.close();
});

const isAt = ({ affectedUrl }: PentestFinding, path: string) => new URL(affectedUrl ?? '').pathname === path;

describe('what only a call from outside shows, in the range', () => {
  for (const { id, cwe, path, safePath } of flaws) {
    it(`${id} is confirmed, and its twin is not`, () => {
      const foundAt = (place: string) =>
        findings
          .filter((finding) => isAt(finding, place) && OURS.has(Number(finding.cwe)))
          .map((finding) => [finding.cwe, finding.confidence]);
      assert.deepEqual(foundAt(path), [[cwe, 'CONFIRMED']], summary);
      assert.deepEqual(foundAt(safePath), []);
    });
  }

  it('is not taken for a flaw where a guard opens all addresses', () => {
    for (const { path } of watched) assert.ok(!findings.some((finding) => isAt(finding, path)));
  });
});
