import type { EgressEntry } from '../../protocol/egress-entry.ts';
import type { Redactor } from './redactor.ts';

/** Counts connections, requests and refusals by destination. */
export interface EgressLedger {
  /** Counts every attempt: it leaves this machine even if nothing answers. */
  connection(host: string, port: number, address: string): void;
  request(host: string, port: number, address: string): void;
  refusal(host: string, port: number, address: string | null, reason: string): void;
  /** Returns the entries counted since the last call. */
  take(): EgressEntry[];
}

const MOST = 100;
/** Two entries are reserved for all other destinations: contacted and refused. */
const MOST_NAMED = MOST - 2;
const REST = '…';

/** Masks reasons with `redact`, and hosts with `redactSecrets`. */
type Masks = Pick<Redactor, 'redact' | 'redactSecrets'>;

/** For orders without secrets. */
export const UNMASKED: Masks = { redact: String, redactSecrets: String };

type Connection = Pick<EgressEntry, 'host' | 'port' | 'address' | 'outcome' | 'reason'>;

export function createEgressLedger({ redact, redactSecrets }: Masks): EgressLedger {
  let entries = new Map<string, EgressEntry>();
  let named = 0;

  function entryFor(place: Connection): EgressEntry {
    const key = JSON.stringify(place);
    const known = entries.get(key);
    if (known) return known;
    if (named < MOST_NAMED || place.host === REST) {
      if (place.host !== REST) named++;
      const entry = { ...place, connections: 0, requests: 0 };
      entries.set(key, entry);
      return entry;
    }
    const reason = place.outcome === 'REFUSED' ? 'Other destinations, for several reasons.' : null;
    return entryFor({ host: REST, port: 0, address: null, outcome: place.outcome, reason });
  }

  const contacted = (host: string, port: number, address: string) =>
    entryFor({ host: redactSecrets(host).slice(0, 255), port, address, outcome: 'CONTACTED', reason: null });

  return {
    connection: (host, port, address) => void contacted(host, port, address).connections++,
    request: (host, port, address) => void contacted(host, port, address).requests++,
    refusal(host, port, address, reason) {
      const entry = entryFor({
        host: redactSecrets(host).slice(0, 255),
        port,
        address: address?.slice(0, 60) ?? null,
        outcome: 'REFUSED',
        reason: redact(reason).slice(0, 300),
      });
      entry.requests++;
    },
    take() {
      const taken = [...entries.values()];
      entries = new Map();
      named = 0;
      return taken;
    },
  };
}
