import { describeLook, type OwnershipLook, proofPlaces } from '../protocol/ownership-messages.ts';

/** Each answers empty when there is nothing of the kind, and throws when nobody could be asked. */
export interface RecordLookUp {
  /** The TXT records of a name, each in one piece. */
  texts(name: string): Promise<string[]>;
  /** What a name is another name for. */
  aliases(name: string): Promise<string[]>;
}

const MOST_RECORDS = 10;
const MOST_CHARACTERS = 100;

/**
 * A record counts on the name itself only. Behind an alias it would be the word of whoever owns the other name, and the
 * verification speaks for everything below this one.
 */
export async function lookForRecord(name: string, token: string, resolver: RecordLookUp): Promise<OwnershipLook> {
  const wanted = `${proofPlaces.dnsPrefix}${token}`;
  const lookUps: OwnershipLook['lookUps'] = [];
  const conclude = (outcome: OwnershipLook['outcome'], seen: string, remedy = '') =>
    describeLook(outcome, { what: `the TXT record ${wanted}`, place: name, seen, remedy, lookUps });
  const note = (type: string, seen: string[]) =>
    lookUps.push({ place: `${type} ${name}`, seen: seen.length > 0 ? seen : ['no such record'] });

  try {
    const aliases = await resolver.aliases(name);
    note('CNAME', aliases.slice(0, MOST_RECORDS));
    if (aliases.length > 0) {
      const remedy = 'Put the record on a name above it, or use a file or a meta tag.';
      return conclude('NOT_FOUND', `this name is an alias of ${aliases[0]}`, remedy);
    }
    const records = await resolver.texts(name);
    note('TXT', describeRecords(records));
    if (records.includes(wanted)) return conclude('FOUND', '');
    const remedy = 'Add it, wait until the name servers tell it, and check again.';
    return conclude('NOT_FOUND', sayWhatIsThere(records), remedy);
  } catch (error) {
    const { code = 'failure' } = error as NodeJS.ErrnoException;
    note(lookUps.length === 0 ? 'CNAME' : 'TXT', [`no answer (${code})`]);
    return conclude('UNKNOWN', `the name servers gave no answer (${code})`);
  }
}

const isOurs = (record: string) => record.startsWith(proofPlaces.dnsPrefix);

function sayWhatIsThere(records: readonly string[]): string {
  if (records.some(isOurs)) return 'the record there has another value';
  return records.length > 0 ? 'none of the TXT records there is it' : 'there is no TXT record';
}

/** Those of other services are nobody's business. */
function describeRecords(records: readonly string[]): string[] {
  const ours = records.filter(isOurs).map((record) => record.slice(0, MOST_CHARACTERS));
  const others = records.length - ours.length;
  return [...ours.slice(0, MOST_RECORDS), ...(others > 0 ? [`${others} of other services`] : [])];
}
