import type { Connected } from './connect.ts';
import { type Http2Line, openHttp2Line } from './http2-connection.ts';

/** Which origins are spoken to in HTTP/2, and over which connection. */
export interface Http2Lines {
  /** How many connections there are. */
  open(): number;
  /** The one that is open. */
  to(origin: string): Http2Line | undefined;
  /** Whether to offer it to this origin. */
  isWelcome(origin: string): boolean;
  /** Of several that were opened together, the first stays. */
  adopt(origin: string, connected: Connected): Http2Line;
  /** After the request for which it was opened. */
  keepOne(origin: string, line: Http2Line): void;
  /** It does not work there: from now on HTTP/1.1 is spoken. */
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
    // Whoever has ended a connection once may do so again: it is offered once.
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
