import type { EgressEntry } from '../protocol/egress-entry.ts';
import type { Network } from '../protocol/network-settings.ts';
import { createAllowance } from './addresses.ts';
import { createNameLookUp } from './resolve.ts';

interface Contact {
  address: string;
  port: number;
}

/** Returns each contact once, as normalized "address port", without those that the operator allows. */
function placesOf(contacts: readonly Contact[], { allowAddresses }: Network): string[] {
  const { isAllowed, spelling } = createAllowance(allowAddresses);
  const counted = contacts.filter(({ address, port }) => !isAllowed(address, port));
  return [...new Set(counted.map(({ address, port }) => `${spelling(address)} ${port}`))].sort();
}

interface ScanRoute {
  /** Addresses of the host; null if the lookup failed. */
  addresses: string[] | null;
  /** Contacts that count against the caps. */
  places: string[];
}

/**
 * Resolves the host of a scan once: the scan connects to the addresses that were counted, whatever DNS returns later.
 */
export async function routeScan(url: string, network: Network): Promise<ScanRoute> {
  const { hostname, port, protocol } = new URL(url);
  const addresses = await createNameLookUp(network.resolvers)
    .addresses(hostname)
    .catch(() => null);
  const at = Number(port || (protocol === 'https:' ? 443 : 80));
  const contacts = (addresses ?? []).map((address) => ({ address, port: at }));
  return { addresses, places: placesOf(contacts, network) };
}

/** Returns the places that a scan connected to. */
export function contactedPlaces(egress: readonly EgressEntry[], network: Network): string[] {
  const contacts = egress.flatMap(({ address, port, outcome }) =>
    address !== null && outcome === 'CONTACTED' ? [{ address, port }] : [],
  );
  return placesOf(contacts, network);
}
