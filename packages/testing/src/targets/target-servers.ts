import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server on loopback that counts connections. */
export interface TargetServer {
  port: number;
  url: string;
  connections(): number;
  close(): Promise<void>;
}

type Listenable = ReturnType<typeof createServer>;

export async function listenAndCount(server: Listenable, host = '127.0.0.1', port = 0): Promise<TargetServer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.listen({ port, host, ipv6Only: true });
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    port: taken,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export const startWebServer = (listener: RequestListener, host?: string, port?: number) =>
  listenAndCount(createHttpServer(listener), host, port);

/** Starts a TCP server whose protocol the test defines. */
export const startBareServer = (onSocket: (socket: Socket) => void, host?: string, port?: number) =>
  listenAndCount(createServer(onSocket), host, port);
