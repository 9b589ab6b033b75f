import type { Caller } from './call.ts';
import type { CallOptions } from './options.ts';
import { createPages, type Pages } from './pages.ts';
import type { Answer, Query, Target, TargetList } from './types.ts';

type ListQuery = Query<'listTargets'>;

/** The targets that the API key may test. */
export interface Targets {
  /** Resolves to one page of the targets assigned to the caller, oldest first. */
  list(query?: ListQuery, options?: CallOptions): Promise<Answer<TargetList>>;
  /** All targets assigned to the caller, oldest first. */
  listAll(query?: ListQuery, options?: CallOptions): Pages<Target, TargetList>;
  get(verificationId: string, options?: CallOptions): Promise<Answer<Target>>;
}

/** Creates the calls about targets. */
export function createTargets({ call }: Caller): Targets {
  const list: Targets['list'] = (query = {}, options) => call('listTargets', { query }, options);
  return {
    list,
    listAll: (query = {}, options) =>
      createPages(
        (page) => list({ ...query, ...page }, options),
        (page) => page.targets,
        query,
        ({ verificationId }) => verificationId,
      ),
    get: (verificationId, options) => call('getTarget', { id: verificationId }, options),
  };
}
