import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type Answer, text, type Visit } from './answer.ts';
import { notFound, shopRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
import { openShopDatabase } from './shop-database.ts';

const MAX_BODY_BYTES = 16_384;

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The shop as a server that does not listen yet. */
export function createShop({ verification }: { verification?: string | undefined } = {}): Server {
  const sessions = createSessions();
  const routes = shopRoutes(openShopDatabase(), sessions, verification);

  function route(method: string, pathname: string, visit: Omit<Visit, 'id'>): Answer {
    const split = pathname.lastIndexOf('/') + 1;
    const whole = routes[`${method} ${pathname}`];
    const withId = routes[`${method} ${pathname.slice(0, split)}{id}`];
    if (whole) return whole({ ...visit, id: '' });
    return withId ? withId({ ...visit, id: pathname.slice(split) }) : notFound(visit);
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
    // Not a URL of the request's own: what follows the host is all that matters, however odd it is.
    const url = new URL(`http://range${request.url?.startsWith('/') ? request.url : '/'}`);
    const body = await readBody(request);
    if (body === undefined) return text('That is too much.\n', 413);
    const known = sessions.read(request.headers.cookie);
    const sessionId = known ?? sessions.start();
    const { searchParams: query, pathname } = url;
    const visit = { query, form: new URLSearchParams(body), sessionId, customer: sessions.customerOf(sessionId) };
    const { status, headers, body: content } = route(method, pathname, visit);
    const isPage = headers['content-type']?.startsWith('text/html');
    const cookie = known || !isPage ? {} : { 'set-cookie': sessions.cookie(sessionId) };
    return { status, headers: { ...cookie, ...headers }, body: content };
  }

  return createServer(async (request, response) => {
    try {
      const { status, headers, body } = await answer(request);
      response.writeHead(status, headers).end(body);
    } catch {
      // A path that is no URL, or a header that cannot be sent: the shop goes on.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('We did not understand that.\n');
    }
  });
}
