import { describeLook, type OwnershipLook, proofPlaces } from '../protocol/ownership-messages.ts';

/** Each method resolves with an empty list if there are no such records, and rejects if no name server responds. */
export interface RecordLookUp {
  /** Resolves with the TXT records of a name, each concatenated. */
  texts(name: string): Promise<string[]>;
  /** Resolves with the CNAME targets of a name. */
  aliases(name: string): Promise<string[]>;
}

const MOST_RECORDS = 10;
const MOST_CHARACTERS = 100;

/**
 * Looks for the token in a TXT record of the name itself. Behind a CNAME the record would prove the other name's owner,
 * while the verification covers this name and everything below it.
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
      const remedy = 'Publish the record on a parent domain, or verify by file or meta tag.';
      return conclude('NOT_FOUND', `the name has a CNAME record to ${aliases[0]}`, remedy);
    }
    const records = await resolver.texts(name);
    note('TXT', describeRecords(records));
    if (records.includes(wanted)) return conclude('FOUND', '');
    const remedy = 'Add the record, wait until the name servers publish it, then check again.';
    return conclude('NOT_FOUND', sayWhatIsThere(records), remedy);
  } catch (error) {
    const { code = 'failure' } = error as NodeJS.ErrnoException;
    note(lookUps.length === 0 ? 'CNAME' : 'TXT', [`no response (${code})`]);
    return conclude('UNKNOWN', `the name servers did not respond (${code})`);
  }
}

const isOurs = (record: string) => record.startsWith(proofPlaces.dnsPrefix);

function sayWhatIsThere(records: readonly string[]): string {
  if (records.some(isOurs)) return 'the record has another value';
  return records.length > 0 ? 'no TXT record matches' : 'the name has no TXT record';
}

/** Returns our records in clear and only the number of the others, which belong to other services. */
function describeRecords(records: readonly string[]): string[] {
  const ours = records.filter(isOurs).map((record) => record.slice(0, MOST_CHARACTERS));
  const others = records.length - ours.length;
  return [...ours.slice(0, MOST_RECORDS), ...(others > 0 ? [`${others} of other services`] : [])];
}
