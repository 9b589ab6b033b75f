import type { Answering, Visit } from '../real-runs/targets.ts';

/** One page each; `out` is an origin that is out of scope. */
const ways: readonly ((out: string) => string)[] = [
  (out) =>
    `<a href="${out}/linked?id=1">Out</a><a href="/in" ping="${out}/ping">In</a><map><area href="${out}/area"></map>`,
  (out) => `<base href="${out}/base/"><a href="relative?id=1">Out</a><form action="form"><input name="q"></form>`,
  (out) => `<form action="${out}/get"><input name="q" value="tea"></form>
    <form method="post" action="${out}/post"><input name="q" value="tea"></form>
    <form method="post" action="/in"><input name="q" value="tea"><button formaction="${out}/button">Go</button></form>`,
  (
    out,
  ) => `<img src="${out}/pixel.png" srcset="${out}/double.png 2x"><video poster="${out}/poster.png" src="${out}/video.mp4">
    <track src="${out}/track.vtt"></video><audio src="${out}/audio.mp3"></audio><input type="image" src="${out}/button.png">`,
  (out) => `<iframe src="${out}/frame"></iframe><object data="${out}/object"></object><embed src="${out}/embed">`,
  (out) =>
    `<script src="${out}/script.js"></script><script type="module">import("${out}/module.js").catch(() => 0)</script>`,
  (out) => `<meta http-equiv="refresh" content="0; url=${out}/refreshed?id=1">`,
  (out) => `<style>@import url("${out}/import.css"); body { background: url(${out}/background.png) }</style>
    <p style="background: url(${out}/inline.png)"></p><svg><image href="${out}/image.svg"/><use href="${out}/use.svg#a"/></svg>`,
  (out) => `<link rel="stylesheet" href="${out}/style.css"><link rel="prefetch" href="${out}/prefetch">
    <link rel="preconnect" href="${out}"><link rel="dns-prefetch" href="${out}"><link rel="preload" as="script" href="${out}/preload.js">
    <link rel="manifest" href="${out}/manifest.json"><link rel="icon" href="${out}/icon.png"><link rel="modulepreload" href="${out}/m.js">`,
  (out) => `<script>
    fetch('${out}/api/things?id=1').catch(() => 0);
    fetch('${out}/api/written', { method: 'POST', mode: 'no-cors', body: 'seen' }).catch(() => 0);
    fetch('${out}/graphql', { method: 'POST', body: '{"query":"{ me { id } }"}' }).catch(() => 0);
    try { new XMLHttpRequest().open('GET', '${out}/asked'); navigator.sendBeacon('${out}/beacon', 'seen'); } catch {}
    try { new EventSource('${out}/events'); } catch {}
    try { new WebSocket('${out.replace('http', 'ws')}/socket'); } catch {}
    </script>`,
  (out) => `<script>
    navigator.serviceWorker?.register('/worker.js').catch(() => 0);
    try { new Worker('/worker.js'); new SharedWorker('/worker.js'); } catch {}
    try { window.open('${out}/window'); } catch {}
    setTimeout(() => { location.href = '${out}/moved?id=1'; }, 100);
    </script>`,
  (out) => `<script src="/app.js"></script><a href="${out.replace('http:', '')}/without-scheme">Out</a>
    <a href="${out.replace('//', '\\\\')}/backslashes">Out</a><a href="http://shop.test@${new URL(out).host}/name">Out</a>`,
];

const statuses = [301, 302, 303, 307, 308];

/** Returns documents and scripts that link to the origins, besides the pages. */
function documentsTo(outs: readonly string[]): Record<string, { type: string; body: string }> {
  const json = (body: unknown) => ({ type: 'application/json', body: JSON.stringify(body) });
  const locs = outs.map((out) => `<url><loc>${out}/from-sitemap?id=1</loc></url>`).join('');
  const paths = { '/described': { get: { parameters: [{ name: 'id', in: 'query', schema: { type: 'string' } }] } } };
  const described = { openapi: '3.0.0', info: { title: 'Out', version: '1' }, paths };
  const lines = outs.map(
    (out) => `fetch('${out}/api/of-script?id=1'); const graphql = '${out}/graphql'; importScripts('${out}/imported.js');
      new WebSocket('${out.replace('http', 'ws')}/socket-of-script');\n//# sourceMappingURL=${out}/app.js.map`,
  );
  return {
    '/robots.txt': {
      type: 'text/plain',
      body: outs.map((out) => `Sitemap: ${out}/sitemap.xml\nDisallow: ${out}/hidden`).join('\n'),
    },
    '/sitemap.xml': {
      type: 'application/xml',
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs}</urlset>`,
    },
    '/openapi.json': json({ ...described, servers: outs.map((url) => ({ url })) }),
    '/swagger.json': json({ swagger: '2.0', host: new URL(outs[0] ?? '').host, paths }),
    '/.well-known/openid-configuration': json({
      issuer: outs[0],
      authorization_endpoint: `${outs[0]}/authorise`,
      token_endpoint: `${outs[0]}/token`,
    }),
    '/app.js': { type: 'text/javascript', body: lines.join('\n') },
    '/worker.js': { type: 'text/javascript', body: lines.join('\n') },
  };
}

/** All pages. */
export const pagesOfWays = [
  '/',
  '/in',
  ...ways.map((_, index) => `/way${index}`),
  ...statuses.map((each) => `/leads${each}`),
];

/** Returns a target that tries to lead its visitors to these origins. */
export function createWaysOut(outs: readonly string[]): Answering {
  const documents = documentsTo(outs);
  const headers = {
    link: outs.map((out) => `<${out}/linked.css>; rel=preload; as=style`).join(', '),
    'content-security-policy-report-only': `default-src 'self'; report-uri ${outs[0]}/report`,
    'report-to': JSON.stringify({
      group: 'default',
      max_age: 60,
      endpoints: outs.map((out) => ({ url: `${out}/reports` })),
    }),
  };
  const answer: Answering = ({ url: { pathname } }) => {
    const document = documents[pathname];
    if (document) return { headers: { 'content-type': document.type }, body: document.body };
    const [, status, number = '0'] = /^\/leads(\d{3})(?:-(\d))?$/.exec(pathname) ?? [];
    if (status !== undefined)
      return { status: Number(status), headers: { location: `${outs[Number(number)]}/by-redirect?id=1` } };
    const way = ways[Number(/^\/way(\d+)$/.exec(pathname)?.[1] ?? -1)];
    if (way) return { headers, body: `<title>Way</title><script>'opened'</script>${outs.map(way).join('')}` };
    if (pathname === '/in') return { body: '<title>In</title><p>Still here.' };
    const links = [...pagesOfWays, ...outs.map((_, index) => `/leads302-${index}`)];
    return pathname === '/'
      ? { headers, body: `<title>Ways</title>${links.map((each) => `<a href="${each}">Way</a>`).join(' ')}` }
      : undefined;
  };
  // Closes the connection each time, so that the name is resolved again and may lead elsewhere.
  return async (visit) => {
    const page = await answer(visit);
    return page && { ...page, headers: { ...page.headers, ...(isTurning(visit) && { connection: 'close' }) } };
  };
}

const isTurning = ({ headers }: Visit) => headers.host?.startsWith('turning.') ?? false;
