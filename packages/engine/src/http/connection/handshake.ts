import type { X509Certificate } from 'node:crypto';
import { connect, getCACertificates } from 'node:tls';
import type { JudgedSocket } from '../exchange/exchange.ts';
import { oldServers } from './connect.ts';

/** Result of a complete TLS handshake: what a ServerHello alone does not reveal. */
export interface Handshake {
  protocol: string;
  suite: string;
  alpn: string | null;
  /** From the leaf certificate towards the root, as far as issuers are known. */
  chain: readonly Buffer[];
  /** OpenSSL's reason for not trusting the certificate; null if it is trusted. The host name is not checked here. */
  untrusted: string | null;
  /** The stapled OCSP response. */
  ocspResponse: Buffer | null;
  /** The session as serialized by OpenSSL, if the server issued a ticket. */
  session: Buffer | null;
}

const MAX_CHAIN = 12;
const HANDSHAKE_MS = 5_000;
/** TLS 1.3 sends session tickets after the handshake. */
const TICKET_MS = 400;

function chainOf(leaf: X509Certificate | undefined): Buffer[] {
  const chain: Buffer[] = [];
  for (let next = leaf; next && chain.length < MAX_CHAIN; next = next.issuerCertificate) chain.push(next.raw);
  return chain;
}

/**
 * Performs a TLS handshake on a socket that was already checked. Accepts any certificate and reports its problems;
 * resolves with a `failure` if the handshake fails, never rejects.
 */
export function shakeHands(
  { socket, signal }: JudgedSocket,
  servername: string | undefined,
): Promise<Handshake | { failure: string }> {
  return new Promise((resolve) => {
    const secured = connect({
      socket,
      ...(servername === undefined ? {} : { servername }),
      ALPNProtocols: ['h2', 'http/1.1'],
      requestOCSP: true,
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
      // Legacy protocol versions and weak keys are examined too.
      ...oldServers,
    });
    let ocspResponse: Buffer | null = null;
    let session: Buffer | null = null;
    let handshake: Handshake | undefined;
    const finish = (failure = 'The connection was closed during the handshake.') => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onDeadline);
      secured.destroy();
      resolve(handshake ? { ...handshake, ocspResponse, session } : { failure });
    };
    const onDeadline = () => finish('The TLS handshake timed out.');
    let timer = setTimeout(onDeadline, HANDSHAKE_MS);
    signal.addEventListener('abort', onDeadline, { once: true });
    secured
      .on('OCSPResponse', (response: Buffer | null) => {
        if (response && response.length > 0) ocspResponse = response;
      })
      .on('session', (ticket: Buffer) => {
        session = ticket;
        if (handshake) finish();
      })
      .on('error', (error) => finish(error.message))
      .on('close', () => finish())
      .on('secureConnect', () => {
        const { authorizationError } = secured;
        handshake = {
          protocol: secured.getProtocol() ?? '',
          suite: secured.getCipher().standardName,
          alpn: secured.alpnProtocol || null,
          chain: chainOf(secured.getPeerX509Certificate()),
          untrusted: secured.authorized ? null : String(authorizationError),
          ocspResponse,
          session,
        };
        clearTimeout(timer);
        timer = setTimeout(finish, session ? 0 : TICKET_MS);
      });
  });
}

/** Returns the root certificates that this machine trusts, in PEM. */
export const trustedRoots = (): readonly string[] => getCACertificates('default');
