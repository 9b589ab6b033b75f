import type { EgressEntry } from '../../protocol/egress-entry.ts';
import type {
  Exchange,
  JudgedSocket,
  RawExchange,
  RawRequest,
  SocketRequest,
  SocketUse,
  TargetRequest,
} from './exchange.ts';

/** The only way to contact a target: enforces scope, address rule, budget and throttle. */
export interface Sender {
  /**
   * Sends one request once the throttle admits it. Redirects are returned, not followed. Throws a `StopSending`, or an
   * internal error.
   */
  send(request: TargetRequest): Promise<Exchange>;
  /**
   * Follows redirects and checks each hop against every rule. Resolves with all exchanges; the last one is where the
   * chain ended, refused or not.
   */
  follow(request: TargetRequest, maxHops?: number): Promise<Exchange[]>;
  /** Sends raw bytes that no HTTP library sends, under the same rules. Throws a `StopSending`, or an internal error. */
  sendRaw(request: RawRequest): Promise<RawExchange>;
  /** Lends a connection for a protocol other than HTTP to `use` and closes it afterwards, under the same rules. */
  openSocket<Value>(request: SocketRequest, use: (judged: JudgedSocket) => Promise<Value>): Promise<SocketUse<Value>>;
  /** Returns the number of requests sent, without refused ones. */
  requestsSent(): number;
  /** Whether requests to this origin share one HTTP/2 connection. */
  sharesConnection(origin: string): boolean;
  /** Whether the main origin could not be reached at the last attempt. */
  isInDoubt(): boolean;
  /** Returns the connections made and refused since the last call. */
  takeEgress(): EgressEntry[];
  /** Closes the open connections, so that the next request uses a new one. */
  renew(): void;
  /** Aborts requests in flight; from now on only cleanup requests are sent. */
  stop(): void;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Sends a request for a purpose that the caller of the function does not choose. */
export type SendRequest = (request: Omit<TargetRequest, 'purpose'>) => Promise<Exchange>;

/** Thrown when nothing may be sent any more; the run ends in an orderly way with the results it has. */
export class StopSending extends Error {
  readonly reason: 'requests' | 'bytes' | 'time' | 'unreachable' | 'window';
  constructor(reason: StopSending['reason'], message: string) {
    super(message);
    this.name = 'StopSending';
    this.reason = reason;
  }
}
