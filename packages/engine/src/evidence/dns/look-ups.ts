import type { DnsClient } from '../../target/dns/client.ts';
import { type DnsAnswer, type Question, recordsOf } from '../../target/dns/message.ts';
import { isMissing, type Missing } from '../missing.ts';

/** DNS queries of a scan, each sent once. Only NOERROR and NXDOMAIN count as responses. */
export interface LookUps {
  ask(name: string, type: Question['type']): Promise<DnsAnswer | Missing>;
  /** Resolves to the TXT records of a name that match the pattern. */
  texts(name: string, pattern: RegExp): Promise<string[] | Missing>;
  /** The underlying client, which also returns failures. */
  client: DnsClient;
}

const MAX_TEXTS = 10;
const MAX_TEXT = 4_096;

/** Creates the lookups of one scan, which ask each question once. */
export function createLookUps(client: DnsClient): LookUps {
  const asked = new Map<string, Promise<DnsAnswer | Missing>>();
  async function ask(name: string, type: Question['type']): Promise<DnsAnswer | Missing> {
    const answer = await client.ask({ name, type });
    if ('failure' in answer) return { missing: `${answer.failure} The query was ${type} ${name}.` };
    const isSure = answer.code === 'NOERROR' || answer.code === 'NXDOMAIN';
    return isSure ? answer : { missing: `The resolver failed for the query ${type} ${name}.` };
  }
  const lookUps: LookUps = {
    client,
    ask(name, type) {
      const key = `${type} ${name}`;
      const answer = asked.get(key) ?? ask(name, type);
      asked.set(key, answer);
      return answer;
    },
    async texts(name, pattern) {
      const answer = await lookUps.ask(name, 'TXT');
      if (isMissing(answer)) return answer;
      const texts = recordsOf(answer, 'TXT').map(({ data }) => data.slice(0, MAX_TEXT));
      return texts.filter((text) => pattern.test(text)).slice(0, MAX_TEXTS);
    },
  };
  return lookUps;
}
