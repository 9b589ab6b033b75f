import type { CheckAbout, Nonce, Subjects } from './active-check.ts';
import type { Awaited, Outside } from './oracle/outside.ts';
import { carryOut, type Verifying } from './verify.ts';

/** What the calls of a check at one place can be told by, in every attempt at the run. */
export type Place = string;

interface Provoking extends Verifying {
  outside: Pick<Outside, 'heard' | 'fixedHex'>;
}

/** The same whenever the run comes here again: a call may arrive long after the request that has caused it. */
function nonceFor(seed: string, { fixedHex }: Pick<Outside, 'fixedHex'>): Nonce {
  const hex = fixedHex(seed);
  const [a, b, c] = [12, 20, 28].map((from) => Number.parseInt(hex.slice(from, from + 8), 16) % 3_000);
  return {
    word: `s${hex.slice(0, 12)}`,
    numbers: [1_000 + Number(a), 4_000 + Number(b), 7_000 + Number(c)],
  };
}

/** What each variant would send to make a target call us, without its controls. */
function callingRequests<About extends keyof Subjects, Variant>(
  { id, variants, proof }: CheckAbout<About, Variant>,
  subject: Subjects[About],
  place: Place,
  { known, outside }: Pick<Provoking, 'known' | 'outside'>,
) {
  return variants.flatMap((variant, index) =>
    proof
      .plan(subject, variant, nonceFor(JSON.stringify([place, id, index]), outside), known)
      .flatMap((planned) =>
        planned.calling && !planned.calling.isControl ? [{ variant, planned, calling: planned.calling }] : [],
      ),
  );
}

/** The variants that have made the target call us, in this attempt or before. What was heard of is not sent again. */
export async function provoke<About extends keyof Subjects, Variant>(
  check: CheckAbout<About, Variant>,
  subject: Subjects[About],
  place: Place,
  provoking: Provoking,
): Promise<Variant[]> {
  const requests = callingRequests(check, subject, place, provoking);
  const heardBefore = await heardOf(requests, provoking);
  if (heardBefore.length > 0) return heardBefore;
  for (const { planned } of requests) await carryOut(planned, provoking);
  return requests.length > 0 ? heardOf(requests, provoking) : [];
}

async function heardOf<Variant>(
  requests: readonly { variant: Variant; calling: Awaited }[],
  { outside }: Pick<Provoking, 'outside'>,
): Promise<Variant[]> {
  if (requests.length === 0) return [];
  const heard = await outside.heard(requests.map(({ calling }) => calling.tag));
  const isHeard = ({ tag }: Awaited) => (heard.get(tag) ?? []).length > 0;
  return [...new Set(requests.filter(({ calling }) => isHeard(calling)).map(({ variant }) => variant))];
}

/** The names that a target may have called by after all: those of every variant at this place. */
export function tagsOf<About extends keyof Subjects, Variant>(
  check: CheckAbout<About, Variant>,
  subject: Subjects[About],
  place: Place,
  provoking: Pick<Provoking, 'known' | 'outside'>,
): string[] {
  return callingRequests(check, subject, place, provoking).map(({ calling }) => calling.tag);
}
