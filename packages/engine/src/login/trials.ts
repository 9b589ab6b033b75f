import type { Account } from './account.ts';

interface TrialOptions<Job, Outcome> {
  run(job: Job): Promise<Outcome>;
  keep(outcome: Outcome): void;
  /** Called if the job could not be completed with a valid session, even on the second attempt. */
  leaveOut(job: Job, account: Account): void;
}

export interface Trials<Job, Outcome> {
  run(account: Account, job: Job): Promise<void>;
  /** Checks the session of each account with pending outcomes and settles them. */
  finish(): Promise<void>;
  /** Returns the outcomes whose session was never checked. */
  unsettled(): Outcome[];
}

/**
 * An outcome counts only if the account's session was valid throughout. Otherwise, all jobs since the last successful
 * check are repeated one at a time, to find the one that ends the session.
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
