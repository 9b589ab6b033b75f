import type { Role } from '@sortie/contract';
import { setBudget } from '../../world/credit-account.ts';
import { grantInModel, grantPlanInModel } from '../ledger/model.ts';
import { toAnswer } from './attempt.ts';
import type { Command, CommandOf } from './commands.ts';
import { later, type ModelTarget, type OverspendModel, plans, removeMemberInModel, suspendInModel } from './model.ts';
import type { Product } from './product.ts';
import type { OverspendContext, Step } from './step.ts';

const DAY_MS = 24 * 3_600_000;
const VERIFIED_FOR_MS = 90 * DAY_MS;

type OperatorCommand = Exclude<
  Command,
  CommandOf<'start' | 'retry' | 'goOn' | 'sweep' | 'wait' | 'waitFor' | 'cancel'>
>;
type Operator = ReturnType<Product['operator']>;

export function operatorStep(command: OperatorCommand, context: OverspendContext): Step | undefined {
  const action = toAction(command, context);
  if (!action) return undefined;
  return {
    kind: 'one transaction',
    name: JSON.stringify(command),
    send: (database) => action.send(context.product.operator(database)).catch(toAnswer),
    inModel: action.inModel,
  };
}

interface OperatorAction {
  send(operator: Operator): Promise<unknown>;
  inModel(): unknown;
}

/** Returns an operator command, without irrelevant parts of its result. */
function toAction(command: OperatorCommand, context: OverspendContext): OperatorAction | undefined {
  const { account, model } = context;
  const { accountId: id } = account;
  switch (command.kind) {
    case 'grant':
      return grantAction(command, context);
    case 'cap':
      return capAction(command, context);
    case 'role':
      return roleAction(command.role, context);
    case 'plan':
      return {
        send: (operator) => operator.account.setPlan({ id, plan: command.plan }).then(nothing),
        inModel() {
          model.concurrentPentests = plans[command.plan];
          grantPlanInModel(model.ledger);
        },
      };
    case 'suspend':
      return {
        send: async (operator) => (await operator.account.suspend({ id })).cancelledPentests,
        inModel: () => suspendInModel(model),
      };
    case 'resume':
      return {
        send: (operator) => operator.account.resume({ id }).then(nothing),
        inModel() {
          model.isSuspended = false;
        },
      };
    case 'revoke': {
      const apiKeyId = account.apiKeyIds[command.key] ?? '';
      return {
        send: (operator) => operator.key.revoke({ id: apiKeyId }).then(nothing),
        inModel: () => void Object.assign(model.keys.get(apiKeyId) ?? {}, { isRevoked: true }),
      };
    }
    case 'assign':
    case 'apiRuns':
    case 'attest':
      return targetAction(command, context);
  }
}

const nothing = () => undefined;

function grantAction(
  { source, amount, days }: CommandOf<'grant'>,
  { account, model }: OverspendContext,
): OperatorAction {
  const input = { account: account.accountId, source, amount: String(amount), ...(days && { expires: `${days}d` }) };
  return {
    async send(operator) {
      const { available, held } = (await operator.credits.grant(input)).balance;
      return { available, held };
    },
    inModel() {
      const { ledger } = model;
      const expiresAt = days === null ? null : later(ledger.now, days * DAY_MS);
      const operationKey = `operation-${ledger.booked.size}`;
      return grantInModel(ledger, { operationKey, source, amount, expiresAt }).balanceAfter;
    },
  };
}

function capAction(
  { of, which, limit }: CommandOf<'cap'>,
  { account, model, database }: OverspendContext,
): OperatorAction {
  if (of === 'key') {
    const id = account.apiKeyIds[which] ?? '';
    return {
      // Budgets are set when a key is created; the product has no command to change them.
      send: () => setBudget(database, id, limit),
      inModel: () => void model.ledger.caps.set(id, limit),
    };
  }
  const user = account.userIds[which % account.userIds.length] ?? '';
  const allowance = limit === null ? 'none' : String(limit);
  return {
    send: (operator) => operator.member.setAllowance({ account: account.accountId, user, allowance }).then(nothing),
    inModel() {
      if (!model.roles.has(user)) return { code: 'NOT_FOUND' };
      model.ledger.caps.set(user, limit);
      return undefined;
    },
  };
}

/** Changes the member's role, removes the membership or restores it. */
function roleAction(role: Role | null, { account, model }: OverspendContext): OperatorAction | undefined {
  const user = account.userIds[1] ?? '';
  const membership = { account: account.accountId, user };
  const isMember = () => model.roles.has(user);
  const wasMember = isMember();
  if (!wasMember && role === null) return undefined;
  return {
    send({ member }) {
      if (role === null) return member.remove(membership).then(nothing);
      return (wasMember ? member.setRole({ ...membership, role }) : member.add({ ...membership, role })).then(nothing);
    },
    inModel() {
      if (isMember() !== wasMember) return { code: wasMember ? 'NOT_FOUND' : 'VALIDATION_ERROR' };
      if (role === null) return removeMemberInModel(model, user);
      if (!wasMember) model.ledger.caps.set(user, null);
      model.roles.set(user, role);
      return undefined;
    },
  };
}

function targetAction(
  command: CommandOf<'assign' | 'apiRuns' | 'attest'>,
  { account, model }: OverspendContext,
): OperatorAction | undefined {
  const { verificationId: id = '', url = '' } = account.targets[command.target] ?? {};
  const user = account.userIds[1] ?? '';
  const target = model.targets.get(id);
  if (!target) return undefined;
  switch (command.kind) {
    case 'assign':
      return {
        send: ({ target: { assign, unassign } }) =>
          (command.isAssigned ? assign({ id, user }) : unassign({ id, user })).then(nothing),
        inModel: () => assignInModel(model, target, user, command.isAssigned),
      };
    case 'apiRuns':
      return {
        send: (operator) => operator.target.apiRuns({ id, state: command.apiRuns ? 'on' : 'off' }).then(nothing),
        inModel() {
          target.apiRuns = command.apiRuns;
        },
      };
    case 'attest':
      return {
        send: (operator) => operator.target.attest({ account: account.accountId, url }).then(nothing),
        inModel() {
          target.expiresAt = later(model.ledger.now, VERIFIED_FOR_MS);
        },
      };
  }
}

function assignInModel(model: OverspendModel, target: ModelTarget, userId: string, isAssigned: boolean) {
  if (!model.roles.has(userId)) return { code: 'NOT_FOUND' };
  if (isAssigned) target.assignedTo.add(userId);
  else target.assignedTo.delete(userId);
  return undefined;
}
