import { constants } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls';
import type { AddressRule } from '../../target/addresses.ts';
import { isFailedLookup, type NameLookUp } from '../../target/resolve.ts';
import type { SendFailure } from '../exchange/exchange.ts';
import { ConnectFailure, isNoConnection } from '../exchange/failure.ts';
import type { EgressLedger } from '../record/egress-ledger.ts';

export interface Destination {
  /** As in a URL; an IPv6 address may be in brackets. */
  host: string;
  port: number;
  tls: boolean;
  servername?: string | undefined;
  /** ALPN protocols to offer, most preferred first; defaults to HTTP/1.1 only. */
  protocols?: readonly ('h2' | 'http/1.1')[];
}

/**
 * Resolves with the reason why the server at an address may not be contacted for a destination; undefined if it may.
 */
export type ServerProof = (to: Destination, address: string, ledger: EgressLedger) => Promise<SendFailure | undefined>;

export interface Route {
  rule: AddressRule;
  lookUp: NameLookUp;
  ledger: EgressLedger;
  connectMs: number;
  verifyTls: boolean;
  /** Trusts certificate authorities besides the public ones. */
  secureContext?: SecureContext | undefined;
  prove?: ServerProof | undefined;
}

export interface Connected {
  socket: Socket | TLSSocket;
  /** The checked address that was dialled; the OS may connect to a different one, as it does for 0.0.0.0. */
  dialled: string;
  remote: { address: string; port: number };
  isHttp2: boolean;
}

const MOST_ANSWERS = 8;
/**
 * TLS settings that accept every server OpenSSL can talk to, including those without RFC 5746 (secure renegotiation).
 */
export const oldServers = {
  minVersion: 'TLSv1',
  ciphers: 'DEFAULT:@SECLEVEL=0',
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
} as const;
const ignore = () => {};

/** Returns the addresses of the host. Throws if the rule refuses any of them: such a name is not trusted at all. */
async function allowedAddresses({ host, port }: Destination, route: Route): Promise<string[]> {
  const found = await route.lookUp.addresses(host).catch((error: unknown) => {
    if (!isFailedLookup(error)) throw error;
    throw new ConnectFailure('UNREACHABLE', `The name ${host} could not be resolved.`);
  });
  for (const address of found) {
    const reason = route.rule(address, port);
    if (reason === undefined) continue;
    route.ledger.refusal(host, port, address, reason);
    throw new ConnectFailure('REFUSED', isIP(host.replace(/[[\]]/g, '')) ? reason : `${host}: ${reason}`);
  }
  if (found.length === 0) throw new ConnectFailure('UNREACHABLE', `The name ${host} has no address.`);
  return found.slice(0, MOST_ANSWERS);
}

function waitFor(socket: Socket, event: 'connect' | 'secureConnect', ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', tooLate);
      socket.off(event, settle).off('error', fail).off('close', closed);
      if (error === undefined) return resolve();
      socket.on('error', ignore).destroy();
      reject(error);
    };
    const fail = (error: Error) => settle(error);
    const closed = () => settle(new ConnectFailure('UNREACHABLE', 'The connection was closed during setup.'));
    const tooLate = () => settle(new ConnectFailure('TIMEOUT', 'The connection timed out.'));
    const timer = setTimeout(tooLate, ms);
    socket
      .once(event, () => settle())
      .once('error', fail)
      .once('close', closed);
    signal.addEventListener('abort', tooLate, { once: true });
    if (signal.aborted) tooLate();
  });
}

async function connectTo(address: string, to: Destination, route: Route, signal: AbortSignal): Promise<Socket> {
  route.ledger.connection(to.host, to.port, address);
  const socket = connectTcp({ host: address, port: to.port, noDelay: true });
  await waitFor(socket, 'connect', route.connectMs, signal);
  // Without a listener, a socket error between two requests would crash the process.
  socket.on('error', ignore);
  // Check the actual peer as well: it may differ from the address that was dialled.
  const { remoteAddress = '', remotePort = to.port } = socket;
  const reason = route.rule(remoteAddress, remotePort);
  if (reason === undefined) return socket;
  socket.destroy();
  route.ledger.refusal(to.host, to.port, remoteAddress, reason);
  throw new ConnectFailure('REFUSED', reason);
}

async function secure(socket: Socket, to: Destination, route: Route, signal: AbortSignal): Promise<TLSSocket> {
  const host = to.host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const servername = to.servername ?? (isIP(host) ? undefined : host);
  const secured = connectTls({
    socket,
    host,
    ...(servername === undefined ? {} : { servername }),
    ALPNProtocols: [...(to.protocols ?? ['http/1.1'])],
    // If servers have to prove that they belong to a name, the certificate is the proof over TLS.
    rejectUnauthorized: route.verifyTls || route.prove !== undefined,
    ...(route.secureContext && { secureContext: route.secureContext }),
    // Without certificate verification, accept legacy TLS so that old servers can be examined too.
    ...(route.verifyTls ? {} : oldServers),
  });
  secured.on('error', ignore);
  try {
    await waitFor(secured, 'secureConnect', route.connectMs, signal);
  } catch (error) {
    socket.destroy();
    if (error instanceof ConnectFailure && error.failure.code === 'TIMEOUT') throw error;
    throw new ConnectFailure('TLS', `The TLS connection failed: ${describeTlsError(error)}`);
  }
  return secured;
}

/** OpenSSL messages include a location in its source; returns only the reason. */
function describeTlsError(error: unknown): string {
  const { code, reason, message } = error as NodeJS.ErrnoException & { reason?: string };
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'the server does not speak TLS on this port';
  return (code?.startsWith('ERR_SSL_') && reason) || message;
}

function tooLate(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(new ConnectFailure('TIMEOUT', 'The DNS lookup timed out.'));
    signal.addEventListener('abort', fail, { once: true });
    if (signal.aborted) fail();
  });
}

async function requireProof(address: string, to: Destination, route: Route, signal: AbortSignal): Promise<void> {
  if (!route.prove) return;
  const failure = await Promise.race([route.prove(to, address, route.ledger), tooLate(signal)]);
  if (failure === undefined) return;
  if (failure.code === 'REFUSED') route.ledger.refusal(to.host, to.port, address, failure.message);
  // UNREACHABLE counts towards ending the run. With REFUSED, it would go on and everything left would count as tested.
  throw new ConnectFailure(failure.code === 'REFUSED' ? 'UNREACHABLE' : failure.code, failure.message);
}

/**
 * Resolves the host, checks every address against the rule, and connects to one of them. Throws a `ConnectFailure`, or
 * an internal error, such as one of the proof or that this machine is out of resources.
 */
export async function connect(to: Destination, route: Route, signal: AbortSignal): Promise<Connected> {
  let last = new ConnectFailure('UNREACHABLE', `No server responds at ${to.host}:${to.port}.`);
  for (const address of await Promise.race([allowedAddresses(to, route), tooLate(signal)])) {
    try {
      await requireProof(address, to, route, signal);
      const plain = await connectTo(address, to, route, signal);
      const remote = { address: plain.remoteAddress ?? address, port: plain.remotePort ?? to.port };
      if (!to.tls) return { socket: plain, dialled: address, remote, isHttp2: false };
      const socket = await secure(plain, to, route, signal);
      return { socket, dialled: address, remote, isHttp2: socket.alpnProtocol === 'h2' };
    } catch (error) {
      if (error instanceof ConnectFailure) last = error;
      // A bug of ours, such as one in the proof, must not count towards an unreachable target.
      else if (!isNoConnection(error)) throw error;
      if (last.failure.code === 'REFUSED' || last.failure.code === 'TLS' || signal.aborted) break;
    }
  }
  throw last;
}
