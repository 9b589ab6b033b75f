import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2';
import { createPlaces, type Slots } from '../limits/slots.ts';
import type { Connected } from './connect.ts';

/** One connection that many requests share. */
export interface Http2Line extends Connected {
  session: ClientHttp2Session;
  /** For requests at once: a few, or fewer where the other side wants it. */
  places: Slots;
  isOpen(): boolean;
  /** Bytes of bodies, read or to be expected, so that what comes besides them can be told. */
  noteBody(bytes: number): void;
  /** Both ways, since this was last asked. */
  takeBytes(): number;
  /** Takes no more requests; those under way may end. */
  retire(): void;
  hangUp(): void;
}

/** Gentle: servers grant a hundred and more. */
export const MOST_STREAMS = 32;
/** So much may still come of a body that nobody wants any more: small, because it counts. */
export const WINDOW_BYTES = 65_535;
const CONNECTION_WINDOW_BYTES = 16 * WINDOW_BYTES;
/** Every header weighs 32 bytes more than its letters here: what is too large is judged by ourselves, as for HTTP/1.1. */
const LETTERS_TO_SIZE = 4;
const MOST_HEADERS = 4_096;
/** Frames that ask for nothing, and bytes that are in no body: more than any honest server sends. */
const MOST_IDLE_FRAMES = 200;
const MOST_IDLE_BYTES = 2_000_000;
const LOOK_EVERY_MS = 100;
const ignore = () => {};

/** Ends a connection that only keeps us busy. */
function watchOver(line: Pick<Http2Line, 'session' | 'socket' | 'hangUp'>, bodyBytes: () => number): void {
  let frames = 0;
  const count = () => {
    if (++frames > MOST_IDLE_FRAMES) line.hangUp();
  };
  for (const event of ['ping', 'remoteSettings', 'altsvc', 'origin']) line.session.on(event, count);
  const timer = setInterval(() => {
    if (line.socket.bytesRead - bodyBytes() > MOST_IDLE_BYTES) line.hangUp();
  }, LOOK_EVERY_MS);
  line.session.once('close', () => clearInterval(timer));
}

/** On a connection that was judged, and on which both sides have agreed on HTTP/2. */
export function openHttp2Line(origin: string, connected: Connected, headerBytes: number): Http2Line {
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
  const line: Http2Line = {
    ...connected,
    session,
    places: createPlaces(mostStreams),
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
    hangUp() {
      isRetired = true;
      session.destroy(undefined, constants.NGHTTP2_CANCEL);
      socket.destroy();
    },
  };
  session.on('error', ignore).on('frameError', ignore);
  session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
  watchOver(line, () => bodyBytes);
  return line;
}
