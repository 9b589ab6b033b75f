import { decoysForModels, flawsForModels } from '@sortie/range';
import type { InventoryItem } from '../../../engine/src/crawl/inventory/inventory.ts';
import type { PentestOrder } from '../../../engine/src/protocol/messages.ts';
import type { Reporter } from '../../../engine/src/protocol/reporter.ts';
import type { ModelSetting } from '../../../server/src/billing/model-settings.ts';
import { callModel } from '../../../server/src/models/call-model.ts';
import { createExpert, type Expert } from '../model-server/experts/expert.ts';
import { startModelServer } from '../model-server/model-server.ts';
import type { SeenCall } from '../model-server/protocol.ts';
import { type Played, pentestOrder, playPentest } from './pentest-orders.ts';
import { asCustomers, havingMet } from './range-runs.ts';

interface ExpertRun {
  played: Played;
  /** Calls that the model's server received. */
  calls: SeenCall[];
}

/** Plays a run that has crawled the rooms of a society, planned by a scripted model behind a server that streams its answers. */
export async function playExpert(origin: string, path: string, expert: Expert): Promise<ExpertRun> {
  const server = await startModelServer(createExpert(expert));
  const setting: ModelSetting = {
    name: 'main',
    provider: 'openai-compatible',
    model: 'scripted',
    url: server.url,
    key: null,
    price: { input: 0, output: 0, cachedInput: 0 },
    contextTokens: 128_000,
    maxOutputTokens: 8_000,
    isExternal: false,
    callsAtOnce: 4,
  };
  const ask: Reporter['ask'] = async ({ request }) => {
    const result = await callModel(setting, request, AbortSignal.timeout(60_000));
    if (result.state !== 'ANSWERED') throw new Error(result.reason);
    return result.answer;
  };
  try {
    const played = await playPentest(expertOrder(origin, path), undefined, ask);
    return { played, calls: server.calls };
  } finally {
    await server.close();
  }
}

/** Returns the order of a run that has met the rooms of a society. Without a browser: no flaw of these needs one. */
function expertOrder(origin: string, path: string): PentestOrder {
  const pages = [...flawsForModels, ...decoysForModels].map(
    ({ path: place }) => /^\/\w+(\/\w+)/.exec(place)?.[1] ?? '',
  );
  const rooms = [...new Set([...pages.filter((room) => room !== '/spare'), '/boxes'])];
  const inventory = rooms.map((room): InventoryItem => {
    return { method: 'GET', url: origin + path + room, parameters: [], seenAs: 'alice', contentType: 'text/html' };
  });
  return pentestOrder(origin, {
    ...asCustomers(['alice', 'bob', 'admin']),
    chromium: null,
    ...havingMet(origin, inventory),
    targetUrl: origin + path,
    depth: 'STANDARD',
    budget: { milliseconds: 30 * 60_000, requests: 25_000 },
    planner: {
      provider: 'openai-compatible',
      model: 'scripted',
      contextTokens: 128_000,
      maxOutputTokens: 8_000,
      callsAtOnce: 4,
      budgetMicrodollars: 15_000_000,
    },
  });
}
