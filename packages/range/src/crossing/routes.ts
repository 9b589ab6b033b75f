import { type Answer, html, json, type Routes, redirect, type Visit, withHeaders } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import { createShelf, type Services } from '../services.ts';

/** Complete, so that these pages do not share the flaw of a policy that is about frames only. */
const unframed = {
  'content-security-policy': "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
};
const hardened = { ...unframed, 'x-content-type-options': 'nosniff' };
const PARTNER = 'https://partner.example';

/** Allows CORS with credentials for the origins that `isAllowed` accepts. */
function readableBy(isAllowed: (origin: string) => boolean, value: (customer: string) => unknown) {
  return ({ customer, headers: { origin } }: Visit): Answer => {
    if (customer === undefined) return json({ error: 'sign in first' }, 401);
    const answer = withHeaders(json(value(customer)), { vary: 'origin' });
    if (origin === undefined || !isAllowed(origin)) return answer;
    return withHeaders(answer, { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' });
  };
}

export function originRoutes(): Routes {
  const onlyPartner = (origin: string) => origin === PARTNER;
  const account = (customer: string) => ({ name: customer, email: `${customer}@example.test` });
  const points = (customer: string) => ({ name: customer, points: 120 });
  const address = (customer: string) => ({ name: customer, address: '1 Meadow Lane' });
  return {
    'GET /api/me': readableBy(() => true, account),
    'GET /api/my-account': readableBy(onlyPartner, account),
    'GET /api/points': readableBy((origin) => origin === 'null' || onlyPartner(origin), points),
    'GET /api/stamps': readableBy(onlyPartner, points),
    'GET /api/address': readableBy((origin) => origin.endsWith('partner.example'), address),
    'GET /api/residence': readableBy(onlyPartner, address),
  };
}

interface Setting {
  path: string;
  name: string;
  first: (customer: string) => string;
  /** The requests that change the setting. */
  takes: 'GET' | 'POST' | 'POST with token';
}

const LONGEST = 100;

export function settingRoutes({ sessions }: Services): Routes {
  const setting = ({ path, name, first, takes }: Setting): Routes => {
    const values = createShelf<string>();
    const notes = createShelf<string>();
    const show = (visit: Visit, customer: string, status = 200) => {
      const content = `
<p>Now: <b>${escapeHtml(values.get(customer) ?? first(customer))}</b> ${escapeHtml(notes.get(customer) ?? '')}</p>
<form method="${takes === 'GET' ? 'get' : 'post'}" action="${path}"><input name="${name}"><input name="note">
<input type="hidden" name="form_token" value="${sessions.formToken(visit.sessionId)}"><button>Change</button></form>`;
      return withHeaders(html(page(visit, { title: 'Your account', content }), status), unframed);
    };
    const handler = (visit: Visit): Answer => {
      const { customer, sessionId, form, query, method } = visit;
      if (customer === undefined) return redirect('/login');
      const value = (takes === 'GET' ? query : form).get(name);
      if (value === null || !takes.startsWith(method)) return show(visit, customer);
      const isForged = takes.endsWith('token') && !sessions.isFormToken(sessionId, form.get('form_token') ?? '');
      if (isForged) return show(visit, customer, 403);
      values.put(value.slice(0, LONGEST), customer);
      notes.put((takes === 'GET' ? query : form).get('note')?.slice(0, LONGEST) ?? '', customer);
      return redirect(path);
    };
    return { [`GET ${path}`]: handler, [`POST ${path}`]: handler };
  };
  const email = { name: 'email', first: (customer: string) => `${customer}@example.test` };
  const often = { name: 'often', first: () => 'monthly' };
  return {
    ...setting({ path: '/account/email', takes: 'POST', ...email }),
    ...setting({ path: '/account/mail', takes: 'POST with token', ...email }),
    ...setting({ path: '/account/newsletter', takes: 'GET', ...often }),
    ...setting({ path: '/account/news', takes: 'POST with token', ...often }),
  };
}

export function framedRoutes(): Routes {
  const settings = (visit: Visit): Answer => {
    if (visit.customer === undefined) return redirect('/login');
    const content = `<p>${escapeHtml(visit.customer)}</p><form method="post" action="/account/email">
<input name="email"><button>Change my address</button></form>`;
    return html(page(visit, { title: 'Your settings', content }));
  };
  return {
    'GET /account/settings': settings,
    'GET /account/options': (visit) => withHeaders(settings(visit), hardened),
  };
}
