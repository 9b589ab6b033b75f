import type { Connected } from './connect.ts';
import { type Http2Connection, openHttp2Connection } from './http2-connection.ts';

/** HTTP/2 connections by origin, and the origins with which HTTP/2 does not work. */
export interface Http2ConnectionPool {
  /** Returns the number of open connections. */
  open(): number;
  /** Returns the open connection to an origin. */
  to(origin: string): Http2Connection | undefined;
  /** Whether to offer HTTP/2 to this origin. */
  isWelcome(origin: string): boolean;
  /** Opens a session on the connection. If several are opened concurrently, the pool keeps the first. */
  adopt(origin: string, connected: Connected): Http2Connection;
  /**
   * Call it after the request for which a connection was opened: retires the connection if the pool keeps another one.
   */
  keepOne(origin: string, connection: Http2Connection): void;
  /** HTTP/2 does not work with this origin: uses HTTP/1.1 from now on. */
  giveUp(origin: string, connection: Http2Connection): void;
  close(): void;
}

export function createHttp2ConnectionPool(isAllowed: boolean, headerBytes: number): Http2ConnectionPool {
  const connections = new Map<string, Http2Connection>();
  const unwelcome = new Set<string>();
  const all = new Set<Http2Connection>();
  return {
    open: () => all.size,
    to(origin) {
      const connection = connections.get(origin);
      return connection?.isOpen() && !unwelcome.has(origin) ? connection : undefined;
    },
    // A server that closed a connection may do so again, so HTTP/2 is offered only once.
    isWelcome: (origin) => isAllowed && !unwelcome.has(origin) && (connections.get(origin)?.isOpen() ?? true),
    adopt(origin, connected) {
      const connection = openHttp2Connection(origin, connected, headerBytes);
      if (!connections.has(origin)) connections.set(origin, connection);
      all.add(connection);
      connection.session.once('close', () => all.delete(connection));
      return connection;
    },
    keepOne(origin, connection) {
      if (connections.get(origin) !== connection) connection.retire();
    },
    giveUp(origin, connection) {
      unwelcome.add(origin);
      connection.retire();
    },
    close() {
      for (const connection of all) connection.close();
      connections.clear();
    },
  };
}
