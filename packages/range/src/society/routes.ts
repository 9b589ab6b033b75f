import type { Routes } from '../answer.ts';
import { tableRoutes, voyageRoutes } from './flows.ts';
import { noticeRoutes } from './notices.ts';
import { hamperRoutes, printRoutes, voucherRoutes } from './orders.ts';
import { passRoutes, permitRoutes } from './permits.ts';
import { ledgerRoutes, lockerRoutes, paperRoutes, shelfRoutes } from './secrets.ts';
import { forMembers, room, type Society } from './society.ts';

const ROOMS = [
  'prints',
  'hampers',
  'vouchers',
  'voyages',
  'tables',
  'papers',
  'ledgers',
  'shelves',
  'boxes',
  'notices',
  'permits',
  'passes',
];

function society(place: Society): Routes {
  const { path } = place;
  const links = ROOMS.map((name) => `<li><a href="${path}/${name}">${name}</a></li>`).join('\n');
  return {
    [`GET ${path}`]: forMembers(() => room('The society', `<ul>${links}</ul>`)),
    ...printRoutes(place),
    ...hamperRoutes(place),
    ...voucherRoutes(place),
    ...voyageRoutes(place),
    ...tableRoutes(place),
    ...paperRoutes(place),
    ...ledgerRoutes(place),
    ...shelfRoutes(place),
    ...lockerRoutes(place),
    ...noticeRoutes(place),
    ...permitRoutes(place),
    ...passRoutes(place),
  };
}

export const societyRoutes = (): Routes => ({
  ...society({ path: '/society', isSafe: false }),
  ...society({ path: '/fellowship', isSafe: true }),
});
