import type { Account } from './account.ts';

interface TrialOptions<Job, Outcome> {
  run(job: Job): Promise<Outcome>;
  keep(outcome: Outcome): void;
  /** Neither the first nor the second time it could be said that the account was logged in. */
  leaveOut(job: Job, account: Account): void;
}

export interface Trials<Job, Outcome> {
  run(account: Account, job: Job): Promise<void>;
  /** Asks for each account whether it was logged in to the end. */
  finish(): Promise<void>;
  /** What nobody could ask about any more. */
  unsettled(): Outcome[];
}

/**
 * What is tried as an account counts only if the account was logged in all the while. What was tried since that was last
 * certain is void otherwise, and is tried again, one after the other, to find what ends the session.
 */
export function createTrials<Job, Outcome>(options: TrialOptions<Job, Outcome>): Trials<Job, Outcome> {
  const waiting = new Map<Account, { job: Job; outcome: Outcome }[]>();

  async function settle(account: Account): Promise<void> {
    const presence = await account.check();
    const trials = waiting.get(account) ?? [];
    waiting.delete(account);
    for (const { job, outcome } of trials) {
      if (presence === 'IN') options.keep(outcome);
      else await repeat(account, job);
    }
  }

  async function repeat(account: Account, job: Job): Promise<void> {
    if (account.failure()) return options.leaveOut(job, account);
    const outcome = await options.run(job);
    if ((await account.check()) === 'IN') options.keep(outcome);
    else options.leaveOut(job, account);
  }

  return {
    async run(account, job) {
      if (account.failure()) return options.leaveOut(job, account);
      const trials = waiting.get(account) ?? [];
      waiting.set(account, trials);
      trials.push({ job, outcome: await options.run(job) });
      if (account.needsCheck()) await settle(account);
    },
    async finish() {
      for (const account of waiting.keys()) await settle(account);
    },
    unsettled: () => [...waiting.values()].flat().map(({ outcome }) => outcome),
  };
}
