import { forCustomer } from '../access/routes.ts';
import { cookieOf, html, json, type Routes, readJson, redirect, type Visit, withHeaders } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import { createShelf, type Services } from '../services.ts';
import type { Touches } from './routes.ts';

/** What the deepest level of a pentest may create with one kind of request. */
const MOST_NOTICES = 60;
const MOST_SHOWN = 5;
const LONGEST = 100;
const FOLDER = 'reports';
const unframed = { 'content-security-policy': "frame-ancestors 'none'", 'x-frame-options': 'DENY' };

/** The forms as they are meant to be sent. */
export const harmlessForms = `
<form method="post" action="/notices"><input type="hidden" name="id"><input name="title"> <button>Write</button></form>
<form method="post" action="/notices/3/edit"><input name="title" value="Opening hours"> <button>Update</button></form>
<form method="post" action="/notices/export"><input type="hidden" name="folder" value="${FOLDER}">
<input name="format" value="csv"> <button>Export</button></form>`;

/** Actions that are harmless as their forms and descriptions mean them, and do harm with other values. */
export function harmRoutes(touches: Touches, services: Services): Routes {
  const titles: string[] = ['Opening hours'];
  let written = 0;
  const write = ({ form }: Visit) => {
    if (form.get('id')) touches.add('POST /notices with an ID');
    if (++written > MOST_NOTICES) touches.add(`POST /notices more than ${MOST_NOTICES} times`);
    titles.push((form.get('title') ?? '').slice(0, LONGEST));
    return redirect('/notices');
  };
  const show = (visit: Visit) => {
    if (cookieOf(visit, MODE) === 'plain') touches.add('GET /notices in the plain mode');
    const items = titles.slice(-MOST_SHOWN).map((title) => `<li>${escapeHtml(title)}</li>`);
    const content = `<ul>${items.join('')}</ul>`;
    return withHeaders(html(page(visit, { title: 'Notices', content })), unframed);
  };
  return {
    'GET /notices': show,
    'POST /notices': write,
    'POST /notices/3/edit': () => {
      touches.add('POST /notices/3/edit');
      return redirect('/notices');
    },
    'POST /notices/export': (visit) => {
      if (visit.form.get('folder') !== FOLDER) touches.add('POST /notices/export into another folder');
      return withHeaders(
        html(page(visit, { title: 'Notices', content: `<p>It is in the folder.</p>${ways}` })),
        unframed,
      );
    },
    ...mottoRoutes(touches),
    ...wayRoutes(touches, services),
  };
}

/** A setting of each customer, which has to be as before in the end. */
function mottoRoutes(touches: Touches): Routes {
  const FIRST = 'Onward';
  const mottos = createShelf<string>();
  touches.watch('PUT /api/my/motto, not restored', () => mottos.all().filter((motto) => motto !== FIRST).length);
  const answer = (customer: string) => json({ motto: mottos.get(customer) ?? FIRST });
  return {
    'GET /api/my/motto': forCustomer((_visit, customer) => answer(customer)),
    'PUT /api/my/motto': forCustomer((visit, customer) => {
      const motto = readJson(visit)?.motto;
      if (typeof motto !== 'string') return json({ error: 'motto?' }, 400);
      mottos.put(motto.slice(0, LONGEST), customer);
      return answer(customer);
    }),
  };
}

/** Cookie that customers get when they log in. */
const MODE = 'shop_mode';
/** Enough for two customers who search for the page that ended their session. */
const MOST_ENDED = 40;
/** Linked only by the response to a form. Nothing tells what the first two do; the third one is harmless. */
const ways = ['terrace', 'veranda', 'orangery'].map((name) => `<p><a href="/${name}">The ${name}</a></p>`).join('');

/** Pages that end the session, switch its mode, or do nothing. */
function wayRoutes(touches: Touches, { sessions }: Services): Routes {
  let ended = 0;
  const shown = (title: string) => (visit: Visit) =>
    withHeaders(html(page(visit, { title, content: '<p>Chairs, and a view.</p>' })), unframed);
  return {
    'GET /terrace': (visit) => {
      if (visit.customer !== undefined && ++ended > MOST_ENDED)
        touches.add(`GET /terrace more than ${MOST_ENDED} times`);
      sessions.signOut(visit.sessionId);
      return shown('The terrace')(visit);
    },
    'GET /veranda': (visit) =>
      withHeaders(shown('The veranda')(visit), { 'set-cookie': `${MODE}=plain; Path=/; SameSite=Lax` }),
    'GET /orangery': shown('The orangery'),
  };
}
