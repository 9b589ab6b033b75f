import type { ServerProof } from '../http/connection/connect.ts';
import type { SendFailure } from '../http/exchange/exchange.ts';
import type { EgressLedger } from '../http/record/egress-ledger.ts';
import type { Network } from '../protocol/network-settings.ts';
import type { OwnershipLook } from '../protocol/ownership-messages.ts';
import { covers, type VerifiedScope } from '../target/coverage.ts';
import type { NameLookUp } from '../target/resolve.ts';
import { describeUnproven, isAddress, proveServer } from './server-proof.ts';

/** Equals the time that a run may continue without a new ownership check of its target. */
const GOOD_FOR_MS = 15 * 60_000;
const ASKED_AGAIN_MS = 60_000;

interface ProverOptions {
  network: Network;
  runId: string;
  coverage: VerifiedScope;
  tokens: readonly string[];
  /** Called with a message for the customer. */
  onUnproven(reason: string): void;
}

/**
 * Lets a run contact a covered name only at addresses whose server proves that it belongs to the name. TLS connections
 * need no separate proof: their certificate is verified each time.
 */
export function createServerProof({ network, runId, coverage, tokens, onUnproven }: ProverOptions): ServerProof {
  const known = new Map<string, { until: number; verdict: Promise<Verdict> }>();

  async function prove(origin: string, address: string, ledger: EgressLedger, wasProven: boolean): Promise<Verdict> {
    const standing = await proveServer(origin, address, { network, runId, tokens, ledger });
    if (standing === 'FOUND') return { failure: undefined, goodForMs: GOOD_FOR_MS };
    // A proven server that now responds with an error is checked again soon; the worker counts how often.
    if (standing === 'UNKNOWN' && wasProven) return { failure: undefined, goodForMs: ASKED_AGAIN_MS };
    if (standing === 'UNREACHABLE') {
      return { failure: { code: 'UNREACHABLE', message: `No server responds at ${origin}.` }, goodForMs: 0 };
    }
    const message = describeUnproven(origin, address, tokens);
    onUnproven(message);
    return { failure: { code: 'REFUSED', message }, goodForMs: ASKED_AGAIN_MS };
  }

  return async ({ host, port, tls }, address, ledger) => {
    const { origin } = new URL(`http://${host}:${port}`);
    if (tls || isAddress(host) || !covers(coverage, new URL(origin))) return undefined;
    const key = `${origin} ${address}`;
    const last = known.get(key);
    if (last && last.until > performance.now()) return (await last.verdict).failure;
    const wasProven = last !== undefined && (await last.verdict).failure === undefined;
    const entry = { until: Number.POSITIVE_INFINITY, verdict: prove(origin, address, ledger, wasProven) };
    known.set(key, entry);
    // An internal error says nothing about the server.
    entry.verdict.catch(() => known.delete(key));
    const { failure, goodForMs } = await entry.verdict;
    entry.until = performance.now() + goodForMs;
    return failure;
  };
}

interface Verdict {
  failure: SendFailure | undefined;
  goodForMs: number;
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

/**
 * Checks the server at every address of the host. Addresses where no server responds prove nothing, and are not
 * contacted by the run either.
 */
export async function lookAtServers(
  { origin, tokens }: ServersQuestion,
  { resolver, ...tools }: LookTools,
): Promise<OwnershipLook> {
  const { hostname } = new URL(origin);
  const lookUps: OwnershipLook['lookUps'] = [];
  const end = (outcome: OwnershipLook['outcome'], message: string) => ({ outcome, message, lookUps });
  if (isAddress(hostname)) return end('FOUND', `${hostname} is an address.`);
  // The run itself reports a name that cannot be resolved.
  const addresses = await resolver.addresses(hostname).catch((): string[] => []);
  // Concurrently: one after the other, slow servers would exceed the time limit of the check.
  const asked = addresses.slice(0, MOST_ADDRESSES).map(async (address) => {
    return { address, standing: await proveServer(origin, address, { ...tools, tokens }) };
  });
  for (const { address, standing } of await Promise.all(asked)) {
    lookUps.push({ place: `${origin} at ${address}`.slice(0, 500), seen: [words[standing]] });
    if (standing === 'NOT_FOUND') return end('NOT_FOUND', describeUnproven(origin, address, tokens));
    if (standing === 'UNKNOWN') {
      return end('UNKNOWN', `Could not verify that the server at ${address} belongs to ${hostname}.`);
    }
  }
  return end('FOUND', `Every server of ${hostname} proves that it belongs to the name.`);
}

const MOST_ADDRESSES = 8;
const words = {
  FOUND: 'the server belongs to the name',
  NOT_FOUND: 'nothing proves that the server belongs to the name',
  UNKNOWN: 'the server responded with an error',
  UNREACHABLE: 'no server responds',
};
