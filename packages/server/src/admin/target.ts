import { z } from 'zod';
import { requireAccount, requireUser } from '../accounts/accounts.ts';
import { OPERATOR } from '../audit/audit.ts';
import type { VaultSource } from '../credentials/credentials.ts';
import {
  addTarget,
  assignTarget,
  attestTarget,
  describeProof,
  listTargets,
  readRules,
  requireVerification,
  setApiRuns,
  setRules,
  unassignTarget,
  type Verification,
} from '../targets/targets.ts';
import type { AdminContext } from './context.ts';
import { id, must, oneOf, parseInput, shortText } from './input.ts';
import { RulesInput, toChanges } from './rules-input.ts';
import { importCommands } from './target-import.ts';
import { verifyCommands } from './verify.ts';

const OneTarget = z.strictObject({
  account: id,
  url: z.string(must('an http or https URL')).max(2_048, 'must not be longer than 2,048 characters'),
});
const NewTarget = OneTarget.extend({
  method: oneOf(['dns', 'file', 'meta', 'attestation']).optional(),
  name: shortText('a DNS name').optional(),
});
const List = z.strictObject({ account: id });
const View = z.strictObject({ id });
const ApiRuns = z.strictObject({ id, state: oneOf(['on', 'off']) });
const OneAssignment = z.strictObject({ id, user: shortText("a user's id or e-mail address") });

/** `id` is the target that the command created or changed; all other commands use `verificationId`. */
function toAnswer<T extends Verification>(verification: T) {
  const { id, targetId, ...rest } = verification;
  const token = verification.method === 'attestation' ? null : verification.token;
  return { id: targetId, verificationId: id, ...rest, token, proof: describeProof(verification) };
}

/** Returns the commands `sortie admin target`. */
export function targetCommands(context: AdminContext, vault: VaultSource) {
  const { transact } = context;
  const { readImport, ...imports } = importCommands(context, vault);

  async function onAssignment(rule: typeof assignTarget, input: z.input<typeof OneAssignment>) {
    const { id, user } = parseInput(OneAssignment, input);
    return transact(async (tx) => {
      const { id: userId } = await requireUser(tx, user);
      const { targetId, accountId } = await rule(tx, { verificationId: id, userId, actor: OPERATOR });
      return { id: targetId, verificationId: id, accountId, userId };
    });
  }

  return {
    ...verifyCommands(context),
    ...imports,

    async add(input: z.input<typeof NewTarget>) {
      const { account, ...target } = parseInput(NewTarget, input);
      return transact(async (tx) => toAnswer(await addTarget(tx, { accountId: account, ...target, actor: OPERATOR })));
    },

    async attest(input: z.input<typeof OneTarget>) {
      const { account, url } = parseInput(OneTarget, input);
      return transact(async (tx) => toAnswer(await attestTarget(tx, { accountId: account, url, actor: OPERATOR })));
    },

    /** Resolves to a target and its imported API description, without the content. */
    async view(input: z.input<typeof View>) {
      const { id } = parseInput(View, input);
      const target = await transact(async (tx) => toAnswer(await requireVerification(tx, id)));
      return { ...target, imported: await readImport({ id }) };
    },

    async list(input: z.input<typeof List>) {
      const { account } = parseInput(List, input);
      return transact(async (tx) => {
        const { id: accountId } = await requireAccount(tx, account);
        return { targets: (await listTargets(tx, accountId)).map(toAnswer) };
      });
    },

    /** Resolves to the rules of engagement of a target, after applying the given changes. */
    async rules(input: z.input<typeof RulesInput>) {
      const given = parseInput(RulesInput, input);
      const changes = toChanges(given);
      const { id: verificationId, clear = false, addExclude: alsoExcluded = [] } = given;
      return transact(async (tx) => {
        const { targetId, accountId, origin } = await requireVerification(tx, verificationId);
        const change = { verificationId, changes, alsoExcluded, clear, actor: OPERATOR };
        if (clear || alsoExcluded.length > 0 || Object.keys(changes).length > 0) await setRules(tx, change);
        return { id: targetId, verificationId, accountId, origin, ...(await readRules(tx, targetId)) };
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
