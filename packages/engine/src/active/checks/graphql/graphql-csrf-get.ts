import { headerOf } from '../../../http/exchange/headers.ts';
import { readJson, textOf } from '../../../oracle/private-content.ts';
import { defineSiteCheck, type Known, type Site } from '../../define-active-check.ts';
import { evenUnanswered } from '../../experiment.ts';

/** An endpoint, and an account with a session there. */
interface Variant {
  url: string;
  as: string;
}

function placesAt({ origin }: Site, { inventory }: Known): string[] {
  const met = inventory
    .filter(
      ({ url, operation }) => url.startsWith(`${origin}/`) && (operation !== undefined || /graphql|gql/i.test(url)),
    )
    .map(({ url }) => url.replace(/[?#].*$/s, ''));
  return [...new Set(met)].slice(0, MOST_PLACES);
}
const MOST_PLACES = 3;

const linkTo = (url: string, query: string) => ({
  method: 'GET',
  url: `${url}?query=${encodeURIComponent(query)}`,
});

/** Returns the type name from the response to a mutation without effect, or undefined if it was not executed. */
function typeIn(text: string): string | undefined {
  const answer = readJson(text) as { data?: { __typename?: unknown } } | null | undefined;
  const type = answer?.data?.__typename;
  return typeof type === 'string' ? type : undefined;
}

export default defineSiteCheck({
  id: 'graphql-csrf-get',
  title: 'GraphQL CSRF: mutations are accepted over GET',
  cwe: 352,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:P/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker executes mutations in the name of every logged-in user who opens a crafted link.',
  asvs: '3.5.3',
  why: 'The GraphQL endpoint executes mutations that arrive as a GET request, with the cookies that browsers attach on cross-site navigation. An attacker who lures a logged-in user to a link changes data in their name. A mutation without effect (__typename) was executed as the test account.',
  fix: 'Accept mutations only over POST with Content-Type: application/json, which other sites cannot send without a CORS preflight. Set SameSite=Lax or Strict on the session cookie.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html',
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
  risk: 'harmless',
  appliesTo: (site, known) => known.accounts.length > 0 && placesAt(site, known).length > 0,
  variants: [] as Variant[],
  async probe(site, _nonce, { ask, known }) {
    const [account] = known.accounts;
    const found: Variant[] = [];
    for (const url of account ? placesAt(site, known) : []) {
      const type = typeIn(textOf(await ask(linkTo(url, QUESTION), null)));
      if (type !== undefined && account) found.push({ url, as: account.name });
    }
    return found;
  },
  maxRequests: 20,
  placeOf: (_site, { url }) => url,
  proof: {
    plan(_site, { url, as }, { word }) {
      const session = { showing: { isCrossSite: true } };
      return {
        account: evenUnanswered({
          label: 'as the account, on the site itself',
          request: linkTo(url, '{__typename}'),
          as,
          isControl: true,
        }),
        query: {
          label: 'mutation over GET with the cookies that a browser sends cross-site',
          request: linkTo(url, QUESTION),
          as,
          session,
        },
        nonsense: {
          label: 'mutation over GET that does not exist',
          request: linkTo(url, `mutation{${word}}`),
          as,
          isControl: true,
          session,
        },
      };
    },
    judge({ query, nonsense }) {
      const isCarriedOut = typeIn(textOf(query)) !== undefined && typeIn(textOf(nonsense)) === undefined;
      if (!isCarriedOut) return 'REFUTED';
      // Without a cookie in the request, a link acts for no account.
      return (headerOf(query.request.headers ?? [], 'cookie') ?? '') === '' ? 'REFUTED' : 'PROVED';
    },
  },
  lab() {
    const headers = {
      'content-type': 'application/json',
      'set-cookie': 'sid=alice; Path=/; SameSite=None; Secure',
    };
    const refusal = { status: 405, headers, body: '{"errors":[{"message":"Mutations need POST"}]}' };
    const answer = ({ path }: { path: string }) =>
      path.includes(encodeURIComponent(QUESTION))
        ? { headers, body: '{"data":{"__typename":"Mutation"}}' }
        : { headers, body: '{"errors":[{"message":"Cannot query that"}]}' };
    return {
      item: {
        method: 'POST',
        url: '/graphql',
        operation: 'query me',
        parameters: [],
        seenAs: 'alice',
        contentType: 'application/json',
      },
      vulnerable: answer,
      safe: () => refusal,
    };
  },
});

const QUESTION = 'mutation{__typename}';
