import type { PageForm } from '../../crawl/effect/page-form.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import type { Session } from './session.ts';

/** Names of fields whose value is valid for one session or one request. */
export const FORM_TOKEN = /csrf|xsrf|token|nonce|authenticity/i;

type Sending = Pick<Session, 'send'>;

/**
 * Returns the session with tokens of its own: before it sends a form with a token, it requests the page of that form,
 * because the token that the crawl has seen belongs to the session of the crawl.
 */
export function withFormTokens<Given extends Sending>(session: Given): Given {
  return {
    ...session,
    async send(request, showing) {
      const body = await bodyWithTokens(request, session);
      return session.send(body === undefined ? request : { ...request, body }, showing);
    },
  };
}

async function bodyWithTokens(
  { method, url, headers = [], body }: Parameters<Sending['send']>[0],
  session: Sending,
): Promise<string | undefined> {
  const isForm = /^application\/x-www-form-urlencoded/i.test(headerOf(headers, 'content-type') ?? '');
  if (method !== 'POST' || !isForm || body === undefined) return undefined;
  const pairs = body.toString().split('&');
  const names = pairs.map(nameIn).filter((name) => FORM_TOKEN.test(name));
  if (names.length === 0) return undefined;
  const { response, request } = await session.send({ method: 'GET', url });
  const forms = response ? readPage(response.body.toString(), request.url).forms : [];
  const tokens = forms.map((form) => tokensOf(form, names)).find((each) => each.size > 0);
  if (!tokens) return undefined;
  return pairs
    .map((pair) => {
      const value = tokens.get(nameIn(pair));
      return value === undefined ? pair : `${pair.split('=')[0]}=${encodeURIComponent(value)}`;
    })
    .join('&');
}

const nameIn = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';

/** Returns the values that the form has for these fields. */
const tokensOf = ({ method, fields }: PageForm, names: readonly string[]): Map<string, string> =>
  new Map(
    fields
      .filter(({ name, type, value }) => method === 'POST' && type === 'hidden' && value !== '' && names.includes(name))
      .map(({ name, value }) => [name, value]),
  );
