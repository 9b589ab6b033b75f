import type { Sender } from '../../../engine/src/http/exchange/sender.ts';
import { followRedirects } from '../../../engine/src/http/send/follow.ts';

type ScanSender = Pick<Sender, 'send' | 'follow' | 'openSocket' | 'sharesConnection'>;

/** Maps ports 443 and 80 to the ports of a test server, transparently to the caller. */
export function atUsualPorts(sender: ScanSender, ports: { https: number; http: number }): ScanSender {
  const portOf: Record<string, number> = { 'https:': ports.https, 'http:': ports.http };
  const send: Sender['send'] = async (request) => {
    const url = new URL(request.url);
    const headers = [['host', url.host] as const, ...(request.headers ?? [])];
    const moved = request.url.replace(url.host, `${url.hostname}:${url.port || portOf[url.protocol]}`);
    return { ...(await sender.send({ ...request, url: moved, headers })), request };
  };
  return {
    send,
    follow: (request, maxHops = 5) => followRedirects(request, maxHops, send, undefined),
    openSocket: (request, use) =>
      sender.openSocket({ ...request, port: request.port === 443 ? ports.https : request.port }, use),
    // Requests with an explicit Host header use HTTP/1.1.
    sharesConnection: () => false,
  };
}
