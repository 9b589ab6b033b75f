import { type Routes, redirect } from '../answer.ts';
import { createShelf } from '../services.ts';
import { button, field, forMembers, partsOf, refused, room, type Society } from './society.ts';

const MOST = 500;
const MOST_DAYS = 10;

interface Permit {
  id: string;
  member: string;
  status: 'open' | 'filed';
  /** Days that the member has declared. */
  days: number | undefined;
}

interface Office {
  path: string;
  /** Whether a permit without declared days may be filed. */
  isFiledUndeclared: boolean;
  /** Page that files permits without declared days on purpose. */
  counter?: string;
}

/** Members declare the days of a permit, of which there are few, and file it then. */
function office({ path, isFiledUndeclared, counter }: Office): Routes {
  const shelf = createShelf<Permit>(MOST);
  const own = (id: string, member: string) => (shelf.get(id)?.member === member ? shelf.get(id) : undefined);
  const isGranted = ({ days }: Permit) => days !== undefined && days > 0 && days <= MOST_DAYS;
  const counterRoutes: Routes = counter
    ? {
        [`GET ${counter}`]: forMembers((_visit, member) => {
          const open = shelf.all().filter((permit) => permit.member === member && permit.status === 'open');
          const forms = open.map(({ id }) => button(`${path}/${id}/file`, 'File without days'));
          return room('Counter', `<p>For visits of a few hours, no days are needed.</p>${forms.join('')}`);
        }),
      }
    : {};
  return {
    ...counterRoutes,
    [`GET ${path}`]: forMembers(() =>
      room('Permits', `<p>Permits for the harbour.</p>${button(path, 'Begin a permit')}`),
    ),
    [`POST ${path}`]: forMembers((_visit, member) => {
      const permit: Permit = { id: '', member, status: 'open', days: undefined };
      permit.id = shelf.put(permit);
      return redirect(`${path}/${permit.id}`);
    }),
    [`GET ${path}/*`]: forMembers((visit, member) => {
      const permit = own(partsOf(visit)[0], member);
      if (!permit) return refused('This is not your permit.');
      const at = `${path}/${partsOf(visit)[0]}`;
      const declare = button(`${at}/declare`, 'Declare', '<input name="days" type="number" value="5">');
      const form = permit.days === undefined ? declare : isGranted(permit) ? button(`${at}/file`, 'File') : '';
      const link = counter ? `<p><a href="${counter}">Counter</a></p>` : '';
      const facts = `<p>Status: ${permit.status}</p><p>At most ${MOST_DAYS} days are granted.</p>`;
      return room('Permit', `${facts}${permit.status === 'open' ? form : ''}${link}`);
    }),
    [`POST ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const permit = own(id, member);
      if (!permit) return refused('This is not your permit.');
      if (permit.status !== 'open') return refused('It is filed already.', 409);
      if (action === 'declare') {
        permit.days = Number(field(visit, 'days')) || 0;
        return redirect(`${path}/${id}`);
      }
      const isAccepted = isGranted(permit) || (isFiledUndeclared && permit.days === undefined);
      if (action !== 'file' || !isAccepted) return refused('So many days are not granted.', 409);
      permit.status = 'filed';
      return redirect(`${path}/${id}`);
    }),
  };
}

/** The flaw: days that were not declared are not looked at. */
export const permitRoutes = ({ path, isSafe }: Society): Routes =>
  office({ path: `${path}/permits`, isFiledUndeclared: !isSafe });

/** The decoy: the counter files passes without days on purpose, and each pass links to it. */
export const passRoutes = ({ path }: Society): Routes =>
  office({ path: `${path}/passes`, isFiledUndeclared: true, counter: `${path}/counter` });
