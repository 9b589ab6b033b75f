import type { Account } from './account.ts';

/** Result of a job; `outcome` is undefined if no attempt kept a valid session to its end. */
export interface Trial<Job, Outcome> {
  job: Job;
  account: Account;
  outcome: Outcome | undefined;
}

export interface Trials<Job, Outcome> {
  /** Runs the job. Yields the jobs that this settles: none while the session is not due for a check. */
  run(account: Account, job: Job): AsyncGenerator<Trial<Job, Outcome>>;
  /** Checks the session of each account with pending outcomes and yields them. */
  finish(): AsyncGenerator<Trial<Job, Outcome>>;
  /** Returns the outcomes whose session has not been checked yet. */
  pending(): Outcome[];
}

/**
 * An outcome counts only if the account's session was valid throughout. Otherwise, all jobs since the last successful
 * check are repeated one at a time, to find the one that ends the session; `onLost` is called before.
 */
export function createTrials<Job, Outcome>(
  runJob: (job: Job) => Promise<Outcome>,
  onLost: () => void = () => undefined,
): Trials<Job, Outcome> {
  const waiting = new Map<Account, { job: Job; outcome: Outcome }[]>();

  async function* settle(account: Account): AsyncGenerator<Trial<Job, Outcome>> {
    const presence = await account.check();
    if (presence !== 'IN') onLost();
    const trials = waiting.get(account) ?? [];
    waiting.delete(account);
    for (const { job, outcome } of trials) {
      yield presence === 'IN' ? { job, account, outcome } : await repeat(account, job);
    }
  }

  async function repeat(account: Account, job: Job): Promise<Trial<Job, Outcome>> {
    if (account.failure()) return { job, account, outcome: undefined };
    const outcome = await runJob(job);
    return { job, account, outcome: (await account.check()) === 'IN' ? outcome : undefined };
  }

  return {
    async *run(account, job) {
      if (account.failure()) return yield { job, account, outcome: undefined };
      const trials = waiting.get(account) ?? [];
      waiting.set(account, trials);
      trials.push({ job, outcome: await runJob(job) });
      if (account.needsCheck()) yield* settle(account);
    },
    async *finish() {
      for (const account of waiting.keys()) yield* settle(account);
    },
    pending: () => [...waiting.values()].flat().map(({ outcome }) => outcome),
  };
}
