import type { ServerProof } from './http/connect.ts';
import type { EgressLedger } from './http/egress-ledger.ts';
import type { SendFailure } from './http/exchange.ts';
import type { Network } from './network.ts';
import type { OwnershipLook } from './ownership.ts';
import { describeUnproven, isAddress, proveServer } from './server-proof.ts';
import { type Coverage, covers } from './target/coverage.ts';
import type { NameLookUp } from './target/resolve.ts';

/** As long as a run may go on without a new check of who owns its target. */
const GOOD_FOR_MS = 15 * 60_000;
const REFUSED_FOR_MS = 60_000;

interface ProverOptions {
  network: Network;
  runId: string;
  coverage: Coverage;
  tokens: readonly string[];
  /** Called with a sentence for the customer. */
  onUnproven(reason: string): void;
}

/**
 * Lets a run contact a covered name only at addresses whose server shows that it belongs to the name. Connections by TLS
 * show it themselves: their certificate is checked each time.
 */
export function createServerProof({ network, runId, coverage, tokens, onUnproven }: ProverOptions): ServerProof {
  const known = new Map<string, { until: number; failure: Promise<SendFailure | undefined> }>();

  async function prove(origin: string, address: string, ledger: EgressLedger): Promise<SendFailure | undefined> {
    const standing = await proveServer(origin, address, { network, runId, tokens, ledger });
    if (standing === 'FOUND') return undefined;
    if (standing === 'UNREACHABLE') return { code: 'UNREACHABLE', message: `Nothing answers at ${origin}.` };
    const message = describeUnproven(origin, address, tokens);
    onUnproven(message);
    return { code: 'REFUSED', message };
  }

  return async ({ host, port, tls }, address, ledger) => {
    const { origin } = new URL(`http://${host}:${port}`);
    if (tls || isAddress(host) || !covers(coverage, new URL(origin))) return undefined;
    const key = `${origin} ${address}`;
    const last = known.get(key);
    if (last && last.until > performance.now()) return last.failure;
    const entry = { until: Number.POSITIVE_INFINITY, failure: prove(origin, address, ledger) };
    known.set(key, entry);
    // An error of our own says nothing about the server.
    entry.failure.catch(() => known.delete(key));
    const failure = await entry.failure;
    entry.until = performance.now() + goodForMs(failure);
    return failure;
  };
}

function goodForMs(failure: SendFailure | undefined): number {
  if (failure === undefined) return GOOD_FOR_MS;
  return failure.code === 'REFUSED' ? REFUSED_FOR_MS : 0;
}

interface ServersQuestion {
  origin: string;
  tokens: readonly string[];
}

interface LookTools {
  network: Network;
  runId: string;
  ledger: EgressLedger;
  resolver: Pick<NameLookUp, 'addresses'>;
}

/** Looks at every address of the host. Those at which no server answers prove nothing, and are not contacted either. */
export async function lookAtServers(
  { origin, tokens }: ServersQuestion,
  { resolver, ...tools }: LookTools,
): Promise<OwnershipLook> {
  const { hostname } = new URL(origin);
  const lookUps: OwnershipLook['lookUps'] = [];
  const end = (outcome: OwnershipLook['outcome'], message: string) => ({ outcome, message, lookUps });
  if (isAddress(hostname)) return end('FOUND', `${hostname} is an address.`);
  // The run itself says that a name cannot be looked up.
  const addresses = await resolver.addresses(hostname).catch((): string[] => []);
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    const standing = await proveServer(origin, address, { ...tools, tokens });
    lookUps.push({ place: `${origin} at ${address}`.slice(0, 500), seen: [words[standing]] });
    if (standing === 'NOT_FOUND') return end('NOT_FOUND', describeUnproven(origin, address, tokens));
    if (standing === 'UNKNOWN') {
      return end('UNKNOWN', `The server at ${address} could not be asked whether it belongs to ${hostname}.`);
    }
  }
  return end('FOUND', `Every server of ${hostname} shows that it belongs to the name.`);
}

const MOST_ADDRESSES = 8;
const words = {
  FOUND: 'the server belongs to the name',
  NOT_FOUND: 'nothing shows that the server belongs to the name',
  UNKNOWN: 'the server answered with an error',
  UNREACHABLE: 'no server answers',
};
