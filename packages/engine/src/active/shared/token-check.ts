import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { isSame, toAnswer } from '../../oracle/compare.ts';
import { compareAll, isGiven, shows } from '../../oracle/private-content.ts';
import {
  type Asking,
  defineSiteCheck,
  type Known,
  type Nonce,
  type Observation,
  type PlannedRequest,
  type Site,
  type SiteCheck,
} from '../define-active-check.ts';
import { freshly, marksOf, readsOnly } from './accounts.ts';
import { type Jwt, openJwt } from './jwt.ts';

/** A request whose response depends on the token, and the account that saw it. */
interface TokenPlace {
  item: InventoryItem;
  as: string;
}

/** A way to forge a token, and a place where it can be tested. */
interface Variant<Way> {
  way: Way;
  place?: TokenPlace;
  /** Replaces all tokens by one forged from this token; without it, each is forged from itself. */
  from?: Jwt;
}

interface TokenCheck<Way>
  extends Pick<SiteCheck, 'id' | 'title' | 'cwe' | 'cvss' | 'why' | 'fix' | 'references' | 'maxRequests' | 'lab'> {
  ways: readonly Way[];
  /** Resolves to the ways worth trying with this token. Without it all ways are tried. */
  waysFor?(jwt: Jwt, site: Site, asking: Asking): Promise<readonly Way[]>;
  /** `forge` returns a token that is accepted only if the flaw exists, `control` one that must be rejected. */
  forge(jwt: Jwt, way: Way, nonce: Nonce): string;
  control(jwt: Jwt, way: Way, nonce: Nonce): string;
  /** Further condition on the account's own response. */
  isShownBy?(good: Observation, way: Way): boolean;
}

const LABELS = {
  good: "with the account's token",
  forged: 'with the forged token',
  control: 'with an invalid token',
  nobody: 'without any token',
  again: "with the account's token, repeated",
} as const;

/** A site can use several kinds of tokens, each verified by different code. */
const MOST_KINDS = 16;
/** Requests tried per kind, until one depends on the token. */
const MOST_PLACES = 3;

/** Defines a check for token verification: the target has to accept a forged token and reject the control. */
export function defineTokenCheck<Way>(check: TokenCheck<Way>): SiteCheck<Variant<Way>> {
  const { ways, waysFor, forge, control, isShownBy, ...texts } = check;
  return defineSiteCheck<Variant<Way>>({
    ...texts,
    risk: 'harmless',
    appliesTo: (site, known) => candidatesAt(site, known).length > 0,
    variants: ways.map((way) => ({ way })),
    async probe(site, nonce, asking) {
      const found: Variant<Way>[] = [];
      for (const { place, jwt, isOneOfSeveral } of await asking.memory.once(findPlaces, site.origin, asking)) {
        const tried = (await waysFor?.(jwt, site, asking)) ?? ways;
        // A site may compare an account's tokens only with each other.
        const variants: Variant<Way>[] = tried.flatMap((way) => [
          { way, place },
          ...(isOneOfSeveral ? [{ way, place, from: jwt }] : []),
        ]);
        found.push(...(await firstTaken(variants, (own, way) => forge(own, way, nonce), asking)));
      }
      return found;
    },
    placeOf: ({ origin }, { place }) => place?.item.url ?? origin,
    proof: {
      plan: (_site, { way, place, from }, nonce) =>
        place
          ? planAt(place, {
              forged: (jwt) => forge(from ?? jwt, way, nonce),
              control: (jwt) => control(from ?? jwt, way, nonce),
            })
          : [],
      judge(answers, { way, place }, _nonce, _site, known) {
        const good = answers.get(LABELS.good);
        if (!good || !place) return 'VOID';
        const isShown = isShownBy?.(good, way) ?? true;
        return isShown ? judgeAt(answers, marksOf(known, place.as)) : 'REFUTED';
      },
    },
  });
}

/** Returns requests in which an account may have sent a token. */
export function candidatesAt({ origin }: Site, { inventory }: Known): TokenPlace[] {
  return inventory
    .filter((item) => item.url.startsWith(`${origin}/`) && item.method === 'GET' && readsOnly(item))
    .flatMap((item) => (item.seenAs === null ? [] : [{ item, as: item.seenAs }]));
}

/** Replaces each JWT among the account's credentials; others stay unchanged. */
export const inPlaceOf = (forge: (jwt: Jwt) => string) => (credential: string) => {
  const jwt = openJwt(credential);
  return jwt ? forge(jwt) : credential;
};

/** An invalid token of the same length. */
const garbled = ({ signed, signature }: Jwt) =>
  `${signed.replace(/\..*$/s, (claims) => claims.replace(/\w/g, 'A'))}.${signature}`;

async function sendWith(asking: Asking, { item, as }: TokenPlace, forge: (jwt: Jwt) => string) {
  return toAnswer(await asking.ask(freshly(requestOf(item)), as, { change: inPlaceOf(forge) }));
}

async function firstTaken<Way>(
  variants: readonly Variant<Way>[],
  forge: (jwt: Jwt, way: Way) => string,
  asking: Asking,
): Promise<Variant<Way>[]> {
  for (const { way, place, from } of variants) {
    const answer = place && (await sendWith(asking, place, (own) => forge(from ?? own, way)));
    if (answer && isGiven(answer)) return [{ way, place, ...(from && { from }) }];
  }
  return [];
}

interface Found {
  place: TokenPlace;
  jwt: Jwt;
  /** Whether the account sends other tokens there as well. */
  isOneOfSeveral: boolean;
}

/** Resolves to the first request per kind of token whose response depends on it. */
async function findPlaces(origin: string, asking: Asking): Promise<Found[]> {
  const tries = new Map<string, number>();
  const places = new Map<string, Found>();
  for (const place of candidatesAt({ origin }, asking.known)) {
    const credentials = await asking.credentialsOf(place.as, place.item.url);
    const tokens = [...new Set(credentials)].map(openJwt).filter((each) => each !== undefined);
    const [jwt] = tokens;
    if (!jwt) continue;
    const kind = JSON.stringify([jwt.header, jwt.claims.iss, jwt.claims.aud]);
    if (places.has(kind)) continue;
    const tried = tries.get(kind) ?? 0;
    tries.set(kind, tried + 1);
    if (tried >= MOST_PLACES || tries.size > MOST_KINDS) continue;
    if (await makesDifference(place, asking)) places.set(kind, { place, jwt, isOneOfSeveral: tokens.length > 1 });
  }
  return [...places.values()];
}

/** The account itself got a successful response during the crawl, so a refusal is a difference. */
async function makesDifference(place: TokenPlace, asking: Asking): Promise<boolean> {
  const bad = await sendWith(asking, place, garbled);
  if (!bad || !isGiven(bad)) return bad !== undefined;
  const good = toAnswer(await asking.ask(freshly(requestOf(place.item)), place.as));
  return good !== undefined && isGiven(good) && !isSame(good, bad);
}

function planAt(
  { item, as }: TokenPlace,
  forging: Record<'forged' | 'control', (jwt: Jwt) => string>,
): PlannedRequest[] {
  const request = freshly(requestOf(item));
  return [
    { label: LABELS.good, request, as },
    { label: LABELS.forged, request, as, session: { showing: { change: inPlaceOf(forging.forged) } } },
    { label: LABELS.control, request, as, session: { showing: { change: inPlaceOf(forging.control) } } },
    { label: LABELS.nobody, request, as: null },
    { label: LABELS.again, request, as },
  ];
}

function judgeAt(answers: ReadonlyMap<string, Observation>, ofAccount: readonly string[]) {
  const compared = compareAll(answers, LABELS);
  if (!compared) return 'VOID';
  const { good, forged, control, nobody, again } = compared;
  // The session has ended or the page is not stable, so nothing can be concluded.
  if (!isGiven(good) || !isSame(good, again)) return 'VOID';
  const refused = [control, nobody];
  if (refused.some((answer) => isSame(answer, good))) return 'REFUTED';
  const marks = ofAccount.filter((mark) => shows(good.text, mark) && !refused.some(({ text }) => shows(text, mark)));
  const isTaken = isGiven(forged) && (isSame(forged, good) || marks.some((mark) => shows(forged.text, mark)));
  return isTaken ? 'PROVED' : 'REFUTED';
}
