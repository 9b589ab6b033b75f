import { setTimeout as sleep } from 'node:timers/promises';
import { MOST_LABELS, type OutsideCall, type OutsideOrder } from '../protocol/callback.ts';
import { answerOf, fixedHex, labelOf, programOf } from './outside-names.ts';

/** What is asked for with this beside the name is answered with a program. */
export const PROGRAM = 'program';

/** Names for plans of proofs. A tag stands for one request; it has to be made from the nonce. */
export interface OutsideNames {
  urlFor(tag: string): string;
  /** Null where the listener has no zone. */
  hostFor(tag: string): string | null;
  /** What whoever asks for the address is answered. */
  answerTo(tag: string): string;
  /** The address of a program, and what it prints where it is run. */
  programFor(tag: string): { url: string; prints: string };
}

export interface Awaited {
  tag: string;
  kind: OutsideCall['kind'];
}

export interface Outside extends OutsideNames {
  /** Whether DNS lookups are heard. */
  hasZone: boolean;
  patienceMs: number;
  /** The same, with far more patience for each call. */
  patiently(): Outside;
  /** All calls by these names, once those that are awaited have come or the patience is over. */
  heard(tags: readonly string[], awaited?: readonly Awaited[]): Promise<Map<string, OutsideCall[]>>;
  /** 64 hex digits. */
  fixedHex(tag: string): string;
}

/** Asks whoever keeps what the listener has heard. */
export type AskForCalls = (labels: string[]) => Promise<readonly OutsideCall[]>;

const LOOK_EVERY_MS = 250;
const FAR_MORE = 6;
/** For all calls together, so that a step comes to its end: what calls late everywhere is not waited for everywhere. */
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
    patiently: () => createOutside({ ...order, patienceMs: patienceMs * FAR_MORE }, ask, MOST_WAITS / FAR_MORE),
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
