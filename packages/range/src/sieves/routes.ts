import path from 'node:path/posix';
import { type Answer, decode, html, type Routes, redirect, text, type Visit, withHeaders } from '../answer.ts';
import { readMadeUpFile } from '../made-up-files.ts';
import { escapeHtml, page, table } from '../page.ts';
import { createShelf, type Services, sleepFor } from '../services.ts';
import { runShell } from '../shell/shell.ts';

const FOLDER = '/srv/shop/manuals';
const LONGEST = 600;
const MOST_ENTRIES = 40;

type Read = (value: string) => string;
const asItCame: Read = (value) => value;

const BAD_MOTTO = /[()]|script|<img|<details|onerror|ontoggle/i;
const BAD_HOST = /[\s;&]|\b(?:echo|expr|cat|id|printf)\b/;
const withoutScripts: Read = (value) => value.replace(/<\/?script>|onerror=|ontoggle=/gi, '');
const withoutSql: Read = (value) => value.replace(/and|or|union|select|case|like|--/gi, '');

/** Pages whose filters refuse a value or take something out of it. The flaws: it reaches an interpreter all the same. */
export function sieveRoutes(services: Services): Routes {
  const shown = (visit: Visit, title: string, content: string, status = 200) =>
    html(page(visit, { title, content }), status);
  const asked = ({ query }: Visit, name: string) => query.get(name) ?? '';
  const motto = (write: Read) => (visit: Visit) =>
    BAD_MOTTO.test(asked(visit, 'motto'))
      ? shown(visit, 'A motto', '<p class="problem">We do not carve that.</p>', 403)
      : shown(visit, 'A motto', `<p>It says: ${write(asked(visit, 'motto'))}.</p>`);
  const plan = (isKnown: (name: string) => boolean) => (visit: Visit) => {
    const name = asked(visit, 'file');
    const missing = shown(visit, 'No such plan', '<p>Nobody has drawn that.</p>', 404);
    if (/[/\\]|\.\./.test(name)) return shown(visit, 'Plans', '<p class="problem">That is no plan.</p>', 400);
    const content = isKnown(name) ? readMadeUpFile(path.join(FOLDER, decode(name))) : undefined;
    return content === undefined ? missing : text(content);
  };
  const knock = (write: Read) => async (visit: Visit) => {
    const host = asked(visit, 'host');
    if (BAD_HOST.test(host)) return shown(visit, 'Knock', '<p class="problem">That is no host.</p>', 400);
    const { output, sleepSeconds } = runShell(`ping -c 1 ${write(host)}`);
    await sleepFor(services, sleepSeconds);
    return shown(visit, 'Knock', `<pre>${escapeHtml(output)}</pre>`);
  };
  return {
    'GET /carving': motto(asItCame),
    'GET /engraving': motto(escapeHtml),
    ...plaques('/plaques', asItCame),
    ...plaques('/tablets', escapeHtml),
    'GET /crate': crate(services, (database, category) =>
      database.all(`select name, price from product where is_hidden = 0 and category = '${category}'`),
    ),
    'GET /chest': crate(services, (database, category) =>
      database.all('select name, price from product where is_hidden = 0 and category = ?', category),
    ),
    ...favourites('/larder', (category) =>
      services.database.all(`select name from product where is_hidden = 0 and category = '${category}'`),
    ),
    ...favourites('/pantry', (category) =>
      services.database.all('select name from product where is_hidden = 0 and category = ?', category),
    ),
    /** The decoy. */
    ...favourites('/attic', (wish) => [{ name: `${wish.length} letters, ${wish.split('=').length - 1} equals signs` }]),
    'GET /plans': plan(() => true),
    'GET /charts': plan((name) => ['tent.txt', 'stove.txt'].includes(name)),
    'GET /label': label,
    'GET /tools/knock': knock(asItCame),
    'GET /tools/ring': knock((host) => `'${host.replaceAll("'", `'\\''`)}'`),
  };
}

function plaques(place: string, write: Read): Routes {
  const entries = createShelf<string>(MOST_ENTRIES);
  return {
    [`GET ${place}`]: (visit) => {
      const form = `<form method="post" action="${place}"><input name="text"> <button>Write</button></form>`;
      const list = entries.all().map((entry) => `<li>${write(withoutScripts(entry))}</li>`);
      return html(page(visit, { title: 'Plaques', content: `${form}<ul>${list.join('\n')}</ul>` }));
    },
    [`POST ${place}`]: ({ form }) => {
      entries.put((form.get('text') ?? '').slice(0, LONGEST));
      return redirect(place);
    },
  };
}

type Ask = (database: Services['database'], category: string) => { name: string; price: number }[];

function crate({ database }: Services, ask: Ask): (visit: Visit) => Answer {
  return (visit) => {
    try {
      const found = ask(database, withoutSql(visit.query.get('category') ?? ''));
      const rows = found.map(({ name, price }) => [name, price].map(escapeHtml));
      const content = rows.length === 0 ? '<p>It is empty.</p>' : table(['Product', 'Price'], rows);
      return html(page(visit, { title: 'A crate', content }), rows.length === 0 ? 404 : 200);
    } catch {
      return html(page(visit, { title: 'A crate', content: '<p class="problem">It does not open.</p>' }), 500);
    } finally {
      database.takeSleep();
    }
  };
}

/** The decoy: what the filter leaves is text. */
function label(visit: Visit) {
  const wanted = visit.query.get('text') ?? '';
  const isOdd = /[;|`()]|select/i.test(wanted);
  const left = wanted.replaceAll(/script|and|\.\.\/|on\w+=/gi, '');
  const content = isOdd ? '<p class="problem">Not on a label.</p>' : `<p>It says ${escapeHtml(left)}.</p>`;
  return html(page(visit, { title: 'Label', content }), isOdd ? 403 : left === '' ? 404 : 200);
}

/** A profile that is stored as it came, and a page that looks for products by it. */
function favourites(place: string, find: (category: string) => { name: string }[]): Routes {
  const stored = createShelf<string>();
  const ways = `<p><a href="${place}/profile">Profile</a> <a href="${place}/picks">Picks</a></p>`;
  const forCustomer = (handler: (visit: Visit, favourite: string) => Answer) => (visit: Visit) =>
    visit.customer === undefined ? redirect('/login') : handler(visit, stored.get(visit.customer) ?? 'kitchen');
  const picks = (favourite: string) => {
    try {
      return find(favourite).map(({ name }) => `<li>${escapeHtml(name)}</li>`);
    } catch {
      return [];
    }
  };
  return {
    [`GET ${place}/profile`]: forCustomer((visit, favourite) => {
      const field = `<input name="favourite" value="${escapeHtml(favourite)}">`;
      const form = `<form method="post" action="${place}/profile">${field} <button>Save profile</button></form>`;
      return withHeaders(html(page(visit, { title: 'Your profile', content: form + ways })), {
        'x-frame-options': 'DENY',
      });
    }),
    [`POST ${place}/profile`]: forCustomer((visit) => {
      stored.put((visit.form.get('favourite') ?? '').slice(0, LONGEST), visit.customer);
      return redirect(`${place}/profile`);
    }),
    [`GET ${place}/picks`]: forCustomer((visit, favourite) =>
      html(page(visit, { title: 'For you', content: `<ul>${picks(favourite).join('')}</ul>${ways}` })),
    ),
  };
}
