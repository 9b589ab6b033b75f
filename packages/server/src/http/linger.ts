import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Time for the caller to read the last answer of a connection; one that does not let go after it is cut off. */
const LINGER_MS = 2_000;

/**
 * Ends a connection after its last answer. What still comes is read and dropped for a while: closed at once, the
 * connection would be reset, and the answer could be lost with it (RFC 9112, section 9.6).
 */
export function linger(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** Makes Node, which closes a connection at once after an answer with `connection: close`, linger instead. */
export function lingerAfterAnswer(socket: Socket): void {
  socket.destroySoon = () => linger(socket);
}
