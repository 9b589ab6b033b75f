import type { Answering } from '../real-runs/targets.ts';

const WAYS = ['leave', 'go', 'next'];
const LINKS = [...WAYS.map((way) => `/${way}?to=/menu`), '/file?name=list.txt', '/menu?kind=green', '/shelf?row=3'];

/** A small target with four flaws: three open redirects and one path traversal. Everything else is safe. */
export const teaHouse: Answering = ({ url: { pathname, searchParams } }) => {
  const to = searchParams.get('to');
  if (WAYS.some((way) => pathname === `/${way}`)) return { status: 302, headers: { location: written(to ?? '/') } };
  if (pathname === '/file') return readFile(searchParams.get('name') ?? '');
  if (pathname === '/menu' || pathname === '/shelf')
    return { body: `<title>Tea</title><p>Tea of the house, ${pathname}` };
  if (pathname !== '/') return undefined;
  return { body: `<title>Tea house</title>${LINKS.map((link) => `<a href="${link}">Tea</a>`).join(' ')}` };
};

/** Encodes characters that headers must not contain. */
const written = (location: string) => location.replace(/[^\x21-\x7e]/g, encodeURIComponent);

function readFile(name: string) {
  const headers = { 'content-type': 'text/plain' };
  if (/^(?:\.\/)*list\.txt$/.test(name)) return { headers, body: 'green, black' };
  const isPassword = /^(?:\.\.?\/|\/)*etc\/passwd$/.test(name);
  return isPassword ? { headers, body: 'root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\n' } : undefined;
}
