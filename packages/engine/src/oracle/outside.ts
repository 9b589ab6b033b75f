import { setTimeout as sleep } from 'node:timers/promises';
import { MOST_LABELS, type OutsideCall, type OutsideOrder } from '../protocol/callback.ts';
import { answerOf, fixedHex, labelOf, programOf } from './outside-names.ts';

/** Detail that makes the listener respond with a script. */
export const PROGRAM = 'program';

/** Callback URLs and host names for proofs. A tag identifies one request and must be derived from the nonce. */
export interface OutsideNames {
  urlFor(tag: string): string;
  /** Returns null if the listener has no DNS zone. */
  hostFor(tag: string): string | null;
  /** Returns the listener's response body for the URL. */
  answerTo(tag: string): string;
  /** Returns the URL of a script, and what the script prints when it is executed. */
  programFor(tag: string): { url: string; prints: string };
}

export interface Awaited {
  tag: string;
  kind: OutsideCall['kind'];
}

export interface Outside extends OutsideNames {
  /** Whether DNS lookups are observed. */
  hasZone: boolean;
  patienceMs: number;
  /** Returns an instance that waits far longer for each callback. */
  withLongerWait(): Outside;
  /** Resolves to all callbacks for these tags, as soon as the awaited ones have arrived or the wait times out. */
  heard(tags: readonly string[], awaited?: readonly Awaited[]): Promise<Map<string, OutsideCall[]>>;
  /** Returns 64 hex digits. */
  fixedHex(tag: string): string;
}

/** Fetches the recorded callbacks for these labels. */
export type AskForCalls = (labels: string[]) => Promise<readonly OutsideCall[]>;

const LOOK_EVERY_MS = 250;
const FAR_MORE = 6;
/**
 * Limits the total waiting time, in multiples of `patienceMs`, so that a step ends even if callbacks are late
 * everywhere.
 */
const MOST_WAITS = 40;

export function createOutside(order: OutsideOrder, ask: AskForCalls, most = MOST_WAITS): Outside {
  const { url, zone, patienceMs } = order;
  let waitMs = patienceMs * most;
  const label = (tag: string) => labelOf(order, tag);
  const hostFor = (tag: string) => (zone === null ? null : `${label(tag)}.${zone}`);

  function urlFor(tag: string): string {
    const host = hostFor(tag);
    if (host === null) return `${url}/${label(tag)}`;
    const { protocol, port } = new URL(url);
    return `${protocol}//${host}${port && `:${port}`}/${label(tag)}`;
  }

  async function look(tags: readonly string[]): Promise<Map<string, OutsideCall[]>> {
    const byLabel = new Map(tags.map((tag) => [label(tag), tag]));
    const heard = new Map<string, OutsideCall[]>(tags.map((tag) => [tag, []]));
    for (let from = 0; from < tags.length; from += MOST_LABELS) {
      for (const call of await ask([...byLabel.keys()].slice(from, from + MOST_LABELS))) {
        heard.get(byLabel.get(call.label) ?? '')?.push(call);
      }
    }
    return heard;
  }

  return {
    hasZone: zone !== null,
    patienceMs,
    withLongerWait: () => createOutside({ ...order, patienceMs: patienceMs * FAR_MORE }, ask, MOST_WAITS / FAR_MORE),
    urlFor,
    hostFor,
    answerTo: (tag) => answerOf(order, label(tag)),
    programFor: (tag) => ({ url: `${urlFor(tag)}/${PROGRAM}`, prints: programOf(order, label(tag)).prints }),
    fixedHex: (tag) => fixedHex(order, tag),
    async heard(tags, awaited = []) {
      const since = performance.now();
      const until = since + Math.min(patienceMs, waitMs);
      for (;;) {
        const heard = await look(tags);
        const isThere = ({ tag, kind }: Awaited) => heard.get(tag)?.some((call) => call.kind === kind);
        const leftMs = until - performance.now();
        if (awaited.every(isThere) || leftMs <= 0) {
          if (awaited.length > 0) waitMs -= performance.now() - since;
          return heard;
        }
        await sleep(Math.min(LOOK_EVERY_MS, leftMs));
      }
    },
  };
}
