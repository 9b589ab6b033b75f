import type { InventoryItem, Parameter } from '../../../crawl/inventory/inventory.ts';
import { headerOf } from '../../../http/exchange/headers.ts';
import { type Asking, defineRequestCheck } from '../../define-active-check.ts';
import type { Nonce, Observation } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { readsOnly } from '../../shared/accounts.ts';

/** How the address of the attacker is made from the one that is registered. */
type Way = 'other host' | 'longer host' | 'user name' | 'backslash';

const WAYS: Readonly<Record<Way, (known: URL, host: string) => string>> = {
  'other host': (_known, host) => `https://${host}/callback`,
  'longer host': ({ protocol, hostname, pathname }, host) => `${protocol}//${hostname}.${host}${pathname}`,
  'user name': ({ protocol, hostname, pathname }, host) => `${protocol}//${hostname}@${host}${pathname}`,
  backslash: ({ protocol, hostname, pathname }, host) => `${protocol}//${host}\\@${hostname}${pathname}`,
};

const inQuery = ({ parameters }: InventoryItem, name: RegExp) =>
  parameters.find((each) => each.location === 'query' && name.test(each.name));
const addressOf = (item: InventoryItem) => inQuery(item, /^redirect_?ur[il]$/i);
const hostOf = ({ word }: Pick<Nonce, 'word'>) => `${word}.example`;

function requestTo(item: InventoryItem, way: Way, host: string) {
  const parameter = addressOf(item);
  const known = parameter && URL.parse(parameter.value);
  return parameter && known ? requestWith({ item, parameter }, WAYS[way](known, host)) : undefined;
}

/** Returns where the response sends the browser, if it sends a code or a token along. */
function deliveredTo({ request, response }: Pick<Observation, 'request' | 'response'>): string | undefined {
  const location = headerOf(response?.headers ?? [], 'location');
  const target = location === undefined ? null : URL.parse(location, request.url);
  const given = target && new URLSearchParams(`${target.search.slice(1)}&${target.hash.slice(1)}`);
  const isGiven = ['code', 'access_token', 'id_token', 'token'].some((name) => (given?.get(name) ?? '') !== '');
  return target && isGiven ? target.hostname : undefined;
}

const isOfAttacker = (hostname: string | undefined, host: string) =>
  hostname === host || hostname?.endsWith(`.${host}`) === true;

/** Which address gets the code of which account: visitors are sent to the login first. */
interface Variant {
  way: Way;
  as: string | null;
}

const MOST_ACCOUNTS = 2;

async function firstWay(item: InventoryItem, nonce: Nonce, { ask, known }: Asking): Promise<Variant[]> {
  const names = known.accounts.slice(0, MOST_ACCOUNTS).map(({ name }) => name);
  for (const as of item.seenAs === null ? [null, ...names] : [item.seenAs]) {
    for (const way of Object.keys(WAYS) as Way[]) {
      const request = requestTo(item, way, hostOf(nonce));
      if (request && isOfAttacker(deliveredTo(await ask(request, as)), hostOf(nonce))) return [{ way, as }];
    }
  }
  return [];
}

export default defineRequestCheck({
  id: 'oauth-redirect-uri',
  title: 'Open redirect in OAuth: redirect_uri sends codes or tokens to any host',
  cwe: 601,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker receives the authorization code or token of a user who opens a link, and logs in as that user.',
  asvs: '10.4.1',
  needsNoAccount: true,
  why: 'The authorization endpoint does not compare redirect_uri with the addresses that are registered for the client. An attacker sends a link to a logged-in user; the endpoint redirects their browser, with a valid code or token, to the host of the attacker. A redirect_uri on another host got a code or a token; the same address in another parameter did not change the target.',
  fix: 'Register the complete redirect URIs of each client and compare them as exact strings, before anything else. Show an error page instead of redirecting if they differ. Require PKCE, and bind each code to the client and its redirect URI.',
  references: [
    'https://www.rfc-editor.org/rfc/rfc9700#section-2.1',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/05-Authorization_Testing/05-Testing_for_OAuth_Weaknesses',
    'https://cheatsheetseries.owasp.org/cheatsheets/OAuth2_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/601.html',
  ],
  risk: 'harmless',
  depth: 'STANDARD',
  appliesTo: (item) =>
    item.method === 'GET' &&
    readsOnly(item) &&
    inQuery(item, /^client_?id$/i) !== undefined &&
    URL.canParse(addressOf(item)?.value ?? ''),
  variants: [] as Variant[],
  probe: firstWay,
  maxRequests: 20,
  parameterOf: (item) => addressOf(item) as Parameter,
  proof: {
    plan(item, { way, as }, nonce) {
      const request = requestTo(item, way, hostOf(nonce));
      const parameter = addressOf(item);
      if (!request || !parameter) return undefined;
      const plain = requestWith({ item, parameter }, parameter.value);
      const joint = plain.url.includes('?') ? '&' : '?';
      return {
        plain: {
          label: 'authorization as the client asks for it',
          request: plain,
          as,
          answer: { isConfidential: true },
          isControl: true,
        },
        attack: {
          label: 'authorization with redirect_uri on another host',
          request,
          as,
          shows: 'a redirect to that host with a code or a token',
        },
        other: {
          label: 'the same address in another parameter',
          request: {
            ...plain,
            url: `${plain.url}${joint}${nonce.word}=${encodeURIComponent(`https://${hostOf(nonce)}/`)}`,
          },
          as,
          answer: { isConfidential: true },
          isControl: true,
        },
      };
    },
    judge({ plain, attack, other }, _variant, nonce) {
      const host = hostOf(nonce);
      if ([plain, other].some((each) => isOfAttacker(deliveredTo(each), host))) return 'REFUTED';
      return isOfAttacker(deliveredTo(attack), host) ? 'PROVED' : 'REFUTED';
    },
  },
  lab() {
    const known = 'https://partner.test/callback';
    const authorize =
      (isAllowed: (address: string) => boolean) =>
      ({ path }: { path: string }) => {
        const address = new URL(path, 'http://lab').searchParams.get('redirect_uri') ?? '';
        return isAllowed(address)
          ? { status: 302, headers: { location: `${address}?code=4f9a1c` } }
          : { status: 400, body: 'Unknown redirect_uri' };
      };
    return {
      item: {
        method: 'GET',
        url: `/authorize?client_id=till&response_type=code&redirect_uri=${encodeURIComponent(known)}`,
        parameters: [
          { location: 'query', name: 'client_id', value: 'till' },
          { location: 'query', name: 'response_type', value: 'code' },
          { location: 'query', name: 'redirect_uri', value: known },
        ],
        seenAs: 'alice',
        contentType: '',
      },
      vulnerable: authorize((address) => address.startsWith('https://partner.test')),
      safe: authorize((address) => address === known),
    };
  },
});
