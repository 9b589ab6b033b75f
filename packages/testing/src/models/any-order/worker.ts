import { inTransaction } from '../../../../server/src/db/database.ts';
import { type CommandOf, toUsed } from './commands.ts';
import { isOver, type Lease, runOf } from './model.ts';
import type { Context, Step } from './step.ts';
import { endAsWorkerInModel, enterPhaseInModel, keepInModel, saveStepInModel } from './work-model.ts';

type WorkerCommand = CommandOf<'enterPhase' | 'saveStep' | 'end' | 'heartbeat' | 'giveBack'>;

/** Longer than any list, or expired immediately. */
export const leaseMsOf = ({ isLasting }: { isLasting: boolean }) => (isLasting ? 600_000 : 0);

/** A command of a worker that holds the run, has lost its lease, or whose run is over. */
export function workerStep(command: WorkerCommand, context: Context): Step | undefined {
  const lease = pickLease(command.worker, context);
  if (!lease) return undefined;
  const { name, send, inModel } = workOn(lease, command, context);
  return {
    kind: command.kind,
    name: `${name} as worker ${lease.epoch} of ${lease.id}`,
    send,
    inModel,
    touches: () => lease.id,
  };
}

/** Prefers a valid lease, or a lost one, depending on the number; else a lease of a run that is over. */
function pickLease(number: number, { leases, model, focus }: Context): Lease | undefined {
  const some = leases.filter(({ id }) => focus === undefined || number % 6 === 0 || id === focus);
  const going = some.filter(({ id }) => !isOver(runOf(model, id)));
  const isLost = ({ id, epoch }: Lease) => runOf(model, id).epoch !== epoch;
  const preferred = [going.filter(isLost), going, going.filter((lease) => !isLost(lease))][number % 3] ?? [];
  const chosen = preferred.length > 0 ? preferred : some;
  return chosen[number % Math.max(1, chosen.length)];
}

interface Work {
  name: string;
  send(): Promise<unknown>;
  inModel: Step['inModel'];
}

function workOn(lease: Lease, command: WorkerCommand, context: Context): Work {
  const { pentests, leases } = context.product;
  const { database, account } = context;
  const { queries } = database;
  switch (command.kind) {
    case 'enterPhase': {
      const { phase } = command;
      return {
        name: `enter ${phase}`,
        send: () => pentests.enterPhase(queries, lease, phase),
        inModel: (model) => enterPhaseInModel(model, lease, phase),
      };
    }
    case 'saveStep':
      return saveStep(lease, command, context);
    case 'end': {
      const { outcome } = command;
      const run = { accountId: account.accountId, runId: lease.id, epoch: lease.epoch };
      return {
        name: `end ${outcome}`,
        send: () => inTransaction(database, (tx) => pentests.endRun(tx, run, outcome, 'This was tested.')),
        inModel: (model) => endAsWorkerInModel(model, lease, outcome),
      };
    }
    case 'heartbeat':
      return {
        name: command.isLasting ? 'renew' : 'fall silent',
        async send() {
          const standings = await leases.renewLeases(queries, 'pentest', [lease], leaseMsOf(command));
          return standings.has(lease.id) ? standings.get(lease.id) === 'OURS' : null;
        },
        inModel(model, answer, isBusy) {
          if (answer === null && isBusy(lease.id)) return null;
          return keepInModel(model, lease, command.isLasting);
        },
      };
    case 'giveBack':
      return giveBack(lease, command, context);
  }
}

/** After its first crash a run rests for a thirtieth of this duration. */
const restLeaseMsOf = (isResting: boolean) => 30 * leaseMsOf({ isLasting: isResting });

function giveBack(lease: Lease, { how }: CommandOf<'giveBack'>, { product, database }: Context): Work {
  const { returnLease, backOffAfterCrash } = product.leases;
  const { queries } = database;
  const isResting = how === 'to rest';
  const crashed = { ...lease, attempts: 1 };
  return {
    name: `give back ${how}`,
    send: () =>
      how === 'in order'
        ? returnLease(queries, 'pentest', lease)
        : backOffAfterCrash(queries, 'pentest', crashed, restLeaseMsOf(isResting)),
    inModel: (model) => void keepInModel(model, lease, isResting),
  };
}

function saveStep(
  lease: Lease,
  { step: number, work }: CommandOf<'saveStep'>,
  { product, database, model }: Context,
): Work {
  const used = toUsed(work, runOf(model, lease.id).depth);
  const { engineMs, requests, modelMicrodollars } = used;
  const name = `WEB_TEST/${number}`;
  const step: Parameters<typeof product.pentests.saveStep>[2] = {
    type: 'step',
    name,
    phase: 'WEB_TEST',
    requests,
    modelMicrodollars,
    findings: [],
  };
  return {
    name: `save ${name} of ${JSON.stringify(used)}`,
    send: () => product.pentests.saveStep(database, lease, step, engineMs),
    inModel: (each) => saveStepInModel(each, lease, name, used),
  };
}
