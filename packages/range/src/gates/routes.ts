import { html, type Routes, type Visit } from '../answer.ts';
import { page } from '../page.ts';
import { forAdmin } from '../scripts/stored-routes.ts';

const LOCAL = /^(?:localhost|127\.0\.0\.1)$/;

/** Pages for the staff; the flaws are in how their guards recognise them. */
export function gateRoutes(): Routes {
  const shown = (title: string, content: string) => (visit: Visit) => html(page(visit, { title, content }));
  const takings = shown('Takings', '<p>Monday: 4711 coins, of which nobody knows twelve.</p>');
  const rota = shown('Rota', '<p>Olivia opens, Niaj sweeps, Mallory counts the pegs.</p>');
  const stock = shown('Stock', '<p>Seven lanterns, forty poles, one leaking canoe.</p>');
  const refusingGet = (handler: (visit: Visit) => ReturnType<typeof takings>) => (visit: Visit) =>
    (/^(?:GET|POST|HEAD)$/.test(visit.method) ? forAdmin(handler) : handler)(visit);
  const closed = forAdmin(shown('Closed', '<p>Closed for good.</p>'));
  return {
    '* /admin/takings': refusingGet(takings),
    '* /admin/ledger': forAdmin(takings),
    'GET /admin/rota': forAdmin(rota),
    'GET /admin/rota/': rota,
    'GET /admin/roster': forAdmin(rota),
    'GET /admin/roster/': forAdmin(rota),
    'GET /admin/stock': (visit) => (LOCAL.test(visit.headers.host ?? '') ? stock : forAdmin(stock))(visit),
    'GET /admin/storage': forAdmin(stock),
    // A decoy: any other verb gets the same page, here and everywhere below.
    '* /admin/archive': (visit) =>
      visit.method === 'GET'
        ? closed(visit)
        : shown('Verbs', '<p>We understand GET only, whatever you look for.</p>')(visit),
    '* /admin/archive/*': shown('Verbs', '<p>We understand GET only, whatever you look for.</p>'),
  };
}
