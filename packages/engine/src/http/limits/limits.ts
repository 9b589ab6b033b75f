/** Resource and rate limits of one sender. */
export interface SenderLimits {
  requests: number;
  /** Connections lent out with `openSocket`. */
  sockets?: number;
  /** Sent and received. Requests in flight may finish, so the last ones can exceed it by their bodies. */
  bytes: number;
  /** Measured from the creation of the sender. */
  untilMs: number;
  /** Part of `requests` and `untilMs` that is reserved for cleanup requests; defaults to nothing. */
  keptBack?: { requests: number; milliseconds: number };
  perSecond: number;
  atOnce: number;
  /** Per body, both as received and as decompressed. */
  bodyBytes?: number;
  /** Maximum ratio of decompressed to compressed size. */
  ratio?: number;
  headerBytes?: number;
  /** Timeout of one request, including connecting but not waiting for its turn. */
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
