import { randomBytes } from 'node:crypto';
import { type Routes, redirect, type Visit } from '../answer.ts';
import { escapeHtml } from '../page.ts';
import { createShelf } from '../services.ts';
import { button, field, forMembers, partsOf, refused, room, type Society } from './society.ts';

const MOST = 2_000;
const INPUT = '<input name="text">';

interface Kept {
  member: string;
  text: string;
}

/** Things that only their owner may read at their own address. */
function keeping(path: string, title: string, more = '') {
  const shelf = createShelf<Kept>(MOST);
  const routes: Routes = {
    [`GET ${path}`]: forMembers(() => room(title, `${button(path, 'Keep', INPUT)}${more}`)),
    [`POST ${path}`]: forMembers((visit, member) =>
      redirect(`${path}/${shelf.put({ member, text: field(visit, 'text') })}`),
    ),
  };
  const shown = ({ text }: Kept) => room(title, `<p>${escapeHtml(text)}</p>`);
  function one(visit: Visit, member: string) {
    const kept = shelf.get(partsOf(visit)[0]);
    return kept?.member === member ? shown(kept) : refused('This belongs to another member.');
  }
  return { shelf, routes, one, shown };
}

export function paperRoutes({ path: home, isSafe }: Society): Routes {
  const path = `${home}/papers`;
  const { shelf, routes, one, shown } = keeping(
    path,
    'Papers',
    '<p>For a copy on paper, add ?view=print to the address of a paper.</p>',
  );
  return {
    ...routes,
    [`GET ${path}/{id}`]: forMembers((visit, member) => {
      const kept = shelf.get(visit.id);
      // The flaw: the printed view looks for the paper only.
      return !isSafe && kept && visit.query.get('view') === 'print' ? shown(kept) : one(visit, member);
    }),
  };
}

const TEAMS = ['red', 'blue', 'green', 'white'];
/** Members are in a team by their name, so that it stays the same. */
const teamOf = (member: string) => ({ alice: 'red', bob: 'blue' })[member] ?? TEAMS[2 + (member.length % 2)] ?? 'green';

export function ledgerRoutes({ path: home, isSafe }: Society): Routes {
  const path = `${home}/ledgers`;
  const { shelf, routes, one } = keeping(
    path,
    'Ledgers',
    `<p><a href="${path}/export">Export of your team</a></p>
<p>The teams are ${TEAMS.join(', ')}. An auditor adds ?team= and the name to the address of the export.</p>`,
  );
  return {
    ...routes,
    [`GET ${path}/{id}`]: forMembers(one),
    [`GET ${path}/export`]: forMembers(({ query }, member) => {
      // The flaw: whose export it is depends on the address.
      const team = isSafe ? teamOf(member) : (query.get('team') ?? teamOf(member));
      const own = shelf.all().filter((kept) => teamOf(kept.member) === team);
      return room('Export', `<pre>${own.map(({ text }) => escapeHtml(text)).join('\n')}</pre>`);
    }),
  };
}

export function shelfRoutes({ path: home, isSafe }: Society): Routes {
  const path = `${home}/shelves`;
  const favourites = createShelf<string>(MOST);
  const choose = button(`${path}/favourite`, 'Choose', '<input name="shelf" placeholder="number of a shelf">');
  const { shelf, routes, one, shown } = keeping(
    path,
    'Shelves',
    `${choose}<p><a href="${path}/summary">Your favourite</a></p>`,
  );
  return {
    ...routes,
    [`POST ${path}/favourite`]: forMembers((visit, member) => {
      favourites.put(field(visit, 'shelf'), member);
      return redirect(`${path}/summary`);
    }),
    [`GET ${path}/summary`]: forMembers((_visit, member) => {
      const kept = shelf.get(favourites.get(member) ?? '');
      // The flaw: what was stored is trusted when it is used.
      const isShown = kept && (!isSafe || kept.member === member);
      return isShown ? shown(kept) : room('Shelves', '<p>Choose one of your shelves.</p>');
    }),
    [`GET ${path}/{id}`]: forMembers(one),
  };
}

export function lockerRoutes({ path: home, isSafe }: Society): Routes {
  const path = `${home}/boxes`;
  const spare = createShelf<string>(MOST);
  let next = 100_001;
  const lost = button(`${path}/lost`, 'I have lost my key');
  const { shelf, routes, one, shown } = keeping(path, 'Boxes', lost);
  return {
    ...routes,
    [`POST ${path}/lost`]: forMembers((_visit, member) => {
      // The flaw: the links of all members are numbered.
      const token = isSafe ? `k${randomBytes(16).toString('hex')}` : String(next++);
      return redirect(`${home}/spare/${spare.put(member, token)}`);
    }),
    [`GET ${home}/spare/{id}`]: forMembers(({ id }) => {
      const owner = spare.get(id);
      const kept = shelf.all().findLast(({ member }) => member === owner);
      if (owner === undefined) return refused('There is no such link.', 404);
      return kept ? shown(kept) : room('Boxes', '<p>The box is empty.</p>');
    }),
    [`GET ${path}/{id}`]: forMembers(one),
  };
}
