import type { Bug } from '../kit/planted-bugs.ts';

export interface StartBug extends Bug {
  /** Some bugs are only detectable when requests run concurrently. */
  foundBy: 'lists' | 'rushes';
}

/** Bugs in authorization and concurrency limits. */
const admissionBugs: Bug[] = [
  {
    name: 'a request that was let in before the suspension starts its run after it',
    file: 'keys/require-starter.ts',
    find: 'if (suspendedAt) throw',
    replace: 'if (suspendedAt && plan === undefined) throw',
  },
  {
    name: 'a revoked key still starts what it had asked for',
    file: 'keys/require-starter.ts',
    find: 'if (!starter?.isValid)',
    replace: 'if (!starter)',
  },
  {
    name: 'a member who has become a viewer still starts',
    file: 'keys/require-starter.ts',
    find: 'requirePermission(starter, permission);',
    replace: 'if (starter.role === null) requirePermission(starter, permission);',
  },
  {
    name: 'a verification is good for one instant too long',
    file: 'targets/find-verification.ts',
    find: 'expiresAt <= now',
    replace: 'expiresAt < now',
  },
  {
    name: 'queued runs take no place',
    file: 'pentests/store.ts',
    find: "not in ('AWAITING_PAYMENT', 'PAUSED')",
    replace: "not in ('AWAITING_PAYMENT', 'PAUSED', 'QUEUED')",
  },
  {
    name: 'one run too many',
    file: 'pentests/start-pentest.ts',
    find: '(await countRunning(tx, accountId)) < allowed',
    replace: '(await countRunning(tx, accountId)) <= allowed',
  },
];

/** Bugs in credits. */
const creditBugs: Bug[] = [
  {
    name: 'every level costs what the cheapest costs',
    file: 'pentests/start-pentest.ts',
    find: 'const level = catalogue.levels[depth];',
    replace: 'const level = catalogue.levels.LEAD;',
  },
  {
    name: 'runs do not count against the budget of their key',
    file: 'pentests/start-pentest.ts',
    find: 'apiKeyId,\n    userId,\n    testing',
    replace: 'apiKeyId: null,\n    userId,\n    testing',
  },
  {
    name: 'a run that is over is ended and settled again',
    file: 'pentests/end-store.ts',
    find: ".where('completed_at', 'is', null)",
    replace: '',
  },
  {
    name: 'a start that is given up keeps its credits',
    file: 'pentests/end-run.ts',
    find: 'await returnAll(tx, run.id, run.isStarted);',
    replace: "if (outcome === 'CANCELLED') await returnAll(tx, run.id, run.isStarted);",
  },
  {
    name: 'a suspension leaves a run going',
    file: 'pentests/cancel-run.ts',
    find: 'for (const runId of runIds) await',
    replace: 'for (const runId of runIds.slice(1)) await',
  },
];

/** Bugs in the claims that keep a start from happening twice. */
const claimBugs: Bug[] = [
  {
    name: 'a refusal is remembered',
    file: 'starts/starts.ts',
    find: 'error.statusCode < 500',
    replace: 'error.statusCode < 400',
  },
  {
    name: 'an attempt that was overtaken creates its run all the same',
    file: 'starts/starts.ts',
    find: 'if (!(await markCreated(tx, claim))) throw overtaken();',
    replace: 'await markCreated(tx, claim);',
  },
  {
    name: 'an attempt that was overtaken hands its run over all the same',
    file: 'starts/hand-over.ts',
    find: 'if (!(await markDone(tx, claim, answer))) throw overtaken();',
    replace: 'await markDone(tx, claim, answer);',
  },
  {
    name: 'a cancelled run is put into the queue',
    file: 'pentests/store.ts',
    find: ".where('status', '=', 'QUEUED')",
    replace: '',
  },
  {
    name: 'a key that is held can be taken',
    file: 'starts/claims.ts',
    find: "when 'CLAIMED' then present.held_until <= service_now()",
    replace: "when 'CLAIMED' then true",
  },
  {
    name: 'a run is handed over again although its attempt holds it',
    file: 'starts/claims.ts',
    find: 'else present.held_until <= service_now() and present.fingerprint',
    replace: 'else present.fingerprint',
  },
  {
    name: 'a run is given up although an attempt holds it',
    file: 'starts/claims.ts',
    find: "where state <> 'DONE' and held_until <= now and state = 'CREATED'",
    replace: "where state <> 'DONE' and state = 'CREATED'",
  },
  {
    name: 'a stored answer is given to a member to whom the target is not assigned',
    file: 'starts/starts.ts',
    find: 'await refuseStranger(found.runId);',
    replace: '',
  },
  {
    name: 'a member to whom the target is not assigned hands a run over',
    file: 'starts/starts.ts',
    find: 'if (unanswered !== undefined) await refuseStranger(unanswered);',
    replace: '',
  },
  {
    name: 'a retry after five minutes starts the run after all',
    file: 'starts/starts.ts',
    find: 'const answer = claim.isOverdue\n',
    replace: "const answer = claim.isOverdue && claim.state === 'CLAIMED'\n",
  },
];

/** Bugs that need concurrency. */
const raceBugs: Bug[] = [
  {
    name: 'commands of an account do not wait for one another',
    file: 'accounts/store.ts',
    find: ".select(accountColumns).where('id', '=', id).forNoKeyUpdate()",
    replace: ".select(accountColumns).where('id', '=', id)",
  },
  {
    name: 'a start counts and asks before it has the lock',
    file: 'keys/require-starter.ts',
    find: 'await lockAccount(tx, accountId)',
    replace: "await (await import('../accounts/accounts.ts')).requireAccount(tx, accountId)",
  },
  {
    name: 'a start asks for a suspension before it has the lock',
    file: 'keys/require-starter.ts',
    find: 'const { plan, suspendedAt } = await lockAccount(tx, accountId);',
    replace: `const { suspendedAt } = await (await import('../accounts/accounts.ts')).requireAccount(tx, accountId);
      const { plan } = await lockAccount(tx, accountId);`,
  },
];

export const startBugs: readonly StartBug[] = [
  ...[...admissionBugs, ...creditBugs, ...claimBugs].map((bug) => ({ ...bug, foundBy: 'lists' as const })),
  ...raceBugs.map((bug) => ({ ...bug, foundBy: 'rushes' as const })),
];
