import type { Server, ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../errors/startup-error.ts';
import { describeError, type Log } from '../platform/log.ts';

export interface Listener {
  port: number;
  /** Accepts no more connections, lets requests in progress finish, then closes the remaining connections. */
  close(finishWithinMs: number): Promise<void>;
}

export interface ListenAddress {
  host: string;
  port: number;
  /** The command line flag that sets the port. */
  flag: '--port' | '--range-port' | '--ops-port';
}

const POLL_MS = 20;

/** Listens on an address. Rejects if the port is in use. */
export async function listen(server: Server, place: ListenAddress, log: Log): Promise<Listener> {
  const sockets = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  let isClosing = false;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.prependListener('request', (_request, response) => {
    inFlight.add(response);
    response.once('close', () => inFlight.delete(response));
    if (isClosing) response.shouldKeepAlive = false;
  });
  const port = await bind(server, place);
  server.on('error', (error) => log.warn('a connection could not be accepted', describeError(error)));
  return {
    port,
    async close(finishWithinMs) {
      isClosing = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const response of inFlight) response.shouldKeepAlive = false;
      const giveUpAt = performance.now() + finishWithinMs;
      while (inFlight.size > 0 && performance.now() < giveUpAt) await sleep(POLL_MS);
      // Includes connections that never sent a request or are still in the TLS handshake.
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Binds the port without serving it. Rejects with the same errors as `listen`. */
export async function holdPort(place: ListenAddress): Promise<{ release(): Promise<void> }> {
  const server = net.createServer();
  await bind(server, place);
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function bind(server: net.Server, { host, port, flag }: ListenAddress): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(explain(error, { host, port, flag }));
    server.once('error', onError);
    server.listen(port, host, () => {
      server.removeListener('error', onError);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function explain(error: NodeJS.ErrnoException, { host, port, flag }: ListenAddress): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(`Port ${port} of ${host} is already in use. Choose another one with ${flag}.`);
    case 'EACCES':
      return new StartupError(`This user may not listen on port ${port}. Choose another one with ${flag}.`);
    case 'EADDRNOTAVAIL':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return new StartupError(
        `${host} is not an address of this machine (${error.code}). Choose another one with --host.`,
      );
    default:
      return error;
  }
}
