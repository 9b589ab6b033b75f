import type { Depth, Experiment } from '@sortie/contract';
import { createRunMemory } from '../../../engine/src/active/run-memory.ts';
import type { InventoryItem } from '../../../engine/src/crawl/inventory/inventory.ts';
import { type Proved, proveExperiment } from '../../../engine/src/pentest/planner/prove-experiment.ts';
import { logInAll, openRun } from '../../../engine/src/pentest/run/context.ts';
import { knownAccounts } from '../../../engine/src/pentest/run/known-accounts.ts';
import { readState } from '../../../engine/src/pentest/run/state.ts';
import { openJournal } from '../../../engine/src/pentest/run/step.ts';
import type { EngineCredential } from '../../../engine/src/protocol/messages.ts';
import { pentestOrder } from './pentest-orders.ts';

interface Proving {
  credentials?: readonly EngineCredential[];
  depth?: Depth;
  inventory?: readonly InventoryItem[];
  requests?: number;
  excludedPaths?: string[];
}

export interface ExperimentBench {
  prove(experiment: Experiment): Promise<Proved>;
  requestsSent(): number;
  close(): Promise<void>;
}

/** Logs accounts in and carries out experiments by the rules of a run, without the run around it. */
export async function openExperiments(origin: string, options: Proving = {}): Promise<ExperimentBench> {
  const { credentials = [], depth = 'STANDARD', inventory = [], requests = 2_000, excludedPaths = [] } = options;
  const order = pentestOrder(origin, { depth, credentials: [...credentials] });
  const run = openRun({ ...order, engagement: { ...order.engagement, excludedPaths } });
  const obstacle = await logInAll(run);
  if (obstacle !== undefined) throw new Error(obstacle);
  const state = readState(null, order.targetUrl, []);
  const sessionOf = (name: string | null) => (name === null ? run.visitor : run.accounts.get(name)?.session);
  const { ledger, journal } = openJournal({ state, depth, save: async () => undefined, sessionOf });
  const context = { ...run, state, journal, ledger, memory: createRunMemory(state.counts) };
  const known = { inventory, accounts: knownAccounts(credentials, () => undefined), depth, outside: run.outside };
  const { requestsSent } = run.sender;
  return {
    async prove(experiment) {
      const proved = await proveExperiment(experiment, {
        context,
        known,
        requestsLeft: () => requests - requestsSent(),
      });
      state.findings.push(...proved.findings.map(({ fingerprint }) => fingerprint));
      return proved;
    },
    requestsSent,
    async close() {
      await run.sender.close();
      await run.browser.close();
    },
  };
}
