import { type Answer, html, json, type Routes, readJson, redirect, type Visit } from '../answer.ts';
import { escapeHtml, page } from '../page.ts';
import { createShelf, isAdmin } from '../services.ts';

const LONGEST = 500;
const MOST_ENTRIES = 40;

type Write = (entry: string) => string;

/** The flaw: stored XSS, because the entry is not escaped. */
const asItCame: Write = (entry) => entry;

const listOf = (entries: readonly string[], write: Write) =>
  `<ul>${entries.map((entry) => `<li>${write(entry)}</li>`).join('\n')}</ul>`;

function bookRoutes(path: string, title: string, write: Write): Routes {
  const entries = createShelf<string>(MOST_ENTRIES);
  return {
    [`GET ${path}`]: (visit) => {
      const form = `<form method="post" action="${path}"><input name="entry"> <button>Write</button></form>`;
      return html(page(visit, { title, content: form + listOf(entries.all(), write) }));
    },
    [`POST ${path}`]: ({ form }) => {
      entries.put((form.get('entry') ?? '').slice(0, LONGEST));
      return redirect(path);
    },
  };
}

function reviewRoutes(name: string, write: Write): Routes {
  const entries = createShelf<string>(MOST_ENTRIES);
  return {
    [`GET /${name}`]: (visit) => html(page(visit, { title: 'What others say', content: listOf(entries.all(), write) })),
    [`POST /api/${name}`]: (visit) => {
      if (visit.customer === undefined) return json({ error: 'sign in first' }, 401);
      const id = entries.put(String(readJson(visit)?.text ?? '').slice(0, LONGEST));
      return json({ id }, 201);
    },
  };
}

export function forAdmin(handler: (visit: Visit) => Answer): (visit: Visit) => Answer {
  return (visit) => {
    if (isAdmin(visit.customer)) return handler(visit);
    if (visit.customer === undefined) return redirect('/login');
    return html(page(visit, { title: 'Closed', content: '<p>This is for the staff.</p>' }), 403);
  };
}

function feedbackRoutes(path: string, inbox: string, write: Write): Routes {
  const entries = createShelf<string>(MOST_ENTRIES);
  return {
    [`POST ${path}`]: (visit) => {
      entries.put((visit.form.get('text') ?? '').slice(0, LONGEST));
      return html(page(visit, { title: 'Thank you', content: '<p>Somebody will read it.</p>' }));
    },
    [`GET ${inbox}`]: forAdmin((visit) => html(page(visit, { title: 'Inbox', content: listOf(entries.all(), write) }))),
  };
}

export function storedRoutes(): Routes {
  return {
    ...bookRoutes('/guestbook', 'Guestbook', asItCame),
    ...bookRoutes('/visitors-book', 'Visitors', escapeHtml),
    ...reviewRoutes('reviews', asItCame),
    ...reviewRoutes('opinions', escapeHtml),
    ...feedbackRoutes('/feedback', '/admin/inbox', asItCame),
    ...feedbackRoutes('/remarks', '/admin/remarks', escapeHtml),
  };
}
