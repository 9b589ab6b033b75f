/** What one sender may use up, and how fast. */
export interface SenderLimits {
  requests: number;
  /** Connections lent out with `openSocket`. */
  sockets?: number;
  /** Sent and received. Requests under way may still end: the last ones go over it by their bodies. */
  bytes: number;
  /** From the sender's creation on. */
  untilMs: number;
  /** Of the requests and the time above, only for what takes back changes; nothing unless told. */
  keptBack?: { requests: number; milliseconds: number };
  perSecond: number;
  atOnce: number;
  /** Of one body, as received and as decompressed. */
  bodyBytes?: number;
  /** Decompressed to compressed. */
  ratio?: number;
  headerBytes?: number;
  /** For one request, connecting included, waiting for its turn not. */
  totalMs?: number;
  connectMs?: number;
}

export const defaultLimits = {
  sockets: 40,
  bodyBytes: 5_000_000,
  ratio: 100,
  headerBytes: 16_384,
  totalMs: 20_000,
  connectMs: 5_000,
} as const satisfies Partial<SenderLimits>;
