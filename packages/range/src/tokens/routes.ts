import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { type Answer, cookieOf, json, type Routes, readJson, text, type Visit } from '../answer.ts';
import { readMadeUpFile } from '../made-up-files.ts';
import type { Services } from '../services.ts';
import {
  type Header,
  isSignedByHmac,
  isSignedByOwnKey,
  isSignedByRsa,
  readToken,
  type SignedToken,
  signByHmac,
  signByRsa,
  writeToken,
} from './jwt.ts';

/** How a service signs its tokens, and which tokens it accepts. */
interface Service {
  header: () => Header;
  sign: (content: string) => Buffer;
  isGood: (token: SignedToken) => boolean;
}

const LIFE_SECONDS = 3_600;
const SHORT_LIFE_SECONDS = 5;
/** Lifetime of a token that is already expired when it is issued as a cookie. */
const ENDED_SECONDS = -3_600;
const WEAK_SECRET = 'secret';

const keyFile = (kid: string | undefined) => (kid === '/dev/null' ? '' : (readMadeUpFile(kid ?? '') ?? ''));

/** Generated on first use, because generation is slow and most requests need no key. */
function createKeys() {
  let pair: { privateKey: KeyObject; publicKey: KeyObject } | undefined;
  return () => {
    pair ??= generateKeyPairSync('rsa', { modulusLength: 2_048 });
    return pair;
  };
}

function createServices(keys: ReturnType<typeof createKeys>, seconds: () => number): Record<string, Service> {
  const isCurrent = ({ claims }: SignedToken) => Number(claims.exp) > seconds();
  const secret = randomBytes(32);
  const isOurs = (token: SignedToken) =>
    token.header.alg === 'HS256' && isSignedByHmac(token, secret) && isCurrent(token);
  const byHmac = { header: () => ({ alg: 'HS256' }), sign: (content: string) => signByHmac(content, secret) };
  const byRsa = { header: () => ({ alg: 'RS256' }), sign: (content: string) => signByRsa(content, keys().privateKey) };
  const isOursByRsa = (token: SignedToken) =>
    token.header.alg === 'RS256' && isSignedByRsa(token, keys().publicKey) && isCurrent(token);
  const pem = () => String(keys().publicKey.export({ type: 'spki', format: 'pem' }));
  const inFile = (kid: string) => ({
    header: () => ({ alg: 'HS256', kid }),
    sign: (content: string) => signByHmac(content, keyFile(kid)),
  });
  const isNone = ({ header }: SignedToken) => /^none$/i.test(String(header.alg));
  return {
    wallet: { ...byHmac, isGood: (token) => (isNone(token) && isCurrent(token)) || isOurs(token) },
    gifts: { ...byHmac, isGood: isCurrent },
    letters: {
      header: byHmac.header,
      sign: (content) => signByHmac(content, WEAK_SECRET),
      isGood: (token) => token.header.alg === 'HS256' && isSignedByHmac(token, WEAK_SECRET) && isCurrent(token),
    },
    parcels: {
      ...byRsa,
      isGood: (token) =>
        isOursByRsa(token) || (token.header.alg === 'HS256' && isSignedByHmac(token, pem()) && isCurrent(token)),
    },
    badges: {
      ...inFile('/srv/shop/settings.ini'),
      isGood: (token) =>
        token.header.kid !== undefined && isSignedByHmac(token, keyFile(token.header.kid)) && isCurrent(token),
    },
    seals: { ...byRsa, isGood: (token) => isOursByRsa(token) || (isSignedByOwnKey(token) && isCurrent(token)) },
    tickets: { ...byHmac, isGood: (token) => token.header.alg === 'HS256' && isSignedByHmac(token, secret) },
    'parcels-vault': { ...byRsa, isGood: isOursByRsa },
    'seals-vault': { ...byRsa, isGood: isOursByRsa },
    ...Object.fromEntries(
      ['wallet', 'gifts', 'letters', 'badges', 'tickets'].map((name) => [
        `${name}-vault`,
        { ...byHmac, isGood: isOurs },
      ]),
    ),
  };
}

export function openTokens({ database, now }: Services) {
  const seconds = () => Math.floor(now() / 1_000);
  const keys = createKeys();
  const services = createServices(keys, seconds);

  function open(visit: Visit): Answer {
    const { username, password, service } = readJson(visit) ?? {};
    const name = String(service ?? 'wallet');
    const found = Object.hasOwn(services, name) ? services[name] : undefined;
    if (!found) return json({ error: 'no such service' }, 400);
    if (!database.isCustomer(String(username), String(password))) return json({ error: 'who are you?' }, 401);
    const life = name.startsWith('tickets') ? SHORT_LIFE_SECONDS : LIFE_SECONDS;
    return json({ token: tokenFor(String(username), name, found, life), type: 'Bearer' });
  }

  function tokenFor(sub: string, aud: string, { header, sign }: Service, life: number): string {
    return writeToken(header(), { sub, aud, exp: seconds() + life }, sign);
  }

  /** API clients send a token in a header; pages of the shop send it in a cookie of the service. */
  function cookiesFor(customer: string): string[] {
    return Object.entries(services).map(([name, service]) => {
      const life = name.startsWith('tickets') ? ENDED_SECONDS : LIFE_SECONDS;
      return `${name}_token=${tokenFor(customer, name, service, life)}; Path=/api/${name}/; HttpOnly; SameSite=Strict`;
    });
  }

  const mine =
    (name: string, { isGood }: Service) =>
    (visit: Visit): Answer => {
      const token = readToken(visit.headers.authorization ?? cookieOf(visit, `${name}_token`));
      if (!token || token.claims.aud !== name || !isGood(token)) return json({ error: 'bring a token' }, 401);
      const { sub } = token.claims;
      return json({ owner: String(sub), email: `${sub}@example.test`, service: name });
    };

  const routes: Routes = {
    'POST /api/session': open,
    'GET /api/jwks.json': () =>
      json({ keys: [{ ...keys().publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] }),
    'GET /jwt.pub': () => text(String(keys().publicKey.export({ type: 'spki', format: 'pem' }))),
    ...Object.fromEntries(Object.entries(services).map(([name, each]) => [`GET /api/${name}/mine`, mine(name, each)])),
  };
  return { routes, cookiesFor };
}
