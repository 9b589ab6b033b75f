import { z } from 'zod';

/** Somebody has called our listener by a name that a run of ours has made up. */
export const OutsideCall = z.strictObject({
  label: z.string().max(63),
  kind: z.enum(['http', 'dns']),
  /** ISO 8601, by the clock of whoever has heard it. */
  at: z.string().max(40),
  /** The address it came from. */
  from: z.string().max(50),
  /** What stood beside the name, e.g. computed by a shell; empty for nothing. */
  detail: z.string().max(40),
});
export type OutsideCall = z.infer<typeof OutsideCall>;

/** What a run makes its names with. */
export interface RunNames {
  run: string;
  key: string;
}

/** Where the listener is. */
interface ListenerPlace {
  /** Without a slash at its end. */
  url: string;
  /** The DNS zone whose names lead to it; null where only its address does. */
  zone: string | null;
}

/** What a run is told of the listener. */
export interface OutsideOrder extends RunNames, ListenerPlace {
  /** How long a call may take to arrive. */
  patienceMs: number;
}

/** In one question. */
export const MOST_LABELS = 200;
