import assert from 'node:assert/strict';
import http from 'node:http';
import type { Visitor } from '../http/visitor.ts';

interface ServerEvent {
  event: string;
  data: unknown;
}

/** A page's part in server-sent events. */
export interface EventReader {
  /** All events so far. */
  read: readonly ServerEvent[];
  /** Resolves with the first event, also among those before, for which it is true. */
  next(isWanted: (event: ServerEvent) => boolean): Promise<ServerEvent>;
  closed: Promise<void>;
  isClosed(): boolean;
  close(): void;
}

const WITHIN_MS = 60_000;

export function watchEvents(baseUrl: string, accountId: string, visitor: Visitor): EventReader {
  const read: ServerEvent[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of waiting) each();
  };
  let isClosed = false;
  let rest = '';
  const closed = Promise.withResolvers<void>();
  const close = () => {
    isClosed = true;
    closed.resolve();
    wake();
  };
  const headers = { cookie: visitor.cookie(), accept: 'text/event-stream' };
  const request = http.get(`${baseUrl}/api/accounts/${accountId}/events`, { headers }, (response) => {
    response.setEncoding('utf8').on('data', (chunk: string) => {
      const events = (rest + chunk).split('\n\n');
      rest = events.pop() ?? '';
      read.push(...events.map(parse));
      wake();
    });
    response.on('close', close).on('error', close);
  });
  request.on('error', close);
  return {
    read,
    closed: closed.promise,
    isClosed: () => isClosed,
    close: () => request.destroy(),
    next: (isWanted) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          clearTimeout(timer);
          waiting.delete(look);
          settle();
        };
        const look = () => {
          const found = read.find(isWanted);
          if (found) end(() => resolve(found));
          else if (isClosed) end(() => reject(new assert.AssertionError({ message: failure(read) })));
        };
        const timer = setTimeout(
          () => end(() => reject(new assert.AssertionError({ message: failure(read) }))),
          WITHIN_MS,
        );
        waiting.add(look);
        look();
      }),
  };
}

const failure = (read: readonly ServerEvent[]) => `no such event among ${JSON.stringify(read)}`;

function parse(block: string): ServerEvent {
  const fields = new Map(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string]));
  return { event: fields.get('event') ?? 'message', data: JSON.parse(fields.get('data') ?? 'null') };
}
