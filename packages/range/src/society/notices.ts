import { type Routes, redirect } from '../answer.ts';
import { escapeHtml } from '../page.ts';
import { createShelf, isAdmin } from '../services.ts';
import { button, field, forMembers, refused, room, type Society } from './society.ts';

const MOST = 100;

export function noticeRoutes({ path: home, isSafe }: Society): Routes {
  const path = `${home}/notices`;
  const notices = createShelf<string>(MOST);
  const roleOf = (member: string) => (isAdmin(member) ? 'editor' : 'reader');
  return {
    [`GET ${path}`]: forMembers((_visit, member) => {
      const list = notices.all().map((text) => `<li>${escapeHtml(text)}</li>`);
      const form = button(path, 'Pin', '<input name="text">');
      return room('Notices', `<p>Role: ${roleOf(member)}</p>${form}<ul>${list.join('')}</ul>`);
    }),
    [`POST ${path}`]: forMembers((visit, member) => {
      // The flaw: a role that the request states counts more than that of the member.
      const role = isSafe ? roleOf(member) : field(visit, 'role') || roleOf(member);
      if (role !== 'editor') return refused('Only editors pin notices.');
      notices.put(field(visit, 'text'));
      return redirect(path);
    }),
  };
}
