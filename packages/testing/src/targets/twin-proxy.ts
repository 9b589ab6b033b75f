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
      method: request.method,
      path: request.url,
      headers: { ...request.headers, ...length },
    });
    target.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
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

/** Returns the request as sent to the twin; unchanged if it is not for the place of the flaw. */
function asTwin(sent: Sent, flaw: Flaw): Sent {
  const twin = twinOf(flaw);
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
  const [from = parameter, to = name] = [parameter, name].map((each) => each.split(/[./]/).at(-1) ?? each);
  const word = new RegExp(`(?<![\\w-])${from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'gi');
  return location === 'header' ? text.replace(word, to.toLowerCase()) : text.replace(word, to);
}
