import type { Readable } from 'node:stream';
import { FromEngine } from '@sortie/engine';

export interface Received {
  message: FromEngine;
  /** Arrival time on the monotonic clock, so that the worker's processing time is not counted as the engine's. */
  at: number;
}

/** Larger than any legitimate message. Messages are kept in the server's memory until they are read. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
const MAX_WAITING = 8;

interface Lines {
  received: AsyncIterable<Received>;
  /** Ends `received` after the messages that have already arrived. */
  end(): void;
}

/**
 * Reads newline-delimited messages from an engine, with backpressure. At the first malformed line it calls `onNonsense`
 * and stops reading, because the engine can no longer be trusted.
 */
export function readMessages(stream: Readable, onNonsense: () => void): Lines {
  const waiting: Received[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake: (() => void) | undefined;

  function end(): void {
    isOver = true;
    wake?.();
  }

  function refuse(): void {
    stream.destroy();
    end();
    onNonsense();
  }

  stream.on('data', (chunk: Buffer) => {
    if (isOver) return;
    const at = performance.now();
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let newline = rest.indexOf(10); newline !== -1; newline = rest.indexOf(10)) {
      const message = parseLine(rest.subarray(0, newline));
      if (!message) return refuse();
      rest = rest.subarray(newline + 1);
      waiting.push({ message, at });
    }
    if (rest.length > MAX_LINE_BYTES) return refuse();
    if (waiting.length >= MAX_WAITING) stream.pause();
    wake?.();
  });
  stream.on('error', () => undefined);
  return {
    end,
    received: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const next = waiting.shift();
          if (waiting.length === 0) stream.resume();
          if (next) yield next;
          else if (isOver) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    },
  };
}

function parseLine(line: Buffer): FromEngine | undefined {
  if (line.length > MAX_LINE_BYTES) return undefined;
  try {
    return FromEngine.parse(JSON.parse(line.toString()));
  } catch {
    return undefined;
  }
}
