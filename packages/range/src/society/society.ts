import { type Answer, type Handler, html, redirect, type Visit } from '../answer.ts';
import { escapeHtml } from '../page.ts';

/** One of two societies with the same rooms: the first one has the flaws, the other one has not. */
export interface Society {
  path: string;
  isSafe: boolean;
}

const LONGEST = 200;

/** A page of its own look, without links to the shop. */
export function room(title: string, content: string, status = 200): Answer {
  return html(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1>
${content}
</main></body></html>
`,
    status,
  );
}

export const forMembers =
  (handler: (visit: Visit, member: string) => Answer): Handler =>
  (visit) =>
    visit.customer === undefined ? redirect('/login') : handler(visit, visit.customer);

export const refused = (why: string, status = 403): Answer => room('Not possible', `<p>${escapeHtml(why)}</p>`, status);

export const field = ({ form }: Visit, name: string): string => (form.get(name) ?? '').slice(0, LONGEST);

/** Returns the id and the action of a path such as `17/seat`. */
export function partsOf({ id }: Visit): [id: string, action: string] {
  const [thing = '', action = ''] = id.split('/');
  return [thing, action];
}

export const button = (action: string, label: string, fields = '') =>
  `<form method="post" action="${action}">${fields}<button>${label}</button></form>`;
