import type { IncomingMessage, ServerResponse } from 'node:http';
import { startWebServer, type TargetServer } from '../targets/target-servers.ts';

/** A request received by a test target. */
export interface Visit {
  method: string;
  url: URL;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Page {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** A test target and the requests it received. */
export interface RealTarget extends TargetServer {
  visits: Visit[];
}

/** Returns undefined for 404; a promise that never resolves simulates a server that hangs. */
export type Answering = (visit: Visit) => Page | undefined | Promise<Page | undefined>;

export async function startRealTarget(answer: Answering, host?: string): Promise<RealTarget> {
  const visits: Visit[] = [];
  const server = await startWebServer(async (request, response) => {
    const visit = await readVisit(request);
    visits.push(visit);
    send(response, (await answer(visit)) ?? { status: 404, body: 'Nothing is here.' });
  }, host);
  return { ...server, visits };
}

async function readVisit(request: IncomingMessage): Promise<Visit> {
  // Keeps the path exactly as sent.
  const url = URL.parse(`http://target${request.url}`) ?? new URL('http://target/unreadable');
  const { method = '', headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return { method, url, headers, body: Buffer.concat(chunks).toString() };
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: Page): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
}

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

/** Returns many pages with one parameter each: enough work to be interrupted. */
export function createLibrary(shelves: number): Answering {
  const links = Array.from(
    { length: shelves },
    (_, shelf) => `<li><a href="/shelf${shelf}?book=${shelf}">Shelf ${shelf}</a>`,
  );
  return ({ url: { pathname } }) => {
    if (pathname === '/') return { body: `<title>Library</title><ul>${links.join('')}</ul>` };
    return /^\/shelf\d+$/.test(pathname) ? { body: `<title>Shelf</title><p>Books stand on ${pathname}.` } : undefined;
  };
}
