import type { Connected } from './connect.ts';
import { type Http2Line, openHttp2Line } from './http2-connection.ts';

/** HTTP/2 connections by origin, and the origins with which HTTP/2 does not work. */
export interface Http2Lines {
  /** Returns the number of open connections. */
  open(): number;
  /** Returns the open connection to an origin. */
  to(origin: string): Http2Line | undefined;
  /** Whether to offer HTTP/2 to this origin. */
  isWelcome(origin: string): boolean;
  /** Opens a session on the connection. If several are opened concurrently, the pool keeps the first. */
  adopt(origin: string, connected: Connected): Http2Line;
  /**
   * Call it after the request for which a connection was opened: retires the connection if the pool keeps another one.
   */
  keepOne(origin: string, line: Http2Line): void;
  /** HTTP/2 does not work with this origin: uses HTTP/1.1 from now on. */
  giveUp(origin: string, line: Http2Line): void;
  close(): void;
}

export function createHttp2Lines(isAllowed: boolean, headerBytes: number): Http2Lines {
  const lines = new Map<string, Http2Line>();
  const unwelcome = new Set<string>();
  const all = new Set<Http2Line>();
  return {
    open: () => all.size,
    to(origin) {
      const line = lines.get(origin);
      return line?.isOpen() && !unwelcome.has(origin) ? line : undefined;
    },
    // A server that closed a connection may do so again, so HTTP/2 is offered only once.
    isWelcome: (origin) => isAllowed && !unwelcome.has(origin) && (lines.get(origin)?.isOpen() ?? true),
    adopt(origin, connected) {
      const line = openHttp2Line(origin, connected, headerBytes);
      if (!lines.has(origin)) lines.set(origin, line);
      all.add(line);
      line.session.once('close', () => all.delete(line));
      return line;
    },
    keepOne(origin, line) {
      if (lines.get(origin) !== line) line.retire();
    },
    giveUp(origin, line) {
      unwelcome.add(origin);
      line.retire();
    },
    close() {
      for (const line of all) line.hangUp();
      lines.clear();
    },
  };
}
