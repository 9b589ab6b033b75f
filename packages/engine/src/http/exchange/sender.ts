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

/** The only way to a target. */
export interface Sender {
  /** One request, one answer; redirects are answers. Waits for its turn. Throws a `StopSending`, or an error of our own. */
  send(request: TargetRequest): Promise<Exchange>;
  /** Follows redirects by hand, each hop through every rule; the last exchange is where it ended, refused or not. */
  follow(request: TargetRequest, maxHops?: number): Promise<Exchange[]>;
  /** Bytes as they are, for what no HTTP library sends; under the same rules. Throws a `StopSending`, or an error of our own. */
  sendRaw(request: RawRequest): Promise<RawExchange>;
  /** A connection for what is no HTTP at all, lent to `use` and closed after it; under the same rules. */
  openSocket<Value>(request: SocketRequest, use: (judged: JudgedSocket) => Promise<Value>): Promise<SocketUse<Value>>;
  /** Requests that went out, refused ones not counted. */
  requestsSent(): number;
  /** Whether requests to this origin go over one connection together, and not over a few one by one. */
  sharesConnection(origin: string): boolean;
  /** Whether nobody was there when the target was last asked. */
  isInDoubt(): boolean;
  /** Where connections went or were refused to go since this was last asked. */
  takeEgress(): EgressEntry[];
  /** The next request goes over a new connection, whatever was open before. */
  renew(): void;
  /** Ends what is under way; from now on nothing is sent but what takes back changes. */
  stop(): void;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** From now on nothing is sent any more, and why: the run ends in order with what it has. */
export class StopSending extends Error {
  readonly reason: 'requests' | 'bytes' | 'time' | 'unreachable' | 'window';
  constructor(reason: StopSending['reason'], message: string) {
    super(message);
    this.name = 'StopSending';
    this.reason = reason;
  }
}
