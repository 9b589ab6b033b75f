import { z } from 'zod';

/** A callback that the listener received for a label of one of our runs. */
export const OutsideCall = z.strictObject({
  label: z.string().max(63),
  kind: z.enum(['http', 'dns']),
  /** ISO 8601, by the listener's clock. */
  at: z.string().max(40),
  /** Source address. */
  from: z.string().max(50),
  /** Data next to the label, for example computed by a shell; empty if there is none. */
  detail: z.string().max(40),
});
export type OutsideCall = z.infer<typeof OutsideCall>;

/** ID and key from which a run derives its callback labels. */
export interface RunNames {
  run: string;
  key: string;
}

/** Location of the listener. */
interface ListenerPlace {
  /** Without a trailing slash. */
  url: string;
  /** DNS zone delegated to the listener; null if it is reachable by its URL only. */
  zone: string | null;
}

/** The listener, as a run uses it. */
export interface OutsideOrder extends RunNames, ListenerPlace {
  /** How long to wait for a callback. */
  patienceMs: number;
}

/** Per query. */
export const MOST_LABELS = 200;
