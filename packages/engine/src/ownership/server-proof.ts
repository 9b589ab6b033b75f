import { isIP } from 'node:net';
import type { Exchange, SendFailure, TargetRequest } from '../http/exchange/exchange.ts';
import { type Sender, StopSending } from '../http/exchange/sender.ts';
import type { EgressLedger } from '../http/record/egress-ledger.ts';
import { noAnswer } from '../http/send/attempt.ts';
import { createSender } from '../http/send/create-sender.ts';
import type { Network } from '../protocol/network-settings.ts';
import { type OwnershipLook, proofPlaces } from '../protocol/ownership-messages.ts';
import { createScanScope } from '../target/scope.ts';
import { lookForFile, lookForTag, readTags } from './by-page.ts';

/** What proves that a server belongs to a name. */
export interface ServerProofOptions {
  network: Network;
  runId: string;
  /** Tokens of the account's verifications; any of them counts in the file or the meta tag. */
  tokens: readonly string[];
  ledger?: EgressLedger;
}

/** `UNREACHABLE`: no server responds at this address. */
export type ServerStanding = OwnershipLook['outcome'] | 'UNREACHABLE';

const LIMITS = {
  requests: 20,
  bytes: 3_000_000,
  bodyBytes: 300_000,
  untilMs: 18_000,
  perSecond: 20,
  atOnce: 2,
  totalMs: 6_000,
};
const SILENT = new Set<SendFailure['code']>(['UNREACHABLE', 'TIMEOUT', 'REFUSED']);

/**
 * Checks whether the server at one address belongs to the host of an origin: by a certificate that is valid for the
 * host, or over plain http by the file or the meta tag with a token.
 */
export async function proveServer(
  origin: string,
  address: string,
  { network, runId, tokens, ledger }: ServerProofOptions,
): Promise<ServerStanding> {
  const lookUp = { addresses: async () => [address], texts: async () => [], aliases: async () => [] };
  const scope = createScanScope();
  const sender = createSender({ network, runId, scope, limits: LIMITS, lookUp, ...(ledger && { ledger }) });
  try {
    const { protocol, hostname, port } = new URL(origin);
    if (protocol === 'https:') return await proveByCertificate(origin, sender);
    const standing = await proveByToken(origin, tokens, sender);
    const hasTwin = standing !== 'FOUND' && port === '' && !isAddress(hostname);
    const isCertified = hasTwin && (await proveByCertificate(`https://${hostname}`, sender)) === 'FOUND';
    return isCertified ? 'FOUND' : standing;
  } finally {
    await sender.close();
  }
}

/** A host that is an IP address has no name that could resolve to another server. */
export const isAddress = (host: string) => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;

/** Resolves without a response when the budget is exhausted, instead of throwing. */
const ask = (sender: Sender, request: TargetRequest) =>
  sender.send(request).catch((error: unknown) => {
    if (error instanceof StopSending) return noAnswer(request, { code: 'TIMEOUT', message: error.message });
    throw error;
  });

async function proveByCertificate(origin: string, sender: Sender): Promise<ServerStanding> {
  const { failure } = await ask(sender, { method: 'GET', url: `${origin}${proofPlaces.filePath}`, purpose: 'look' });
  if (failure?.code === 'TLS') return 'NOT_FOUND';
  return failure && SILENT.has(failure.code) ? 'UNREACHABLE' : 'FOUND';
}

/** Fetches each page once for all tokens. */
async function proveByToken(origin: string, tokens: readonly string[], sender: Sender): Promise<ServerStanding> {
  const exchanges = new Map<string, Promise<Exchange>>();
  const once: Pick<Sender, 'send'> = {
    send(request) {
      const known = exchanges.get(request.url);
      const exchange = known ?? ask(sender, request);
      if (!known) exchanges.set(request.url, exchange);
      return exchange;
    },
  };
  // Parses a page once for all tokens: a hostile page takes seconds and a lot of memory.
  const tags = new Map<unknown, string[]>();
  const tagsOf: typeof readTags = (page) => {
    const read = tags.get(page) ?? readTags(page);
    tags.set(page, read);
    return read;
  };
  const lookForTagOnce: typeof lookForFile = (...asked) => lookForTag(...asked, tagsOf);
  const outcomes = new Set<OwnershipLook['outcome']>();
  for (const lookFor of [lookForFile, lookForTagOnce]) {
    for (const token of tokens) {
      const { outcome } = await lookFor(origin, token, once);
      if (outcome === 'FOUND') return outcome;
      outcomes.add(outcome);
    }
  }
  const answers = await Promise.all(exchanges.values());
  if (answers.every(({ failure }) => failure && SILENT.has(failure.code))) return 'UNREACHABLE';
  return outcomes.has('UNKNOWN') ? 'UNKNOWN' : 'NOT_FOUND';
}

/** Returns the message for the owner of a name about a server that does not prove that it belongs to it. */
export function describeUnproven(origin: string, address: string, tokens: readonly string[]): string {
  const { protocol, hostname } = new URL(origin);
  const begin = `The server at ${address} does not prove that it belongs to ${hostname}`;
  if (protocol === 'https:') return `${begin}: its certificate is not valid for this name. Install one that is.`;
  return (
    `${begin}. Serve ${origin}${proofPlaces.filePath} from this address, containing only ${tokens[0]}, ` +
    'or test the https address with a certificate that is valid for this name.'
  );
}
