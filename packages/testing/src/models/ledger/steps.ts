import { type Catalogue, defaultCatalogue } from '../../../../server/src/billing/catalogue.ts';
import type * as Credits from '../../../../server/src/credits/credits.ts';
import type * as CreditJobs from '../../../../server/src/credits/jobs.ts';
import type { Database, Transaction } from '../../../../server/src/db/database.ts';
import type { FrozenClock } from '../../database/frozen-clock.ts';
import type { CreditAccount } from '../../world/credit-account.ts';
import { type Command, testPlans } from './commands.ts';
import {
  expireInModel,
  grantInModel,
  grantPlanInModel,
  holdInModel,
  type LedgerModel,
  removeInModel,
  returnAllInModel,
  settleInModel,
} from './model.ts';

/** The ledger is passed in, so that a copy with a planted bug can replace it. */
export interface LedgerUnderTest {
  credits: typeof Credits;
  jobs: Pick<typeof CreditJobs, 'expireDueGrants'>;
}

export interface ListContext extends CreditAccount {
  ledger: LedgerUnderTest;
  database: Database;
  clock: FrozenClock;
  model: LedgerModel;
  /** Every command that was sent, so that it can be repeated. */
  steps: Step[];
}

/** A command for the database and the model; both give results of the same form. */
export interface Step {
  name: string;
  inTransaction?: (tx: Transaction) => Promise<unknown>;
  outside?: () => Promise<unknown>;
  inModel: () => unknown;
}

const DAY_MS = 24 * 3_600_000;
const plans = Object.entries(testPlans).map(([name, monthlyCredits]) => {
  return [name, { monthlyCredits, scansPerMonth: null, concurrentPentests: 3 }] as const;
});
const catalogue: Catalogue = { ...defaultCatalogue, plans: Object.fromEntries(plans) };

/** Returns undefined if there is nothing that the command could refer to. */
export function toStep(command: Command, context: ListContext): Step | undefined {
  const { ledger, model, clock, database } = context;
  switch (command.kind) {
    case 'grant':
    case 'adjust':
      return grantStep(command, context);
    case 'plan':
      return planStep(command.plan, context);
    case 'hold':
      return holdStep(command, context);
    case 'settle':
      return settleStep(command, context);
    case 'return': {
      const { isStarted } = command;
      const runId = pickRun(command.run, context);
      if (runId === undefined) return undefined;
      return {
        name: `return ${runId}, which had${isStarted ? '' : ' not'} started`,
        inTransaction: async (tx) => holdFacts(await ledger.credits.returnAll(tx, runId, isStarted)),
        inModel: () => returnAllInModel(model, runId, isStarted),
      };
    }
    case 'cap':
      return capStep(command, context);
    case 'wait':
      return waitStep(new Date(clock.now().getTime() + command.days * DAY_MS), context);
    case 'waitForExpiry': {
      const expiries = model.grants.flatMap((grant) => grant.expiresAt ?? []);
      const expiry = expiries[command.grant % Math.max(1, expiries.length)];
      return expiry && waitStep(new Date(expiry.getTime() + command.milliseconds), context);
    }
    case 'waitForMonth':
      return waitStep(new Date(Date.UTC(clock.now().getUTCFullYear(), clock.now().getUTCMonth() + 1)), context);
    case 'sweep':
      return {
        name: 'sweep',
        outside: () => ledger.jobs.expireDueGrants(database),
        inModel: () => expireInModel(model),
      };
    case 'repeat':
      return context.steps[command.earlier % Math.max(1, context.steps.length)];
  }
}

type CommandOf<Kind extends Command['kind']> = Extract<Command, { kind: Kind }>;

function grantStep(
  command: CommandOf<'grant' | 'adjust'>,
  { accountId, ledger, clock, model, steps }: ListContext,
): Step {
  const { source, amount, days } = command;
  const operationKey = `operation-${steps.length}`;
  const expiresAt = days === null ? null : new Date(clock.now().getTime() + days * DAY_MS);
  const request = { accountId, source, amount, expiresAt, operationKey, description: 'For the test.' };
  const isGrant = command.kind === 'grant';
  return {
    name: `${command.kind} ${amount} ${source} until ${expiresAt?.toISOString() ?? 'ever'} as ${operationKey}`,
    async inTransaction(tx) {
      const answer = await (isGrant ? ledger.credits.grantCredits : ledger.credits.adjustCredits)(tx, request);
      if ('refused' in answer) return answer;
      return { credits: answer.credits, balanceAfter: answer.balanceAfter };
    },
    inModel() {
      if (amount < 0) return removeInModel(model, operationKey, -amount);
      return grantInModel(model, request, isGrant ? 'GRANT' : 'ADJUST');
    },
  };
}

function planStep(plan: keyof typeof testPlans, { accountId, ledger, model }: ListContext): Step {
  return {
    name: `plan ${plan}`,
    async inTransaction(tx) {
      await tx.updateTable('account').set({ plan }).where('id', '=', accountId).execute();
      const booked = await ledger.credits.grantPlanCredits(tx, accountId, catalogue);
      return booked && { credits: booked.credits, balanceAfter: booked.balanceAfter };
    },
    inModel() {
      model.monthlyCredits = testPlans[plan];
      return grantPlanInModel(model);
    },
  };
}

function holdStep(command: CommandOf<'hold'>, context: ListContext): Step {
  const { accountId, userIds, apiKeyIds, ledger, model, steps } = context;
  const runId = `${accountId}-run-${steps.length}`;
  const apiKeyId = command.key === null ? null : (apiKeyIds[command.key] ?? null);
  const userId = userIds[command.member] ?? '';
  const { testing, review } = command;
  const run = { runId, accountId, apiKeyId, userId, testing, review, description: 'Light pentest of shop.example' };
  return {
    name: `hold ${testing} + ${review} as ${runId} with key ${command.key} of member ${command.member}`,
    inTransaction: async (tx) => holdFacts(await ledger.credits.holdCredits(tx, run)),
    inModel: () => holdInModel(model, run),
  };
}

function settleStep({ run, part, percent }: CommandOf<'settle'>, context: ListContext): Step | undefined {
  const { ledger, model } = context;
  const runId = pickRun(run, context);
  const reserved = runId && model.runs.get(runId)?.[part].credits.length;
  if (runId === undefined || reserved === undefined) return undefined;
  const charge = Math.floor((Number(reserved) * percent) / 100);
  return {
    name: `settle ${part} of ${runId} for ${charge}`,
    inTransaction: async (tx) => holdFacts(await ledger.credits.settlePart(tx, runId, part, charge)),
    inModel: () => settleInModel(model, runId, part, charge),
  };
}

/** Prefers one of the latest runs, because older ones are likely to be settled. */
function pickRun(run: number, { model }: ListContext): string | undefined {
  const runIds = [...model.runs.keys()].toReversed();
  return runIds[run % Math.min(Math.max(1, runIds.length), 4)];
}

function capStep({ of, which, limit }: CommandOf<'cap'>, { userIds, apiKeyIds, model }: ListContext): Step {
  const id = (of === 'key' ? apiKeyIds : userIds)[which] ?? '';
  return {
    name: `cap ${of} ${which} at ${limit}`,
    async inTransaction(tx) {
      if (of === 'key') await tx.updateTable('api_key').set({ budget: limit }).where('id', '=', id).execute();
      else await tx.updateTable('member').set({ allowance: limit }).where('user_id', '=', id).execute();
    },
    inModel: () => void model.caps.set(id, limit),
  };
}

function waitStep(until: Date, { clock, model }: ListContext): Step | undefined {
  if (until <= clock.now()) return undefined;
  return {
    name: `wait until ${until.toISOString()}`,
    async outside() {
      if (until > clock.now()) await clock.moveTo(until);
    },
    inModel() {
      if (until > model.now) model.now = until;
    },
  };
}

function holdFacts(answer: Awaited<ReturnType<typeof Credits.holdCredits>>) {
  if ('refused' in answer) return answer;
  const { state, testing, review } = answer;
  return { state, testing, review };
}
