import { hangUp, type Line } from './dispatch.ts';

/** Connections that wait for another request to the same origin. */
export interface Lines {
  /** One that has not waited longer: the longer it has, the likelier the other side has left it. */
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
