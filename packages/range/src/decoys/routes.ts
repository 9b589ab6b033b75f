import { decode, html, json, type Routes, redirect, text, type Visit, withHeaders } from '../answer.ts';
import { fetchFromInside } from '../leaving/outside.ts';
import { escapeHtml, page } from '../page.ts';
import type { Services } from '../services.ts';

const ERRORS = `<h2>What errors mean</h2>
<pre>You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax
SQLITE_ERROR: near "'": syntax error
ERROR: unterminated quoted string at or near "'" LINE 1
ORA-01756: quoted string not properly terminated
TypeError: Cannot read properties of undefined
    at handler (/srv/shop/app/server.js:10:5)
root:x:0:0:root:/root:/bin/sh</pre>`;
const FIREWALL = /['"<>`;|$]|\.\.|\b(?:union|select|sleep|and|or)\b/i;
const SLOW_MS = 1_500;
const MOST_FOLLOWED = 5;
const UNEVEN_MS = 2_500;

const chance = () => Math.random();

export function decoyRoutes(services: Services): Routes {
  const value = ({ query }: Visit, name: string) => query.get(name) ?? '';
  const shown = (visit: Visit, title: string, content: string, status = 200) =>
    html(page(visit, { title, content }), status);
  return {
    'GET /help/errors': (visit) => shown(visit, 'Help', ERRORS),
    'GET /help/search': (visit) =>
      shown(visit, 'Help', `<p>You asked for ${escapeHtml(value(visit, 'q'))}.</p>${ERRORS}`),
    'GET /watched': async (visit) => {
      const addresses = [...decode(visit.url).matchAll(/https?:\/\/[^\s&"'<>]+/g)].map(([address]) => address);
      for (const address of addresses.slice(0, MOST_FOLLOWED))
        await fetchFromInside(address, services.mayCall, services.lookUp);
      return shown(visit, 'Watched', '<p>Somebody looks after us.</p>');
    },
    'GET /slow': async (visit) => {
      await services.wait(SLOW_MS);
      return shown(visit, 'Slow', '<p>Good things take a while.</p>');
    },
    'GET /uneven': async (visit) => {
      if (chance() < 0.3) await services.wait(chance() * UNEVEN_MS);
      return shown(visit, 'Uneven', '<p>Some days are better.</p>');
    },
    'GET /mirror': (visit) =>
      shown(visit, 'Mirror', `<p title="${escapeHtml(value(visit, 'text'))}">${escapeHtml(value(visit, 'text'))}</p>`),
    'GET /plain': (visit) => withHeaders(text(value(visit, 'text')), { 'x-content-type-options': 'nosniff' }),
    'GET /api/mirror': (visit) =>
      withHeaders(json({ text: value(visit, 'text') }), { 'x-content-type-options': 'nosniff' }),
    'GET /anything/*': (visit) => shown(visit, 'Anything', '<p>Whatever you look for, it is not far.</p>'),
    'GET /news': (visit) => {
      const lines = ['Tents are in', 'Pegs are out', 'Rain is on'].sort(() => chance() - 0.5);
      const items = lines.map((line) => `<li>${line} (${Math.floor(chance() * 1e9)})</li>`);
      return shown(visit, `News ${new Date().toISOString()}`, `<ul>${items.join('')}</ul>`);
    },
    'GET /fortune': (visit) =>
      shown(visit, 'Fortune', chance() < 0.5 ? '<p>You will find three tents.</p>' : '<p>Nothing of that kind.</p>'),
    'GET /guarded': (visit) =>
      FIREWALL.test(value(visit, 'code'))
        ? shown(visit, 'Blocked', '<p>Your request looked odd.</p>', 403)
        : shown(visit, 'Guarded', '<p>Come in.</p>'),
    'GET /fragile': (visit) =>
      /^[\w\s-]*$/.test(value(visit, 'code'))
        ? shown(visit, 'Fragile', '<p>All in one piece.</p>')
        : shown(visit, 'Broken', '<p>Internal server error.</p>', 500),
    'GET /part': (visit) => {
      const number = Number.parseInt(value(visit, 'number'), 10);
      return Number.isNaN(number)
        ? shown(visit, 'Part', '<p>No such part.</p>', 404)
        : shown(visit, 'Part', `<p>Part ${number} fits.</p>`);
    },
    'GET /warning': (visit) =>
      shown(
        visit,
        'You are leaving',
        `<p>Do you want to go to ${escapeHtml(value(visit, 'to'))}? We do not know it.</p>`,
      ),
    'GET /lookup': (visit) => {
      const [start = '', ...rest] = value(visit, 'name').split('*');
      const found = ['frank', 'grace', 'fred'].filter((name) =>
        rest.length > 0 ? name.startsWith(start) : name === start,
      );
      return shown(visit, 'Look up (* stands for anything)', `<p>${found.join(', ') || 'Nobody.'}</p>`);
    },
    'GET /api/public/hours': () => withHeaders(json({ monday: '9-17' }), { 'access-control-allow-origin': '*' }),
    'GET /help/example': (visit) =>
      shown(visit, 'Example', '<pre>curl -u demo:password https://api.example/ -H "key: AKIAIOSFODNN7EXAMPLE"</pre>'),
    'GET /length': (visit) => shown(visit, 'Length', `<p>${value(visit, 'text').length} characters</p>`),
    'GET /within': (visit) => redirect(`/warning?to=${encodeURIComponent(decode(value(visit, 'next')))}`, 302),
  };
}
