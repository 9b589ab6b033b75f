import { type Answer, html, redirect, type Visit } from './answer.ts';
import { page } from './page.ts';

export const partners = ['https://partner.example/', 'https://maps.example/hills'];

/** The flaw: open redirect to the given URL. */
export function leaveUnsafely({ query }: Visit): Answer {
  return redirect(query.get('to') ?? '/', 302);
}

export function leave(visit: Visit): Answer {
  const to = visit.query.get('to') ?? '';
  if (partners.includes(to)) return redirect(to, 302);
  const content = '<p class="problem">We do not know that place.</p><p><a href="/">Stay in the shop</a></p>';
  return html(page(visit, { title: 'Leaving the shop', content }), 400);
}
