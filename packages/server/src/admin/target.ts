import { z } from 'zod';
import { requireAccount, requireUser } from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import {
  addTarget,
  assignTarget,
  attestTarget,
  listTargets,
  setApiRuns,
  unassignTarget,
  type Verification,
} from '../targets/targets.ts';
import type { AdminContext } from './context.ts';
import { id, must, oneOf, parseInput, shortText } from './input.ts';

const OneTarget = z.strictObject({
  account: id,
  url: z.string(must('an http or https URL')).max(2_048, 'must not be longer than 2,048 characters'),
});
const List = z.strictObject({ account: id });
const ApiRuns = z.strictObject({ id, state: oneOf(['on', 'off']) });
const OneAssignment = z.strictObject({ id, user: shortText("a user's id or e-mail address") });

/** `id` is what the command made or changed, the target; everything else is asked for by `verificationId`. */
function toAnswer<T extends Verification>({ id, targetId, ...rest }: T) {
  return { id: targetId, verificationId: id, ...rest };
}

export function targetCommands({ transact }: AdminContext) {
  async function onTarget(rule: typeof addTarget, input: z.input<typeof OneTarget>) {
    const { account, url } = parseInput(OneTarget, input);
    return transact(async (tx) => toAnswer(await rule(tx, { accountId: account, url, actor: OPERATOR })));
  }

  async function onAssignment(rule: typeof assignTarget, input: z.input<typeof OneAssignment>) {
    const { id, user } = parseInput(OneAssignment, input);
    return transact(async (tx) => {
      const { id: userId } = await requireUser(tx, user);
      const { targetId, accountId } = await rule(tx, { verificationId: id, userId, actor: OPERATOR });
      return { id: targetId, verificationId: id, accountId, userId };
    });
  }

  return {
    add: (input: z.input<typeof OneTarget>) => onTarget(addTarget, input),

    attest: (input: z.input<typeof OneTarget>) => onTarget(attestTarget, input),

    async list(input: z.input<typeof List>) {
      const { account } = parseInput(List, input);
      return transact(async (tx) => {
        const { id: accountId } = await requireAccount(tx, account);
        return { targets: (await listTargets(tx, accountId)).map(toAnswer) };
      });
    },

    async apiRuns(input: z.input<typeof ApiRuns>) {
      const { id, state } = parseInput(ApiRuns, input);
      const change = { verificationId: id, apiRuns: state === 'on', actor: OPERATOR };
      return transact(async (tx) => toAnswer(await setApiRuns(tx, change)));
    },

    async assign(input: z.input<typeof OneAssignment>) {
      return { ...(await onAssignment(assignTarget, input)), assigned: true };
    },

    async unassign(input: z.input<typeof OneAssignment>) {
      return { ...(await onAssignment(unassignTarget, input)), assigned: false };
    },
  };
}
