import {
  type Answer,
  decode,
  html,
  json,
  type Routes,
  readJson,
  redirect,
  type Visit,
  withHeaders,
} from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import type { Services } from '../services.ts';
import { type Fetched, fetchFromInside } from './outside.ts';

const PARTNER = 'https://partner.example';

const stay = (visit: Visit) =>
  html(page(visit, { title: 'Leaving the shop', content: '<p class="problem">We do not know that place.</p>' }), 400);

/** Returns whether a browser would stay on the shop's origin. */
const isOwnPath = (path: string) =>
  URL.parse(path, 'http://range.invalid')?.host === 'range.invalid' && path.startsWith('/');
const isPartner = (address: string) => URL.parse(address)?.origin === PARTNER;

export function redirectRoutes(): Routes {
  const value = ({ query }: Visit, name: string) => query.get(name) ?? '';
  const to = (visit: Visit, place: string, isAllowed: boolean) => (isAllowed ? redirect(place, 302) : stay(visit));
  const moved = (visit: Visit, isAllowed: boolean) => {
    if (!isAllowed) return stay(visit);
    const head = `<meta http-equiv="refresh" content="0; url=${escapeHtml(value(visit, 'to'))}">`;
    return html(page(visit, { title: 'We have moved', content: '<p>One moment.</p>', head }));
  };
  const choose = (visit: Visit, check: (path: string) => boolean) => {
    const back = visit.form.get('back') ?? '';
    return check(back) ? withHeaders(redirect(back), { 'set-cookie': 'language=en; Path=/' }) : stay(visit);
  };

  return {
    /** The flaws: the check looks at the text instead of the parsed URL. */
    'GET /partner-shop': (visit) => to(visit, value(visit, 'url'), value(visit, 'url').startsWith(PARTNER)),
    'GET /partner-page': (visit) => to(visit, value(visit, 'url'), isPartner(value(visit, 'url'))),
    'GET /go': (visit) => to(visit, value(visit, 'next'), value(visit, 'next').startsWith('/')),
    'GET /forth': (visit) => to(visit, value(visit, 'next'), isOwnPath(value(visit, 'next'))),
    'GET /moved': (visit) => moved(visit, true),
    'GET /gone': (visit) => moved(visit, isPartner(value(visit, 'to'))),
    'POST /language/choose': (visit) => choose(visit, () => true),
    'POST /language/pick': (visit) => choose(visit, isOwnPath),
  };
}

/** Writes a response without validating header values (CRLF injection). */
function written(status: string, lines: readonly string[], body: string): Answer {
  const head = [
    'content-type: text/html; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  return {
    status: 0,
    headers: {},
    body: '',
    raw: `HTTP/1.1 ${status}\r\n${[...lines, ...head].join('\r\n')}\r\n\r\n${body}`,
  };
}

export function headerRoutes(): Routes {
  const code = ({ query }: Visit) => query.get('code') ?? 'EUR';
  const currency = (visit: Visit) => page(visit, { title: 'Currency', content: '<p>We count in that now.</p>' });
  const forgotten = (visit: Visit, host: string) => {
    const link = `http://${escapeHtml(host)}/new-password?token=made-up`;
    const content = `<p>We have written to you. The letter says: <a href="${link}">${link}</a></p>`;
    return html(page(visit, { title: 'Forgotten', content }));
  };
  return {
    'GET /currency': (visit) => written('200 OK', [`set-cookie: currency=${code(visit)}; Path=/`], currency(visit)),
    'GET /coins': (visit) =>
      withHeaders(html(currency(visit)), { 'set-cookie': `currency=${encodeURIComponent(code(visit))}; Path=/` }),
    'GET /old/{id}': ({ id }) => written('302 Found', [`location: /${decode(id)}`], ''),
    'GET /former/{id}': ({ id }) => redirect(`/${encodeURIComponent(decode(id))}`, 302),
    'GET /forgotten': (visit) =>
      forgotten(visit, String(visit.headers['x-forwarded-host'] ?? visit.headers.host ?? 'shop.example')),
    'GET /forgot-it': (visit) => forgotten(visit, 'shop.example'),
  };
}

export function fetchingRoutes({ mayCall, lookUp }: Services): Routes {
  const allowed = async (address: string): Promise<Fetched> =>
    isPartner(address) ? fetchFromInside(address, []) : { problem: 'we do not fetch that' };
  const anything = (address: string) => fetchFromInside(address, mayCall, lookUp);
  const preview = (get: typeof anything) => async (visit: Visit) => {
    const fetched = await get(String(readJson(visit)?.url ?? ''));
    return json(fetched, 'content' in fetched ? 200 : 400);
  };
  const check = (get: typeof anything) => async (visit: Visit) => {
    const fetched = await get(visit.query.get('src') ?? '');
    const content = 'content' in fetched ? '<p>That is no picture.</p>' : '<p>Nobody answered.</p>';
    return html(page(visit, { title: 'Picture', content }));
  };
  return {
    'POST /api/links/preview': preview(anything),
    'POST /api/links/check': preview(allowed),
    'GET /picture-check': check(anything),
    'GET /picture-test': check(allowed),
  };
}
