import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Time for the client to read the last response of a connection before the connection is destroyed. */
const LINGER_MS = 2_000;

/**
 * Closes a connection after its last response. Reads and discards data that still arrives for a while: an immediate
 * close would reset the connection, and the response could be lost (RFC 9112, section 9.6).
 */
export function linger(socket: Duplex, lastWords = ''): void {
  socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
}

/** Delays the close of a connection after a response with `connection: close`, which Node would close immediately. */
export function lingerAfterAnswer(socket: Socket): void {
  socket.destroySoon = () => linger(socket);
}
