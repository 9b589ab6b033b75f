import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse, type Settings } from 'node:http2';
import { createServer } from 'node:https';
import { type Issued, issue } from './certificates.ts';
import { listenAndCount, type TargetServer } from './target-servers.ts';

export interface Http2Site extends TargetServer {
  /** Method, path and HTTP version of each request. */
  asked: string[];
  mostAtOnce(): number;
}

export type Http2Listener = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

interface SiteOptions {
  certificate?: Issued;
  settings?: Settings;
  /** Whether HTTP/2 is offered in addition to HTTP/1.1; true by default. */
  offersHttp2?: boolean;
}

/** Starts a site that speaks HTTP/2, and HTTP/1.1 with clients that do not support it. */
export async function startHttp2Site(listener: Http2Listener, options: SiteOptions = {}): Promise<Http2Site> {
  const { certificate = issue({ name: 'site.test', names: ['IP:127.0.0.1'] }), settings, offersHttp2 = true } = options;
  const asked: string[] = [];
  let [atOnce, most] = [0, 0];
  const tls = { key: certificate.keyPem, cert: certificate.pem };
  const server = offersHttp2
    ? createSecureServer({ ...tls, allowHTTP1: true, ...(settings && { settings }) })
    : createServer(tls);
  // Both server types are compatible as far as tests use them.
  server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => {
    asked.push(`${request.method} ${request.url} ${request.httpVersion}`);
    most = Math.max(most, ++atOnce);
    response.on('close', () => atOnce--);
    listener(request, response);
  });
  server.on('sessionError', () => {}).on('tlsClientError', () => {});
  const listening = await listenAndCount(server);
  return { ...listening, url: listening.url.replace('http:', 'https:'), asked, mostAtOnce: () => most };
}
