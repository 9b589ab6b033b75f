import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Flaw, twinOf } from '@sortie/range';

export interface TwinProxy {
  origin: string;
  /** From now on, the safe twin of this flaw is served in its place; undefined restores the flaw. */
  repair(flaw: Flaw | undefined): void;
  close(): Promise<void>;
}

interface Sent {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Starts a reverse proxy in front of the range that can exchange one flaw for its safe twin. */
export async function startTwinProxy({ port }: { port: number }): Promise<TwinProxy> {
  let repaired: Flaw | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const sent = { method, url, headers, body: await buffer(incoming) };
    const { body, ...request } = repaired ? asTwin(sent, repaired) : sent;
    const length = request.headers['content-length'] === undefined ? {} : { 'content-length': String(body.length) };
    const target = forward({
      host: '127.0.0.1',
      port,
      // A connection that the range has just closed would fail a request that the engine may not repeat.
      agent: false,
      method: request.method,
      path: request.url,
      headers: { ...request.headers, ...length },
    });
    target.on('response', async (response) => {
      const { statusCode = 502, rawHeaders } = response;
      if (repaired?.spans !== 'folder' && repaired?.location !== 'graphql') {
        outgoing.writeHead(statusCode, rawHeaders);
        return void response.pipe(outgoing);
      }
      const { headers: answered, body: page } = atFlaw(rawHeaders, await buffer(response), repaired);
      outgoing.writeHead(statusCode, answered).end(page);
    });
    target.on('error', () => outgoing.destroy());
    target.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repair: (flaw) => {
      repaired = flaw;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const folderOf = (path: string) => path.replace(/[^/]*$/, '');

const fieldOf = (parameter: string) => parameter.split('.')[0] ?? '';

/**
 * Replaces the folder of the twin by that of the flaw, so that cookies, redirects and links stay in it; in GraphQL, the
 * field of the twin by that which was asked for.
 */
function atFlaw(raw: readonly string[], body: Buffer, { path, safePath, location, parameter, safeParameter }: Flaw) {
  const [of, by] =
    location === 'graphql'
      ? [`"${fieldOf(safeParameter)}"`, `"${fieldOf(parameter)}"`]
      : [folderOf(safePath).slice(0, -1), folderOf(path).slice(0, -1)];
  const moved = (text: string) => text.replaceAll(of, by);
  const page = Buffer.from(moved(body.toString('latin1')), 'latin1');
  const headers = raw.map((text, index) => {
    if (index % 2 === 0) return text;
    const isLength = raw[index - 1]?.toLowerCase() === 'content-length';
    return isLength ? String(page.length) : moved(text);
  });
  return { headers, body: page };
}

/** Returns the request as sent to the twin; unchanged if it is not for the place of the flaw. */
function asTwin(sent: Sent, flaw: Flaw): Sent {
  const twin = twinOf(flaw);
  if (flaw.spans === 'folder') return { ...sent, url: sent.url.replace(folderOf(flaw.path), folderOf(flaw.safePath)) };
  if (flaw.spans === 'guard') return { ...sent, url: sent.url.replace(flaw.path, flaw.safePath) };
  const [path = '', query] = sent.url.split('?');
  const pattern = new RegExp(`^${flaw.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{id}', '([^/]+)')}$`);
  const found = pattern.exec(path);
  if (!found || sent.method !== flaw.method) return sent;
  const twinPath = twin.path.replace('{id}', found[1] ?? '');
  const rename = (text: string) => renamed(text, flaw, twin.parameter);
  const headers = Object.fromEntries(Object.entries(sent.headers).map(([name, value]) => [rename(name), value]));
  const cookie = flaw.location === 'cookie' && headers.cookie ? { cookie: rename(String(headers.cookie)) } : {};
  const body = /^(?:form|json|multipart|graphql)$/.test(flaw.location)
    ? Buffer.from(rename(sent.body.toString('latin1')), 'latin1')
    : sent.body;
  const url = query === undefined ? twinPath : `${twinPath}?${flaw.location === 'query' ? rename(query) : query}`;
  return { ...sent, url, headers: flaw.location === 'header' ? headers : { ...sent.headers, ...cookie }, body };
}

/** Replaces the name of the flaw's parameter where it stands as a whole word. */
function renamed(text: string, { parameter, location }: Flaw, name: string): string {
  if (parameter === name || parameter === '') return text;
  // A field with its arguments; the arguments of both have the same names.
  if (location === 'graphql')
    return text.replace(new RegExp(`\\b${fieldOf(parameter)}(?=\\s*\\()`, 'g'), fieldOf(name));
  const [from = parameter, to = name] = [parameter, name].map((each) => each.split(/[./]/).at(-1) ?? each);
  const word = new RegExp(`(?<![\\w-])${from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'gi');
  return location === 'header' ? text.replace(word, to.toLowerCase()) : text.replace(word, to);
}
