import { randomBytes } from 'node:crypto';
import type { StartAccount } from '../overspend/account.ts';
import type { Command, CommandOf } from './commands.ts';
import { cancelInModel, isOver, type Lease, startInModel } from './model.ts';
import { operatorStep } from './operator.ts';
import { environment } from './product.ts';
import { reviewerStep } from './reviewer.ts';
import { type Context, pickRun, type Step, toCode } from './step.ts';
import { takeInModel } from './work-model.ts';
import { leaseMsOf, workerStep } from './worker.ts';

/** Returns undefined if there is nothing that the command could refer to. */
export function toStep(command: Command, context: Context): Step | undefined {
  switch (command.kind) {
    case 'start':
      return startStep(command, context);
    case 'take':
      return takeStep(command, context);
    case 'cancel':
      return cancelStep(command, context);
    case 'takeReport':
    case 'signOff':
    case 'reject':
    case 'reopen':
      return reviewerStep(command, context);
    case 'suspend':
    case 'resume':
    case 'advance':
    case 'sweep':
      return operatorStep(command, context);
    default:
      return workerStep(command, context);
  }
}

class PlannedFailure extends Error {}

function startStep({ depth, isHandedOver }: CommandOf<'start'>, { product, database, account }: Context): Step {
  const { accountId, userIds, apiKeyIds, targets } = account;
  const [userId = '', apiKeyId = '', target] = [userIds[0], apiKeyIds[0], targets[0]];
  const body = { targetUrl: target?.url ?? '', verificationId: target?.verificationId ?? '', depth };
  const { rules, settings, log } = environment;
  const handOver = isHandedOver ? product.createHandOver(database) : () => Promise.reject(new PlannedFailure());
  return {
    kind: 'start',
    name: `start ${depth}${isHandedOver ? '' : ', which is not handed over'}`,
    async send() {
      let id = '';
      const asked = { accountId, userId, idempotencyKey: randomBytes(8).toString('hex'), fingerprint: randomBytes(32) };
      const create: Parameters<typeof product.startOnce>[3] = (tx, runId) => {
        id = runId;
        return product.pentests.createPentest(tx, runId, { accountId, userId, apiKeyId }, body, rules);
      };
      const context = { database, settings, log, handOver };
      try {
        const answer = await product.startOnce(context, product.pentests.pentestKind, asked, create);
        return { id, told: JSON.parse(answer.body).status };
      } catch (error) {
        return { id, told: error instanceof PlannedFailure ? 'INTERNAL_ERROR' : toCode(error).code };
      }
    },
    inModel(model, answer) {
      const { id } = answer as { id: string };
      return { id, told: startInModel(model, { id, depth, isHandedOver }) };
    },
  };
}

function takeStep(command: CommandOf<'take'>, { product, database }: Context): Step {
  const { isLasting } = command;
  return {
    kind: 'take',
    name: isLasting ? 'take' : 'take and fall silent',
    async send() {
      const terms = { owner: 'worker', leaseMs: leaseMsOf(command) };
      const taken = await product.pentests.takePentest(database.queries, terms);
      return taken ? { id: taken.id, epoch: taken.epoch } : null;
    },
    inModel: (model, answer, isBusy) => takeInModel(model, { taken: answer as Lease | null, isLasting, isBusy }),
    touches: (answer) => (answer as Lease | null)?.id,
  };
}

function cancelStep({ run }: CommandOf<'cancel'>, context: Context): Step | undefined {
  const { product, database, account } = context;
  const id = pickRun(run, context, (each) => !isOver(each));
  if (id === undefined) return undefined;
  return {
    kind: 'cancel',
    name: `cancel ${id}`,
    send: () => product.cancelPentest(database, ownerOf(account), id),
    inModel: (model) => cancelInModel(model, id),
    touches: () => id,
  };
}

export function ownerOf({ accountId, userIds }: StartAccount) {
  return { accountId, userId: userIds[0] ?? '', role: 'OWNER' as const };
}
