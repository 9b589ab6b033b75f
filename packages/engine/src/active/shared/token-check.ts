import type { InventoryItem } from '../../crawl/inventory/inventory.ts';
import { requestOf } from '../../crawl/requests/write-request.ts';
import { isSame, toAnswer } from '../../oracle/compare.ts';
import { compareAll, isGiven, shows } from '../../oracle/private-content.ts';
import { type Asking, defineSiteCheck, type Known, type Site, type SiteCheck } from '../define-active-check.ts';
import type { Answers, Nonce, Observation, Verdict } from '../experiment.ts';
import { freshly, marksOf, readsOnly } from './accounts.ts';
import { createKeyPair, type Jwt, type KeyPair, openJwt } from './jwt.ts';

/** A request whose response depends on the token, and the account that saw it. */
export interface TokenPlace {
  item: InventoryItem;
  as: string;
}

/** A way to forge a token, and a place where it can be tested. */
interface Variant<Way> {
  way: Way;
  place?: TokenPlace;
  /** Replaces all tokens by one forged from the first of them; without it, each is forged from itself. */
  isFromFirst?: boolean;
}

interface TokenCheck<Way>
  extends Pick<
    SiteCheck,
    'id' | 'title' | 'cwe' | 'cvss' | 'cvss4' | 'impact' | 'asvs' | 'why' | 'fix' | 'references' | 'maxRequests' | 'lab'
  > {
  /** Texts that differ for this way. */
  describe?(way: Way): ReturnType<NonNullable<SiteCheck['describe']>>;
  ways: readonly Way[];
  /** Resolves to the ways worth trying with this token. Without it all ways are tried. */
  waysFor?(jwt: Jwt, site: Site, asking: Asking): Promise<readonly Way[]>;
  /**
   * `forge` returns a token that is accepted only if the flaw exists, `control` one that must be rejected. Each proof has
   * a key pair that the target does not know, made when first asked for.
   */
  forge(jwt: Jwt, way: Way, nonce: Nonce, keyPair: () => KeyPair): string;
  control(jwt: Jwt, way: Way, nonce: Nonce, keyPair: () => KeyPair): string;
  /** For people: how the forged token was made. */
  forgery(way: Way): string;
  /** Further condition on the account's own response. */
  isShownBy?(good: Observation, way: Way): boolean;
  /** Whether an accepted token leaves room for another explanation. */
  isOnlyLikely?(way: Way): boolean;
}

/** A site can use several kinds of tokens, each verified by different code. */
const MOST_KINDS = 16;
/** Requests tried per kind, until one depends on the token. */
const MOST_PLACES = 3;

/** Defines a check for token verification: the target has to accept a forged token and reject the control. */
export function defineTokenCheck<Way>(check: TokenCheck<Way>): SiteCheck<Variant<Way>, TokenPlan> {
  const { ways, waysFor, forge, control, forgery, isShownBy, isOnlyLikely, describe, ...texts } = check;
  return defineSiteCheck({
    ...texts,
    risk: 'harmless',
    appliesTo: (site, known) => candidatesAt(site, known).length > 0,
    variants: ways.map((way): Variant<Way> => ({ way })),
    ...(describe && { describe: ({ way }: Variant<Way>) => describe(way) }),
    async probe(site, nonce, asking) {
      const found: Variant<Way>[] = [];
      const keyPair = createKeyPair();
      for (const { place, jwt, isOneOfSeveral } of await asking.memory.once(findPlaces, site.origin, asking)) {
        const tried = (await waysFor?.(jwt, site, asking)) ?? ways;
        // A site may compare an account's tokens only with each other.
        const variants: Variant<Way>[] = tried.flatMap((way) => [
          { way, place },
          ...(isOneOfSeveral ? [{ way, place, isFromFirst: true }] : []),
        ]);
        found.push(...(await firstTaken(variants, (own, way) => forge(own, way, nonce, keyPair), asking)));
      }
      return found;
    },
    placeOf: ({ origin }, { place }) => place?.item.url ?? origin,
    proof: {
      plan(_site, { way, place, isFromFirst }, nonce) {
        const keyPair = createKeyPair();
        return (
          place &&
          planAt(place, forgery(way), {
            forged: inPlaceOf((jwt) => forge(jwt, way, nonce, keyPair), isFromFirst),
            control: inPlaceOf((jwt) => control(jwt, way, nonce, keyPair), isFromFirst),
          })
        );
      },
      judge(answers, { way, place }, _nonce, _site, facts) {
        if (!place) return 'VOID';
        const isShown = isShownBy?.(answers.good, way) ?? true;
        const verdict = isShown ? judgeAt(answers, marksOf(facts, place.as)) : 'REFUTED';
        return verdict === 'PROVED' && isOnlyLikely?.(way) ? 'LIKELY' : verdict;
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

/**
 * Replaces each JWT among the account's credentials, in one request, by one forged from itself or from the first of
 * them; others stay unchanged.
 */
export function inPlaceOf(forge: (jwt: Jwt) => string, isFromFirst = false): (credential: string) => string {
  let first: Jwt | undefined;
  return (credential) => {
    const jwt = openJwt(credential);
    if (!jwt) return credential;
    first ??= jwt;
    return forge(isFromFirst ? first : jwt);
  };
}

/** An invalid token of the same length. */
const garbled = ({ signed, signature }: Jwt) =>
  `${signed.replace(/\..*$/s, (claims) => claims.replace(/\w/g, 'A'))}.${signature}`;

async function sendWith(asking: Asking, { item, as }: TokenPlace, change: (credential: string) => string) {
  return toAnswer(await asking.ask(freshly(requestOf(item)), as, { change }));
}

async function firstTaken<Way>(
  variants: readonly Variant<Way>[],
  forge: (jwt: Jwt, way: Way) => string,
  asking: Asking,
): Promise<Variant<Way>[]> {
  for (const variant of variants) {
    const { way, place, isFromFirst } = variant;
    const change = inPlaceOf((jwt) => forge(jwt, way), isFromFirst);
    const answer = place && (await sendWith(asking, place, change));
    if (answer && isGiven(answer)) return [variant];
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
  const bad = await sendWith(asking, place, inPlaceOf(garbled));
  if (!bad || !isGiven(bad)) return bad !== undefined;
  const good = toAnswer(await asking.ask(freshly(requestOf(place.item)), place.as));
  return good !== undefined && isGiven(good) && !isSame(good, bad);
}

function planAt(
  { item, as }: TokenPlace,
  forgery: string,
  { forged, control }: Record<'forged' | 'control', (credential: string) => string>,
) {
  const request = freshly(requestOf(item));
  return {
    good: { label: "with the account's token", request, as, isControl: true },
    forged: { label: `with a forged token (${forgery})`, request, as, session: { showing: { change: forged } } },
    control: {
      label: 'with an invalid token',
      request,
      as,
      isControl: true,
      session: { showing: { change: control } },
    },
    nobody: { label: 'without any token', request, as: null, isControl: true },
    again: { label: "with the account's token, repeated", request, as, isControl: true },
  };
}

type TokenPlan = ReturnType<typeof planAt>;

function judgeAt(answers: Answers<TokenPlan>, ofAccount: readonly string[]): Verdict {
  const compared = compareAll(answers);
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
