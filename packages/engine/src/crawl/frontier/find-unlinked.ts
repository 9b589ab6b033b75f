import type { Exchange } from '../../http/exchange/exchange.ts';
import { isLike, type Sample, sampleOf } from './baseline.ts';

interface FindOptions {
  visit(url: string): Promise<Exchange>;
  places: readonly string[];
  /** Maximum number of requests, including those for names that do not exist. */
  most: number;
  /** Returns a random word that occurs in no path of the site. */
  newWord(): string;
}

/** Responses that tell that nothing is there, or nothing that can be read. */
const NOTHING = new Set([400, 404, 405, 406, 410, 414, 415, 421, 426, 501, 502, 503, 504]);
const TOO_MANY = 429;

/**
 * Resolves to the places that exist. Compares each with a random name in the same folder and with the same ending,
 * because folders differ in how they respond to unknown names. Stops if the target asks for fewer requests.
 */
export async function findUnlinked({ visit, places, most, newWord }: FindOptions): Promise<string[]> {
  const found: string[] = [];
  const absent = new Map<string, Sample | undefined>();
  let left = most;
  const ask = async (url: string) => {
    left--;
    const { request, response } = await visit(url);
    return response ? sampleOf(request.url, response) : undefined;
  };
  for (const url of places) {
    const shape = shapeOf(url);
    if (!absent.has(shape))
      absent.set(shape, left < MOST_OF_SHAPE ? undefined : await learnAbsent(ask, shape, newWord));
    const nothing = absent.get(shape);
    if (!nothing) continue;
    if (left < 1) break;
    const sample = await ask(url);
    if (sample?.status === TOO_MANY) break;
    if (sample && !NOTHING.has(sample.status) && !isAbsent(sample, nothing)) found.push(url);
  }
  return found;
}

/** Requests for one shape: two for names that do not exist, and at least one for a name that may. */
const MOST_OF_SHAPE = 3;
const ENDING = /[^/]*?((?:\.\w+)?\/?)$/;

/** Returns the folder and the ending: "/", an extension or nothing. */
const shapeOf = (url: string) => url.replace(ENDING, (_, ending: string) => `*${ending}`);

/** Resolves to undefined if unknown names cannot be told from others, since no two responses to them are alike. */
async function learnAbsent(
  ask: (url: string) => Promise<Sample | undefined>,
  shape: string,
  newWord: () => string,
): Promise<Sample | undefined> {
  const nothing = await ask(shape.replace('*', newWord()));
  if (!nothing || nothing.status >= 300) return nothing;
  const other = await ask(shape.replace('*', newWord()));
  return other && isAbsent(other, nothing) ? nothing : undefined;
}

/** Error pages of one status are the same, even if they show the time or the number of the request. */
const isAbsent = (sample: Sample, nothing: Sample) =>
  sample.status === nothing.status && (sample.status >= 400 || isLike(sample, nothing));
