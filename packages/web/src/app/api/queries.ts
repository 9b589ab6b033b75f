import type { Me } from '@sortie/contract';
import {
  QueryCache,
  QueryClient,
  queryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { whenAuthChangesEnd } from './auth.ts';
import { type AnswerOf, type CallName, type CallOptions, call, type QueryValues } from './call.ts';
import { ApiError, isUnauthorized } from './errors.ts';
import { pollInterval } from './live-state.ts';

/** Set by the router: what to do when the session has ended. */
let onSignedOut = (): void => undefined;
export const whenSignedOut = (listener: () => void): void => {
  onSignedOut = listener;
};

/** More refusals than a person can cause by replacing the session: an endpoint refuses although the session is valid. */
const MOST_QUESTIONS = 5;
const QUESTIONS_MS = 10_000;
let questions: number[] = [];
let isAsking = false;

/** After a refusal: leaves for the sign-in, unless only the session was replaced while the request was under way. */
async function askWhetherSignedIn(): Promise<void> {
  await whenAuthChangesEnd();
  questions = [...questions.filter((at) => Date.now() - at < QUESTIONS_MS), Date.now()];
  if (questions.length > MOST_QUESTIONS) return onSignedOut();
  try {
    await call('getMe', { params: {} });
    await queryClient.invalidateQueries({ predicate: ({ state }) => isUnauthorized(state.error) });
  } catch (error) {
    if (isUnauthorized(error)) onSignedOut();
  }
}

function onRefusal(error: unknown): void {
  if (!isUnauthorized(error) || isAsking) return;
  isAsking = true;
  void askWhetherSignedIn().finally(() => {
    isAsking = false;
  });
}

const isTemporary = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500);

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onRefusal }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isTemporary(error) && failures < 2,
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    mutations: { onError: onRefusal },
  },
});

export const meQuery = queryOptions<Me>({
  queryKey: ['getMe'],
  queryFn: ({ signal }) => call('getMe', { params: {}, signal }),
  staleTime: 60_000,
});

export const serviceQuery = queryOptions({
  queryKey: ['getService'],
  queryFn: ({ signal }) => call('getService', { params: {}, signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export interface Watching<N extends CallName> {
  /** Milliseconds until the next request, or false when there is nothing more to come. */
  refetchInterval?: (answer: AnswerOf<N> | undefined) => number | false;
  enabled?: boolean;
}

/** Reads an endpoint and keeps the answer, by its name, its parameters and its query. */
export function useCall<N extends CallName>(
  name: N,
  params: CallOptions<N>['params'],
  { query, refetchInterval, enabled = true }: Watching<N> & { query?: QueryValues } = {},
): UseQueryResult<AnswerOf<N>> {
  return useQuery<AnswerOf<N>>({
    queryKey: [name, params, query ?? {}],
    queryFn: ({ signal }) => call(name, { params, query, signal }),
    enabled,
    ...(refetchInterval && { refetchInterval: ({ state }) => pollInterval(refetchInterval(state.data)) }),
  });
}

/** Reads a list that has no pages. */
export function useRows<N extends CallName, Row>(
  name: N,
  params: CallOptions<N>['params'],
  rowsOf: (answer: AnswerOf<N>) => readonly Row[],
): UseQueryResult<readonly Row[]> {
  return useQuery<AnswerOf<N>, Error, readonly Row[]>({
    queryKey: [name, params, {}],
    queryFn: ({ signal }) => call(name, { params, signal }),
    select: rowsOf,
  });
}

type WithNextOffset = { nextOffset: number | null };

/** The most rows that a list shows; a longer one says that it is cut. */
export const MOST_ROWS = 10_000;

/** Reads every page of a list. */
export function useAllPages<N extends CallName, Row>(
  name: N,
  params: CallOptions<N>['params'],
  rowsOf: (answer: AnswerOf<N>) => readonly Row[],
  { query, refetchInterval, enabled = true }: { query?: QueryValues; enabled?: boolean } & RowsWatching<Row> = {},
): UseQueryResult<readonly Row[]> {
  return useQuery<readonly Row[]>({
    queryKey: [name, params, query ?? {}, 'all'],
    enabled,
    async queryFn({ signal }) {
      const rows: Row[] = [];
      let offset: number | null = 0;
      while (offset !== null && rows.length < MOST_ROWS) {
        const answer: AnswerOf<N> = await call(name, { params, query: { ...query, limit: 100, offset }, signal });
        rows.push(...rowsOf(answer));
        offset = (answer as WithNextOffset).nextOffset;
      }
      return rows;
    },
    ...(refetchInterval && { refetchInterval: ({ state }) => pollInterval(refetchInterval(state.data)) }),
  });
}

interface RowsWatching<Row> {
  refetchInterval?: (rows: readonly Row[] | undefined) => number | false;
}

/** Calls an endpoint that changes something, then reads again whatever the page shows. */
export function useChange<N extends CallName>(name: N) {
  const client = useQueryClient();
  return useMutation<AnswerOf<N>, Error, CallOptions<N>>({
    mutationFn: (options) => call(name, options),
    onSuccess: () => client.invalidateQueries(),
  });
}
