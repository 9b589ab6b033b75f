import {
  type Asking,
  defineSiteCheck,
  type Known,
  type Nonce,
  type Observation,
  type PlannedRequest,
  type Site,
  type SiteCheck,
} from '../active-check.ts';
import type { InventoryItem } from '../crawl/inventory.ts';
import { requestOf } from '../crawl/write-request.ts';
import { isSame, toAnswer } from '../oracle/compare.ts';
import { compareAll, isGiven, shows } from '../oracle/private-content.ts';
import { freshly, marksOf, readsOnly } from './accounts.ts';
import { type Jwt, openJwt } from './jwt.ts';

/** Where a target tells a token from none, and as whom it was met. */
interface TokenPlace {
  item: InventoryItem;
  as: string;
}

/** A way to forge, at a place where that can be seen. */
interface Variant<Way> {
  way: Way;
  place?: TokenPlace;
}

interface TokenCheck<Way>
  extends Pick<SiteCheck, 'id' | 'title' | 'cwe' | 'cvss' | 'why' | 'fix' | 'maxRequests' | 'lab'> {
  ways: readonly Way[];
  /** Those worth trying with this token; all of them without it. */
  waysFor?(jwt: Jwt, site: Site, asking: Asking): Promise<readonly Way[]>;
  /** What must be taken for the account's token if there is the flaw, and what must not. */
  forge(jwt: Jwt, way: Way, nonce: Nonce): string;
  control(jwt: Jwt, way: Way, nonce: Nonce): string;
  /** What else the answer to the account has to show. */
  isShownBy?(good: Observation, way: Way): boolean;
}

const LABELS = {
  good: 'with the token of the account',
  forged: 'with a token that nobody was given',
  control: 'with a token that has to be refused',
  nobody: 'without any token',
  again: 'with the token of the account, again',
} as const;

const MOST_PLACES = 3;

/** A check of how a site looks at tokens: one that was forged must be taken for that of the account, another one not. */
export function defineTokenCheck<Way>(check: TokenCheck<Way>): SiteCheck<Variant<Way>> {
  const { ways, waysFor, forge, control, isShownBy, ...texts } = check;
  return defineSiteCheck<Variant<Way>>({
    ...texts,
    risk: 'harmless',
    appliesTo: (site, known) => candidatesAt(site, known).length > 0,
    variants: ways.map((way) => ({ way })),
    async probe(site, nonce, asking) {
      const found = await findPlace(site, asking);
      const possible = found ? ((await waysFor?.(found.jwt, site, asking)) ?? ways) : [];
      for (const way of found ? possible : []) {
        const answer = await sendWith(asking, found?.place, (jwt) => forge(jwt, way, nonce));
        if (answer && isGiven(answer) && found) return [{ way, place: found.place }];
      }
      return [];
    },
    placeOf: ({ origin }, { place }) => place?.item.url ?? origin,
    proof: {
      plan: (_site, { way, place }, nonce) =>
        place
          ? planAt(place, {
              forged: (jwt) => forge(jwt, way, nonce),
              control: (jwt) => control(jwt, way, nonce),
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

/** Where an account may have shown a token. */
export function candidatesAt({ origin }: Site, { inventory }: Known): TokenPlace[] {
  return inventory
    .filter((item) => item.url.startsWith(`${origin}/`) && item.method === 'GET' && readsOnly(item))
    .flatMap((item) => (item.seenAs === null ? [] : [{ item, as: item.seenAs }]));
}

/** In the place of each JSON Web Token that the account shows; what else it shows stays. */
export const inPlaceOf = (forge: (jwt: Jwt) => string) => (credential: string) => {
  const jwt = openJwt(credential);
  return jwt ? forge(jwt) : credential;
};

/** No token any more, but of the same length. */
const garbled = ({ signed, signature }: Jwt) =>
  `${signed.replace(/\..*$/s, (claims) => claims.replace(/\w/g, 'A'))}.${signature}`;

async function sendWith(asking: Asking, place: TokenPlace | undefined, forge: (jwt: Jwt) => string) {
  if (!place) return undefined;
  const { item, as } = place;
  return toAnswer(await asking.ask(freshly(requestOf(item)), as, { change: inPlaceOf(forge) }));
}

/** The first place where a token makes a difference. */
async function findPlace(site: Site, asking: Asking): Promise<{ place: TokenPlace; jwt: Jwt } | undefined> {
  for (const place of candidatesAt(site, asking.known).slice(0, MOST_PLACES)) {
    const credentials = await asking.credentialsOf(place.as, place.item.url);
    const jwt = credentials.map(openJwt).find((each) => each !== undefined);
    if (!jwt) continue;
    const good = toAnswer(await asking.ask(freshly(requestOf(place.item)), place.as));
    const bad = await sendWith(asking, place, garbled);
    if (good && bad && isGiven(good) && !isSame(good, bad)) return { place, jwt };
  }
  return undefined;
}

function planAt(
  { item, as }: TokenPlace,
  forging: Record<'forged' | 'control', (jwt: Jwt) => string>,
): PlannedRequest[] {
  const request = freshly(requestOf(item));
  return [
    { label: LABELS.good, request, as },
    { label: LABELS.forged, request, as, showing: { change: inPlaceOf(forging.forged) } },
    { label: LABELS.control, request, as, showing: { change: inPlaceOf(forging.control) } },
    { label: LABELS.nobody, request, as: null },
    { label: LABELS.again, request, as },
  ];
}

function judgeAt(answers: ReadonlyMap<string, Observation>, ofAccount: readonly string[]) {
  const compared = compareAll(answers, LABELS);
  if (!compared) return 'VOID';
  const { good, forged, control, nobody, again } = compared;
  // The session has ended, or the page changes by itself: then nothing can be told from it.
  if (!isGiven(good) || !isSame(good, again)) return 'VOID';
  const refused = [control, nobody];
  if (refused.some((answer) => isSame(answer, good))) return 'REFUTED';
  const marks = ofAccount.filter((mark) => shows(good.text, mark) && !refused.some(({ text }) => shows(text, mark)));
  const isTaken = isGiven(forged) && (isSame(forged, good) || marks.some((mark) => shows(forged.text, mark)));
  return isTaken ? 'PROVED' : 'REFUTED';
}
