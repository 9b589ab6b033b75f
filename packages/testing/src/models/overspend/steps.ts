import type { Role } from '@sortie/contract';
import { beginAttempt, toAnswer } from './attempt.ts';
import type { Command, CommandOf, DueThing } from './commands.ts';
import { cancelInModel, later, type StartRequest, type Trouble } from './model.ts';
import { GIVEN_UP_AFTER_MS } from './model-claims.ts';
import { goOnInModel } from './model-starts.ts';
import { operatorStep } from './operator.ts';
import type { OverspendContext, Step } from './step.ts';

/** Each paused attempt occupies a connection. */
const MOST_PAUSED = 3;
/** The number that picks an unknown run. */
const UNKNOWN_RUN = 9;

/** Returns undefined if there is nothing that the command could refer to. */
export function toStep(command: Command, context: OverspendContext): Step | undefined {
  switch (command.kind) {
    case 'start':
      return newStart(command, context);
    case 'retry':
      return retry(command, context);
    case 'goOn':
      return goOn(command, context);
    case 'sweep':
      return { kind: 'sweep', name: 'sweep' };
    case 'wait':
      return waitStep(later(context.clock.now(), command.seconds * 1_000), context);
    case 'waitFor': {
      const instants = dueInstants(command.what, context).filter((instant) => instant > context.clock.now());
      const instant = pickFrom(instants.toSorted(bySooner), command.which);
      return instant && waitStep(later(instant, command.milliseconds), context);
    }
    case 'cancel':
      return cancelStep(command, context);
    default:
      return operatorStep(command, context);
  }
}

const pickFrom = <T>(things: readonly T[], number: number): T | undefined =>
  things[number % Math.max(1, things.length)];

const bySooner = (a: Date, b: Date) => a.getTime() - b.getTime();

function newStart(command: CommandOf<'start'>, context: OverspendContext): Step {
  const { account, anotherAccount, requests } = context;
  const targets = { lasting: 0, expiring: 1, incomplete: 2, outside: 0, unknown: 0, 'of another account': 0 };
  const holder = command.target === 'of another account' ? anotherAccount : account;
  const { verificationId = '', url = '' } = holder.targets[targets[command.target]] ?? {};
  const request: StartRequest = {
    idempotencyKey: `start-${requests.length}`,
    apiKeyId: account.apiKeyIds[command.key] ?? '',
    body: {
      targetUrl: command.target === 'outside' ? 'https://elsewhere.example/' : url,
      verificationId: command.target === 'unknown' ? 'ver_unknown' : verificationId,
      ...(command.depth && { depth: command.depth }),
    },
  };
  requests.push(request);
  const { depth = 'depth left out', target, key } = command;
  return startStep(request, command.trouble, `${depth}, ${target} target, key ${key}`, context);
}

function retry(command: CommandOf<'retry'>, context: OverspendContext): Step | undefined {
  const { requests, account } = context;
  const earlier = pickFrom(requests.toReversed(), command.earlier);
  if (!earlier) return undefined;
  const { apiKeyId } = earlier;
  const body = { ...earlier.body, depth: earlier.body.depth === 'DEEP' ? 'LEAD' : 'DEEP' } as const;
  const request: StartRequest = {
    ...earlier,
    apiKeyId: command.key === null ? apiKeyId : (account.apiKeyIds[command.key] ?? apiKeyId),
    ...(command.hasOtherBody && { body }),
  };
  const key = account.apiKeyIds.indexOf(request.apiKeyId);
  return startStep(request, command.trouble, `again${command.hasOtherBody ? ', otherwise' : ''}, key ${key}`, context);
}

function startStep(
  request: StartRequest,
  wantedTrouble: Trouble,
  description: string,
  { product, account, model, paused }: OverspendContext,
): Step {
  const trouble = wantedTrouble.startsWith('pauses') && paused.length >= MOST_PAUSED ? 'none' : wantedTrouble;
  const userId = model.keys.get(request.apiKeyId)?.userId ?? '';
  const { accountId } = account;
  return {
    kind: 'start',
    name: `${request.idempotencyKey}: ${description}, trouble: ${trouble}`,
    begin: (database) => beginAttempt({ product, database, accountId, userId, request, trouble }),
  };
}

function goOn({ attempt: number }: CommandOf<'goOn'>, { paused, model }: OverspendContext): Step | undefined {
  const attempt = pickFrom(paused.toReversed(), number);
  if (!attempt) return undefined;
  paused.splice(paused.indexOf(attempt), 1);
  return {
    kind: 'one transaction',
    name: `${attempt.request.idempotencyKey} goes on after its pause`,
    send() {
      attempt.goOn();
      return attempt.answer;
    },
    inModel: () => goOnInModel(model, attempt),
  };
}

function dueInstants(what: DueThing, { model }: OverspendContext): Date[] {
  const claims = [...model.claims.values()];
  switch (what) {
    case 'grant':
      return model.ledger.grants.flatMap((grant) => grant.expiresAt ?? []);
    case 'claim':
      return claims.filter(({ state }) => state !== 'DONE').map(({ heldUntil }) => heldUntil);
    case 'answer':
      return claims.flatMap(({ answer }) => answer?.until ?? []);
    case 'giving up':
      return [...model.runs.values()]
        .filter(({ isHandedOver }) => !isHandedOver)
        .map(({ createdAt }) => later(createdAt, GIVEN_UP_AFTER_MS));
    case 'verification':
      return [...model.targets.values()].flatMap(({ expiresAt }) => expiresAt ?? []);
  }
}

function waitStep(until: Date, { clock, model }: OverspendContext): Step | undefined {
  if (until <= clock.now()) return undefined;
  return {
    kind: 'one transaction',
    name: `wait until ${until.toISOString()}`,
    send: () => clock.moveTo(until),
    inModel() {
      model.ledger.now = until;
    },
  };
}

function cancelStep({ run, member }: CommandOf<'cancel'>, context: OverspendContext): Step {
  const { product, account, model } = context;
  const [ownerId = '', memberId = ''] = account.userIds;
  const runIds = [...model.runs.keys()].toReversed().slice(0, 8);
  const runId = pickFrom(run === UNKNOWN_RUN ? [] : runIds, run) ?? 'pen_unknown';
  const roleOfMember = model.roles.get(memberId);
  // A gate rejects users without the permission to cancel.
  const isMember = member === 1 && roleOfMember !== undefined && roleOfMember !== 'VIEWER';
  const userId = isMember ? memberId : ownerId;
  const role: Role = isMember ? roleOfMember : 'OWNER';
  return {
    kind: 'one transaction',
    name: `cancel ${runId} as ${role}`,
    send: (database) =>
      product.cancelPentest(database, { accountId: account.accountId, userId, role }, runId).catch(toAnswer),
    inModel: () => cancelInModel(model, userId, runId),
  };
}
