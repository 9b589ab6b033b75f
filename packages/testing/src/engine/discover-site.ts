import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRunMemory } from '../../../engine/src/active/run-memory.ts';
import { enumerate, isEnumerated } from '../../../engine/src/pentest/discovery/enumerate.ts';
import { runRecon } from '../../../engine/src/pentest/discovery/recon.ts';
import { createChangeJournal } from '../../../engine/src/pentest/run/change-journal.ts';
import { logInAll, openRun } from '../../../engine/src/pentest/run/context.ts';
import { type PentestState, readState } from '../../../engine/src/pentest/run/state.ts';
import { createWriteLedger } from '../../../engine/src/pentest/run/write-ledger.ts';
import type { PentestOrder } from '../../../engine/src/protocol/messages.ts';
import { pentestOrder } from './pentest-orders.ts';

interface Discovery {
  depth?: PentestOrder['depth'];
  excludedPaths?: string[];
  /** Test accounts, which log in before the crawl. */
  credentials?: PentestOrder['credentials'];
  /** Whether only the crawl runs. */
  isCrawlOnly?: boolean;
}

interface Discovered {
  origin: string;
  state: PentestState;
  /** Each request as method and path. */
  asked: string[];
}

/** Runs RECON and ENUMERATION against a site on loopback, by default without an account. */
export async function discoverSite(
  site: RequestListener,
  { depth = 'LEAD', excludedPaths = [], credentials = [], isCrawlOnly = false }: Discovery = {},
): Promise<Discovered> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    site(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const order = pentestOrder(origin, { depth, credentials });
  const run = openRun({ ...order, engagement: { ...order.engagement, excludedPaths } });
  try {
    const state = readState(null, order.targetUrl);
    const save = async () => undefined;
    const journal = createChangeJournal({ state, save, sessionOf: () => run.visitor });
    const ledger = createWriteLedger({ state, depth, save });
    const context = { ...run, state, journal, ledger, memory: createRunMemory() };
    const failed = await logInAll(run);
    if (failed !== undefined) throw new Error(failed);
    if (!isCrawlOnly) await runRecon(context);
    while (!isEnumerated(state, credentials.length)) await enumerate(context);
    return { origin, state, asked };
  } finally {
    await run.sender.close();
    server.close();
  }
}
