import { createSecureContext, rootCertificates } from 'node:tls';
import type { Network } from '../../protocol/network-settings.ts';
import { createAddressRule } from '../../target/addresses.ts';
import { createNameLookUp, type NameLookUp } from '../../target/resolve.ts';
import type { Scope } from '../../target/scope.ts';
import type { Route, ServerProof } from '../connection/connect.ts';
import { createConnectionPool } from '../connection/connection-pool.ts';
import { createHttp2ConnectionPool } from '../connection/http2-connection-pool.ts';
import { identity } from '../exchange/identity.ts';
import type { Sender } from '../exchange/sender.ts';
import { createBudget } from '../limits/budget.ts';
import type { Clock } from '../limits/clock.ts';
import { defaultLimits, type SenderLimits } from '../limits/limits.ts';
import { createThrottle, type SharedRate } from '../limits/throttle.ts';
import { createEgressLedger, type EgressLedger, UNMASKED } from '../record/egress-ledger.ts';
import type { Redactor } from '../record/redactor.ts';
import { followRedirects } from './follow.ts';
import { openSocket } from './open-socket.ts';
import { sendOnce } from './send-once.ts';
import { sendRawOnce } from './send-raw-once.ts';
import type { SenderContext } from './sender-context.ts';

export interface SenderOptions {
  network: Network;
  scope: Scope;
  runId: string;
  limits: SenderLimits;
  /** Whether an invalid certificate fails the exchange; defaults to true. */
  verifyTls?: boolean;
  /** Whether to use HTTP/2 where it is offered; defaults to false, because HTTP/2 does not send requests as written. */
  isHttp2Allowed?: boolean;
  redactor?: Redactor;
  /** The origin whose loss ends the run; others are skipped. If undefined, the loss of any origin ends it. */
  mainOrigin?: string;
  /** Whether the time window that the owner allows is open; defaults to always. */
  isWithinWindow?: () => boolean;
  /** An additional rate limit for an origin, besides `limits`; origins with the same key share it. */
  rateOf?: (origin: string) => SharedRate | undefined;
  /** Addresses and networks whose owners opted out, whichever name resolves to them. */
  optedOut?: readonly string[];
  /** Defaults to the name servers of `network`. */
  lookUp?: NameLookUp;
  /** The proof that each server has to give before it is contacted. */
  prove?: ServerProof | undefined;
  /** Counts connections together with those of another sender. */
  ledger?: EgressLedger;
  /** Times the rate and the budget; defaults to the clock of the machine. */
  clock?: Clock;
}

const MOST_HOPS = 5;

/** Built once for all connections, because loading the public root certificates is slow. */
function trusting({ authorities }: Network): Route['secureContext'] {
  return authorities === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, authorities] });
}

export function createSender(options: SenderOptions): Sender {
  const { network, scope, runId, redactor, clock, verifyTls = true, isWithinWindow = () => true } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const { redact } = redactor ?? UNMASKED;
  const ledger = options.ledger ?? createEgressLedger(redactor ?? UNMASKED);
  const connections = createConnectionPool();
  const http2 = createHttp2ConnectionPool(options.isHttp2Allowed ?? false, limits.headerBytes);
  const budget = createBudget(limits, { isWithinWindow, mainOrigin: options.mainOrigin, clock });
  const [closing, stopping] = [new AbortController(), new AbortController()];
  let sent = 0;
  const context: SenderContext = {
    scope,
    limits,
    redact,
    ledger,
    connections,
    http2,
    budget,
    throttle: createThrottle({ ...limits, others: http2.open, rateOf: options.rateOf, clock }),
    added: identity(network, runId),
    route: {
      rule: createAddressRule(network.allowAddresses, options.optedOut),
      lookUp: options.lookUp ?? createNameLookUp(network.resolvers),
      ledger,
      connectMs: limits.connectMs,
      verifyTls,
      secureContext: verifyTls ? trusting(network) : undefined,
      prove: options.prove,
    },
    closing: closing.signal,
    stopping: stopping.signal,
    countSent: () => void sent++,
  };
  const renew = () => {
    connections.close();
    http2.close();
  };
  const sender: Sender = {
    send: (request) => sendOnce(context, request),
    follow: (request, maxHops = MOST_HOPS) => followRedirects(request, maxHops, sender.send, redactor),
    sendRaw: (request) => sendRawOnce(context, request),
    openSocket: (request, use) => openSocket(context, request, use),
    requestsSent: () => sent,
    isInDoubt: budget.isInDoubt,
    takeEgress: () => ledger.take(),
    sharesConnection: (origin) => http2.to(origin) !== undefined,
    renew,
    stop() {
      budget.stop('time', 'The run was ended.');
      stopping.abort();
    },
    async close() {
      budget.stop('time', 'The run is over.');
      closing.abort();
      renew();
    },
  };
  return sender;
}
