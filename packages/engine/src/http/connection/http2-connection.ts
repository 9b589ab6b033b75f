import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { createSlots, type Slots } from '../limits/slots.ts';
import type { Connected } from './connect.ts';

/** An HTTP/2 connection that concurrent requests share. */
export interface Http2Connection extends Connected {
  session: ClientHttp2Session;
  /** Limits concurrent streams to `MOST_STREAMS`, or to fewer if the server's settings say so. */
  slots: Slots;
  isOpen(): boolean;
  /** Counts body bytes, received or expected, so that all other bytes can be told apart. */
  noteBody(bytes: number): void;
  /** Returns the bytes sent and received since the last call. */
  takeBytes(): number;
  /** Accepts no more requests; those in flight may finish. */
  retire(): void;
  close(): void;
}

/** Conservative: servers allow 100 concurrent streams and more. */
export const MOST_STREAMS = 32;
/**
 * Flow-control window of a stream. Small, because this much of an abandoned body may still arrive and counts against
 * the byte budget.
 */
export const WINDOW_BYTES = 65_535;
const CONNECTION_WINDOW_BYTES = 16 * WINDOW_BYTES;
/**
 * HTTP/2 counts 32 bytes of overhead per header (RFC 9113 §6.5.2). This limit leaves room for them; `headerBytes`
 * itself is enforced when the response arrives, as for HTTP/1.1.
 */
const LETTERS_TO_SIZE = 4;
const MOST_HEADERS = 4_096;
/** Control frames, and bytes outside of bodies: more than any well-behaved server sends. */
const MOST_IDLE_FRAMES = 200;
const MOST_IDLE_BYTES = 2_000_000;
const LOOK_EVERY_MS = 100;
const ignore = () => {};

/** Closes a connection whose server floods us with control frames or bytes outside of bodies. */
function closeOnFlood(
  connection: Pick<Http2Connection, 'session' | 'socket' | 'close'>,
  bodyBytes: () => number,
): void {
  let frames = 0;
  const count = () => {
    if (++frames > MOST_IDLE_FRAMES) connection.close();
  };
  for (const event of ['ping', 'remoteSettings', 'altsvc', 'origin']) connection.session.on(event, count);
  const timer = setInterval(() => {
    if (connection.socket.bytesRead - bodyBytes() > MOST_IDLE_BYTES) connection.close();
  }, LOOK_EVERY_MS);
  connection.session.once('close', () => clearInterval(timer));
}

/** Opens an HTTP/2 session on a checked connection that negotiated `h2`. */
export function openHttp2Connection(origin: string, connected: Connected, headerBytes: number): Http2Connection {
  const { socket } = connected;
  const session = connectHttp2(origin, {
    createConnection: () => socket,
    settings: {
      enablePush: false,
      initialWindowSize: WINDOW_BYTES,
      maxHeaderListSize: headerBytes * LETTERS_TO_SIZE,
    },
    maxHeaderListPairs: MOST_HEADERS,
    strictFieldWhitespaceValidation: false,
  });
  let isRetired = false;
  let bodyBytes = 0;
  let countedBytes = 0;
  const mostStreams = () => Math.max(1, Math.min(MOST_STREAMS, session.remoteSettings?.maxConcurrentStreams ?? 1));
  const connection: Http2Connection = {
    ...connected,
    session,
    slots: createSlots(mostStreams),
    isOpen: () => !isRetired && !session.closed && !session.destroyed,
    noteBody(bytes) {
      bodyBytes += bytes;
    },
    takeBytes() {
      const bytes = socket.bytesRead + socket.bytesWritten - countedBytes;
      countedBytes += bytes;
      return bytes;
    },
    retire() {
      isRetired = true;
      session.close();
    },
    close() {
      isRetired = true;
      session.destroy(undefined, constants.NGHTTP2_CANCEL);
      socket.destroy();
    },
  };
  session.on('error', ignore).on('frameError', ignore);
  session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
  closeOnFlood(connection, () => bodyBytes);
  return connection;
}
