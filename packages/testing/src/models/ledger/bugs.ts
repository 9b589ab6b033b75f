import type { Bug } from '../kit/planted-bugs.ts';

export const ledgerBugs: readonly Bug[] = [
  {
    name: 'commands of an account do not wait for one another',
    file: 'credits/ledger.ts',
    find: 'await lockAccount(tx, accountId)',
    replace: "await tx.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow()",
  },
  {
    name: 'a grant can still be spent in the instant it expires',
    file: 'credits/ledger.ts',
    find: 'grant.expiresAt <= now',
    replace: 'grant.expiresAt < now',
  },
  {
    name: 'purchased credits are spent before those of the plan',
    file: 'credits/slices.ts',
    find: '{ plan: 0, purchased: 1 }',
    replace: '{ plan: 1, purchased: 0 }',
  },
  {
    name: 'what comes back to an expired grant is lost with it',
    file: 'credits/return.ts',
    find: 'const expiresAt = isExpired && hasGrace ?',
    replace: 'const expiresAt = isExpired && !hasGrace ?',
  },
  {
    name: 'a run that never started prolongs its credits',
    file: 'credits/settle.ts',
    find: 'hasGrace: isStarted',
    replace: 'hasGrace: true',
  },
  {
    name: 'a hold in the grace begins another grace',
    file: 'credits/return.ts',
    find: 'if (grant.parentId !== null) return undefined;',
    replace: '',
  },
  {
    name: 'each return to an expired grant begins a grace of its own',
    file: 'credits/return.ts',
    find: 'if (!begun) return',
    replace: 'if (begun !== undefined) return',
  },
  {
    name: 'returned credits still count against a budget',
    file: 'credits/hold-store.ts',
    find: 'coalesce(testing_charged, testing_reserved) + coalesce(review_charged, review_reserved)',
    replace: 'testing_reserved + review_reserved',
  },
  {
    name: 'a change of plan grants the whole month again',
    file: 'credits/grant.ts',
    find: 'amount: plan.monthlyCredits - granted',
    replace: 'amount: plan.monthlyCredits',
  },
  {
    name: 'a settled part can be settled once more',
    file: 'credits/settle.ts',
    find: 'if (charged !== null) return hold;',
    replace: 'if (charged === -1) return hold;',
  },
  {
    name: 'an open review share looks settled',
    file: 'credits/settle.ts',
    find: 'creditParts.some((each) => settled[each].charged === null)',
    replace: 'settled.testing.charged === null',
  },
];
