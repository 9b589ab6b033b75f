import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, text, withHeaders } from './answer.ts';
import { type IdOf, usualIds } from './ids.ts';
import { knowsNobody, type LookUp } from './look-up.ts';
import { createRouter } from './router.ts';
import { notFound, shopRoutes } from './routes.ts';
import { createSessions } from './sessions.ts';
import { openShopDatabase } from './shop-database.ts';
import { openAreas } from './whole.ts';

const MAX_BODY_BYTES = 16_384;

export interface ShopOptions {
  /** Returns the token that is published now. */
  verification?: () => string | undefined;
  /** With all areas, not only the first five flaws. */
  isWhole?: boolean;
  /** Defaults to the usual ids. */
  idOf?: IdOf;
  /** `127.0.0.1:PORT`: the only servers that the shop really connects to when a flaw makes it do so. */
  mayCall?: readonly string[];
  /** Resolves host names. */
  lookUp?: LookUp;
  /** Implements the sleep of time-based flaws. */
  wait?: (milliseconds: number) => Promise<unknown>;
  now?: () => number;
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const MOST_HELD = 64;
const HELD_MS = 120_000;
const DRIP_MS = 1_000;

/** Holds responses open for requests that never finish, limited in number and time. */
function createWaitingRoom() {
  const held = new Set<ServerResponse>();
  return (response: ServerResponse) => {
    const [oldest] = held;
    if (held.size >= MOST_HELD) oldest?.destroy();
    held.add(response);
    const ending = setTimeout(() => response.destroy(), HELD_MS).unref();
    response.on('close', () => {
      clearTimeout(ending);
      held.delete(response);
    });
  };
}

function write(response: ServerResponse, { status, headers, body, raw, isDripping }: Answer): void {
  if (raw !== undefined) response.socket?.end(raw);
  else if (!isDripping) response.writeHead(status, headers).end(body);
  else {
    response.writeHead(status, headers).write(body);
    const dripping = setInterval(() => response.write('.'), DRIP_MS).unref();
    response.on('close', () => clearInterval(dripping));
  }
}

/** Returns the shop as a server that does not listen yet. */
export function createShop(options: ShopOptions = {}): Server {
  const { verification = () => undefined, isWhole = false, idOf = usualIds } = options;
  const { mayCall = [], lookUp = knowsNobody, wait = sleep, now = Date.now } = options;
  const sessions = createSessions();
  const database = openShopDatabase(idOf);
  const services = { database, sessions, idOf, mayCall, lookUp, wait, now };
  const areas = isWhole ? openAreas(services) : { routes: {}, alsoGiven: () => [] };
  const { alsoGiven } = areas;
  const front = shopRoutes({ database, sessions, verification, isWhole, alsoGiven });
  const route = createRouter({ ...front, ...areas.routes }, notFound);

  async function answer(request: IncomingMessage): Promise<Answer | undefined> {
    // Absolute-form request targets are treated as the root path.
    const place = request.url?.startsWith('/') ? request.url : '/';
    const url = new URL(`http://range${place}`);
    const body = await readBody(request);
    if (body === undefined) return text('That is too much.\n', 413);
    const known = sessions.read(request.headers.cookie);
    const sessionId = known ?? sessions.start();
    const answered = await route(url.pathname, {
      method: request.method ?? '',
      url: place,
      headers: request.headers,
      query: url.searchParams,
      body,
      form: new URLSearchParams(body.toString()),
      sessionId,
      customer: sessions.customerOf(sessionId),
    });
    if (!answered || known || !String(answered.headers['content-type']).startsWith('text/html')) return answered;
    return withHeaders(answered, { 'set-cookie': sessions.cookie(sessionId), ...answered.headers });
  }

  const hold = createWaitingRoom();
  return createServer(async (request, response) => {
    try {
      const answered = await answer(request);
      if (!answered || answered.isDripping) hold(response);
      if (answered) write(response, answered);
    } catch {
      // An invalid path or an invalid header value must not stop the shop.
      if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('We did not understand that.\n');
    }
  });
}
