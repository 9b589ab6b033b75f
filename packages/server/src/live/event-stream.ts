import { PassThrough, type Readable } from 'node:stream';
import type { LiveChange } from '@sortie/contract';

/** A client that does not read is disconnected. It reconnects, and then reads everything again. */
const MOST_UNREAD_BYTES = 64 * 1024;

/** Changes in quick succession are combined into one event. */
const BETWEEN_EVENTS_MS = 500;

export interface EventStream {
  body: Readable;
  ready(): void;
  tell(change: LiveChange): void;
  beat(): void;
  /** Ends the stream. With a reason, the client gets it first and does not reconnect at once. */
  end(reason?: 'NO_ACCESS'): void;
}

/** Creates a stream of server-sent events. The client waits for `retry` milliseconds before it reconnects. */
export function createEventStream(onClosed: () => void): EventStream {
  const body = new PassThrough();
  let waiting = new Map<string, LiveChange>();
  let pause: NodeJS.Timeout | undefined;

  function send(event: string, data: unknown): void {
    if (body.writableEnded || body.destroyed) return;
    body.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (body.writableLength + body.readableLength > MOST_UNREAD_BYTES) body.destroy();
  }

  function flush(): void {
    pause = undefined;
    if (waiting.size === 0) return;
    const changes = [...waiting.values()];
    waiting = new Map();
    send('changed', changes);
    pause = setTimeout(flush, BETWEEN_EVENTS_MS);
  }

  body.on('error', () => undefined);
  body.on('close', () => {
    clearTimeout(pause);
    onClosed();
  });
  return {
    body,
    ready() {
      body.write('retry: 3000\n');
      send('ready', {});
    },
    tell(change) {
      waiting.set(`${change.topic} ${change.id}`, change);
      if (pause === undefined) flush();
    },
    beat: () => send('beat', {}),
    end(reason) {
      if (reason !== undefined) send('end', { reason });
      body.end();
    },
  };
}
