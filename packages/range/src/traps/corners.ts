import { html, type Routes } from '../answer.ts';
import { decoys } from '../decoys/decoys.ts';
import { escapeHtml, page } from '../page.ts';
import { stallPages } from '../stalls/routes.ts';
import { harmlessForms } from './harm-routes.ts';
import { traps } from './traps.ts';

/** Labels of forbidden actions whose path does not reveal them. */
const LABELS: Record<string, string> = {
  '/session/end': 'Log out',
  '/account/sign-out': 'Sign out',
  '/pay': 'Pay now',
  '/database/reset': 'Reset everything',
  '/begin': 'Start over',
};

const QUERIES: Record<string, string> = { '/item': '?id=7&action=delete', '/mode': '?security=low' };

const formTo = (path: string, label: string, field = '') =>
  `<form method="post" action="${path}"><input name="reason" value="none">${field} <button>${label}</button></form>`;

function corners(): string {
  const samples: Record<string, string> = {
    '/part': '7',
    '/lookup': 'frank',
    '/warning': 'https://partner.example/',
    '/within': '/search',
  };
  const linked = decoys.filter(({ method, room }) => method === 'GET' && room === undefined);
  const pages = linked.map(({ path, parameter }) =>
    path.includes('{id}')
      ? path.replace('{id}', 'at-all')
      : `${path}${parameter && `?${parameter}=${encodeURIComponent(samples[path] ?? 'tent')}`}`,
  );
  const links = traps
    .filter(({ kind, method, path }) => kind !== 'harmful' && method === 'GET' && !path.startsWith('/api/'))
    .map(({ path }) => [`${path}${QUERIES[path] ?? ''}`, LABELS[path] ?? path.replaceAll('/', ' ').trim()]);
  const items = [
    ...pages.map((path) => [path, path]),
    ...links,
    ['/reviews', 'reviews'],
    ['/opinions', 'opinions'],
    ['/notices', 'notices'],
    ...stallPages.map((path) => [path, path.replaceAll('/', ' ').trim()]),
  ];
  const forms = [
    formTo('/account/close', 'Close my account'),
    formTo('/coins/transfer', 'Transfer'),
    formTo('/do', 'Go', '<input type="hidden" name="action" value="delete">'),
  ];
  const list = items.map(
    ([path = '', words = '']) => `<li><a href="${escapeHtml(path)}">${escapeHtml(words)}</a></li>`,
  );
  return `<ul>${list.join('\n')}</ul>${forms.join('\n')}${harmlessForms}`;
}

export function cornerRoutes(): Routes {
  return { 'GET /aisle/corners': (visit) => html(page(visit, { title: 'Odd corners', content: corners() })) };
}
