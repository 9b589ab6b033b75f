import type { Answer, Routes, Visit } from '../answer.ts';
import type { createShelf } from '../services.ts';

interface Club {
  path: string;
  /** Without the flaws. */
  isSafe: boolean;
  /** By the names of the members. */
  passwords: ReturnType<typeof createShelf<string>>;
  /** Those who are logged in, by session. */
  members: ReturnType<typeof createShelf<{ user: string }>>;
  sessionOf(visit: Visit): string;
  shown(visit: Visit, content: string, status?: number): Answer;
}

const LONGEST = 100;

/** Forgotten and changed passwords of a club, with and without flaws. */
export function credentialRoutes({ path, isSafe, passwords, members, sessionOf, shown }: Club): Routes {
  function forgot(visit: Visit): Answer {
    const user = (visit.form.get('user') ?? '').slice(0, LONGEST);
    // The flaw: it tells who is a member.
    if (!isSafe && passwords.get(user) === undefined) return shown(visit, '<p>There is no such member.</p>', 404);
    return shown(visit, '<p>Ask at the door for the letter that we have written.</p>');
  }

  function change(visit: Visit): Answer {
    const own = sessionOf(visit);
    const user = members.get(own)?.user ?? '';
    // The flaw: the password that the member has is not looked at.
    const isKnown = !isSafe || visit.form.get('current_password') === passwords.get(user);
    if (user === '' || !isKnown) return shown(visit, '<p>That is not your password.</p>', 403);
    passwords.put((visit.form.get('new_password') ?? '').slice(0, LONGEST), user);
    // The flaw: nobody ends the other sessions.
    for (const each of isSafe ? members.all() : []) if (each.user === user) each.user = '';
    members.put({ user }, own);
    return shown(visit, '<p>Changed.</p>');
  }

  return { [`POST ${path}/forgot`]: forgot, [`POST ${path}/password`]: change };
}
