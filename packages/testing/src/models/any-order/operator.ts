import { type Database, inTransaction } from '../../../../server/src/db/database.ts';
import type { CommandOf } from './commands.ts';
import { advance, dueRuns, giveUpInModel, suspendInModel } from './model.ts';
import { environment, type Product } from './product.ts';
import type { Context, Step } from './step.ts';

type OperatorCommand = CommandOf<'suspend' | 'resume' | 'advance' | 'sweep'>;

/** Commands of an operator, and background jobs of the service. */
export function operatorStep(command: OperatorCommand, { product, database, account }: Context): Step {
  const { accountId: id } = account;
  const transact: Parameters<typeof product.accountCommands>[0]['transact'] = (work) => inTransaction(database, work);
  const commands = product.accountCommands({ catalogue: environment.rules.catalogue, transact });
  switch (command.kind) {
    case 'suspend':
      return {
        kind: 'suspend',
        name: 'suspend',
        send: async () => (await commands.suspend({ id })).cancelledPentests,
        inModel: suspendInModel,
        touches: () => 'all',
      };
    case 'resume':
      return {
        kind: 'resume',
        name: 'resume',
        send: async () => (await commands.resume({ id })).suspendedAt,
        inModel(model) {
          model.isSuspended = false;
          return null;
        },
      };
    case 'advance': {
      const change = { seconds: command.seconds, actor: 'operator' };
      return {
        kind: 'advance',
        name: `advance ${command.seconds} s`,
        send: async () => (await inTransaction(database, (tx) => product.advanceClock(tx, change))).getTime(),
        inModel: (model) => advance(model, command.seconds),
      };
    }
    case 'sweep':
      return {
        kind: 'sweep',
        name: 'sweep',
        send: async () => (await sweep(product, database)).toSorted(),
        inModel: (model) =>
          dueRuns(model)
            .filter((runId) => giveUpInModel(model, runId))
            .toSorted(),
      };
  }
}

/** Books expired credits and gives up starts without a retry. Resolves to the ids of the runs given up. */
async function sweep(product: Product, database: Database): Promise<string[]> {
  const { settings, log } = environment;
  const { pentestKind } = product.pentests;
  const runIds = new Set<string>();
  const kind: typeof pentestKind = {
    ...pentestKind,
    giveUp(tx, claim) {
      runIds.add(claim.runId);
      return pentestKind.giveUp(tx, claim);
    },
  };
  const jobs = product.createStartJobs(database, { kinds: [kind], settings, log });
  for (const { run } of jobs) await unlessLocked(run);
  await unlessLocked(() => product.expireDueGrants(database));
  return [...runIds];
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Retries at once if the account is locked: the sweep itself would skip it until the next round. */
async function unlessLocked(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    if (code !== LOCK_NOT_AVAILABLE && cause?.code !== LOCK_NOT_AVAILABLE) throw error;
    await unlessLocked(work);
  }
}
