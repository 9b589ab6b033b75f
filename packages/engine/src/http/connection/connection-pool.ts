import { type Connection, closeConnection } from './dispatch.ts';

/** Pool of idle HTTP/1.1 connections by origin. */
export interface ConnectionPool {
  /**
   * Returns a connection that has been idle for at most `mostIdleMs`; older ones have likely been closed by the server.
   */
  take(origin: string, mostIdleMs: number): Connection | undefined;
  keep(origin: string, connection: Connection): void;
  close(): void;
}

export function createConnectionPool(): ConnectionPool {
  const idle = new Map<string, Set<Connection>>();
  return {
    take(origin, mostIdleMs) {
      const connections = idle.get(origin);
      for (const connection of connections ?? []) {
        connections?.delete(connection);
        const isGood = !connection.socket.destroyed && performance.now() - connection.idleSince <= mostIdleMs;
        if (isGood) return connection;
        closeConnection(connection);
      }
      return undefined;
    },
    keep(origin, connection) {
      if (connection.socket.destroyed) return;
      const connections = idle.get(origin) ?? new Set();
      connection.idleSince = performance.now();
      idle.set(origin, connections.add(connection));
      if (connection.uses === 1) connection.socket.once('close', () => connections.delete(connection));
    },
    close() {
      for (const connection of [...idle.values()].flatMap((connections) => [...connections]))
        closeConnection(connection);
      idle.clear();
    },
  };
}
