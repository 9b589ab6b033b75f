import type { Caller } from './call.ts';
import type { CallOptions } from './options.ts';
import { createPages, type Pages } from './pages.ts';
import type { Answer, CreditsBalance, CreditsUsage, Query, UsageRecord } from './types.ts';

type UsageQuery = Query<'getCreditsUsage'>;

/** The credit balance and history of the account. */
export interface Credits {
  /** Resolves to the available and held credits, and the next expiry. */
  balance(options?: CallOptions): Promise<Answer<CreditsBalance>>;
  /** Resolves to one page of the credit history, newest first. */
  usage(query?: UsageQuery, options?: CallOptions): Promise<Answer<CreditsUsage>>;
  /** The credit history, newest first. */
  usageAll(query?: UsageQuery, options?: CallOptions): Pages<UsageRecord, CreditsUsage>;
}

/** Creates the calls about credits. */
export function createCredits({ call }: Caller): Credits {
  const usage: Credits['usage'] = (query = {}, options) => call('getCreditsUsage', { query }, options);
  return {
    balance: (options) => call('getCreditsBalance', {}, options),
    usage,
    usageAll: (query = {}, options) =>
      createPages(
        (page) => usage({ ...query, ...page }, options),
        (page) => page.usage,
        query,
      ),
  };
}
