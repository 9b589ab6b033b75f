import { hangUp, type Line } from './dispatch.ts';

/** Pool of idle HTTP/1.1 connections by origin. */
export interface Lines {
  /**
   * Returns a connection that has been idle for at most `mostIdleMs`; older ones have likely been closed by the server.
   */
  take(origin: string, mostIdleMs: number): Line | undefined;
  keep(origin: string, line: Line): void;
  close(): void;
}

export function createLines(): Lines {
  const idle = new Map<string, Set<Line>>();
  return {
    take(origin, mostIdleMs) {
      const lines = idle.get(origin);
      for (const line of lines ?? []) {
        lines?.delete(line);
        const isGood = !line.socket.destroyed && performance.now() - line.idleSince <= mostIdleMs;
        if (isGood) return line;
        hangUp(line);
      }
      return undefined;
    },
    keep(origin, line) {
      if (line.socket.destroyed) return;
      const lines = idle.get(origin) ?? new Set();
      line.idleSince = performance.now();
      idle.set(origin, lines.add(line));
      if (line.uses === 1) line.socket.once('close', () => lines.delete(line));
    },
    close() {
      for (const line of [...idle.values()].flatMap((lines) => [...lines])) hangUp(line);
      idle.clear();
    },
  };
}
