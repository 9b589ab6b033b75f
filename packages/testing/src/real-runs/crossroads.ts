import type { Answering } from './targets.ts';

/** The places that the crossroads link to, besides the target itself. */
export interface Roads {
  /** May be visited, but not tested. */
  neighbour: string;
  /** Must not be visited: a test server listens at the first one, and none at the others. */
  refused: string[];
  /** For protocols other than HTTP: must receive nothing. */
  udpPort: number;
}

export const TOKEN = 'token-of-the-crossroads';
export const EXCLUDED = '/private';

/** Loaded by the browser from the neighbour whenever it opens a page to verify script injection. */
export const LOADED = ['/frame', '/pixel.png', '/script.js'];

const LINKS = [
  '/show?q=hello',
  `${EXCLUDED}/list?id=1`,
  '/%70rivate/encoded?id=1',
  '/open/../private/climbing?id=1',
  '/open/%2e%2e/private/dots?id=1',
  '//private/../private//slashes?id=1',
  '/to-private',
  '/to-neighbour',
  '/to-refused',
];

/** Returns a target with many links and redirects to places that are out of scope. */
export function createCrossroads({ neighbour, refused, udpPort }: Roads): Answering {
  const show = pageOfResources({ neighbour, refused, udpPort });
  const outside = [neighbour, ...refused].map((origin) => `<a href="${origin}/linked?id=1">Elsewhere</a>`);
  const inside = LINKS.map((link) => `<a href="${link}">Here</a>`);
  const form = `<form action="${neighbour}/form"><input name="q"></form>`;
  const redirects: Record<string, string> = {
    '/to-private': `${EXCLUDED}/by-redirect?id=1`,
    '/to-neighbour': `${neighbour}/by-redirect?id=1`,
    '/to-refused': `${refused[0]}/by-redirect?id=1`,
  };
  return ({ url: { pathname, searchParams }, headers }) => {
    const isKnown = headers.authorization === `Bearer ${TOKEN}`;
    const q = searchParams.get('q') ?? '';
    const location = redirects[pathname];
    if (location !== undefined) return { status: 302, headers: { location } };
    // The value comes last, because the browser leaves a page as soon as the proof succeeds.
    if (pathname === '/show' || (pathname === '/mine' && isKnown)) return { body: `${show}<p>${q}</p>` };
    if (pathname === '/robots.txt') {
      return { headers: { 'content-type': 'text/plain' }, body: `User-agent: *\nDisallow: ${EXCLUDED}/robots\n` };
    }
    if (pathname !== '/') return undefined;
    const own = isKnown
      ? '<p>Welcome, this is all yours</p><a href="/mine?q=hello">Mine</a>'
      : '<p>Who goes there?</p>';
    return {
      headers: { 'set-cookie': 'place=crossroads-of-the-test; Path=/' },
      body: `<title>Crossroads</title>${own}${inside.join(' ')}${outside.join(' ')}${form}`,
    };
  };
}

/** Returns resources that a browser loads automatically. */
function pageOfResources({ neighbour, refused, udpPort }: Roads): string {
  const pictures = [
    `${neighbour}/pixel.png`,
    ...refused.map((origin) => `${origin}/pixel.png`),
    `${EXCLUDED}/pixel.png`,
  ];
  const [first = ''] = refused;
  return `
    ${pictures.map((src) => `<img src="${src}">`).join('')}
    <img src="/to-private"><img src="/to-neighbour"><img src="/to-refused">
    <iframe src="${neighbour}/frame"></iframe>
    <link rel="preconnect" href="${first}"><link rel="prefetch" href="${first}/prefetched">
    <script src="${neighbour}/script.js"></script>
    <script>
      fetch('${neighbour}/collect', { method: 'POST', mode: 'no-cors', body: 'seen' }).catch(() => 0);
      fetch('/forged', { headers: { 'X-Sortie-Run': 'pen_of_somebody_else' } }).catch(() => 0);
      try { new WebTransport('https://127.0.0.1:${udpPort}/'); } catch {}
      try { new WebSocket('${first.replace('http', 'ws')}/socket'); } catch {}
      try {
        const urls = ['stun:127.0.0.1:${udpPort}', 'turn:127.0.0.1:${new URL(first).port}?transport=tcp'];
        const peer = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
        peer.createDataChannel('x');
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
      } catch {}
    </script>`;
}
