import { getServers } from 'node:dns';
import { askByTcp, askByUdp, type DnsServer, type NoAnswer } from './exchange.ts';
import { type DnsAnswer, isName, type Question, writeQuery } from './message.ts';

/** Why there is no result, as a message for the report. */
interface DnsFailure {
  failure: string;
}

/** Queries name servers for records of any type, for one scan. */
export interface DnsClient {
  /** Never rejects. Resolves with a failure if the name is invalid or no usable response arrives. */
  ask(question: Question): Promise<DnsAnswer | DnsFailure>;
  /** Returns the number of packets that may still be sent. */
  packetsLeft(): number;
}

interface DnsClientLimits {
  /** Every packet counts, including retries. */
  packets: number;
  /** Timeout for the response to one packet. */
  tryMs: number;
  /** Measured from the first query. */
  untilMs: number;
}

export const dnsLimits: DnsClientLimits = { packets: 40, tryMs: 2_000, untilMs: 15_000 };

const TRIES = 2;
const DNS_PORT = 53;
const ENTRY = /^(?:\[([^\]]+)\](?::(\d+))?|([0-9.]+)(?::(\d+))?|([0-9a-f:.]+(?:%\w+)?))$/i;
const reasons: Record<NoAnswer, string> = {
  SILENT: 'The name servers did not respond in time.',
  GARBAGE: 'The response of the name servers is malformed.',
};

function readServer(entry: string): DnsServer[] {
  const [, bracketed, bracketedPort, v4, v4Port, v6] = ENTRY.exec(entry) ?? [];
  const address = bracketed ?? v4 ?? v6;
  return address === undefined ? [] : [{ address, port: Number(bracketedPort ?? v4Port ?? DNS_PORT) }];
}

/** `resolvers` as in the network settings; if empty, those of the system. */
export function createDnsClient(resolvers: readonly string[], limits: DnsClientLimits = dnsLimits): DnsClient {
  const servers = (resolvers.length > 0 ? resolvers : getServers()).flatMap(readServer);
  let packets = 0;
  let endsAt: number | undefined;

  const refusal = () => {
    if (packets >= limits.packets) return 'The DNS query budget is used up.';
    endsAt ??= performance.now() + limits.untilMs;
    return performance.now() >= endsAt ? 'The time budget for DNS queries is used up.' : undefined;
  };
  async function tryOnce(server: DnsServer, question: Question): Promise<DnsAnswer | NoAnswer | DnsFailure> {
    const failure = refusal();
    if (failure !== undefined) return { failure };
    packets++;
    const query = writeQuery(question);
    const outcome = await askByUdp(server, query, limits.tryMs);
    if (outcome !== 'CUT') return outcome;
    const secondFailure = refusal();
    if (secondFailure !== undefined) return { failure: secondFailure };
    packets++;
    return askByTcp(server, query, limits.tryMs);
  }

  return {
    packetsLeft: () => limits.packets - packets,
    async ask(question) {
      if (!isName(question.name)) return { failure: 'This is not a valid DNS name.' };
      let last: DnsAnswer | DnsFailure = { failure: 'No name server is configured.' };
      for (let attempt = 0; attempt < TRIES && servers.length > 0; attempt++) {
        const server = servers[attempt % servers.length] as DnsServer;
        const outcome = await tryOnce(server, question);
        if (typeof outcome === 'string') last = 'code' in last ? last : { failure: reasons[outcome] };
        else if ('failure' in outcome) return 'code' in last ? last : outcome;
        else if (outcome.code === 'NOERROR' || outcome.code === 'NXDOMAIN') return outcome;
        else last = outcome;
      }
      return last;
    },
  };
}
