import { forCustomer } from '../access/routes.ts';
import { html, json, type Routes, readJson, redirect, type Visit, withHeaders } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import { createShelf } from '../services.ts';
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
export function harmRoutes(touches: Touches): Routes {
  const titles: string[] = ['Opening hours'];
  let written = 0;
  const write = ({ form }: Visit) => {
    if (form.get('id')) touches.add('POST /notices with an ID');
    if (++written > MOST_NOTICES) touches.add(`POST /notices more than ${MOST_NOTICES} times`);
    titles.push((form.get('title') ?? '').slice(0, LONGEST));
    return redirect('/notices');
  };
  const show = (visit: Visit) => {
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
      return withHeaders(html(page(visit, { title: 'Notices', content: '<p>It is in the folder.</p>' })), unframed);
    },
    ...mottoRoutes(touches),
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
