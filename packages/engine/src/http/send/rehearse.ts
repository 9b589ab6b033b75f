import { duplexPair } from 'node:stream';
import { Client } from 'undici';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/**
 * Sends a request to itself, over no network. The HTTP library loads its parser with the first connection, and by then
 * this process may not be allowed to read the file any more. Throws when HTTP does not work here.
 */
export async function rehearseHttp(): Promise<void> {
  const [ours, theirs] = duplexPair();
  theirs.once('data', () => theirs.write(ANSWER));
  const client = new Client('http://rehearsal.invalid', {
    connect: (_, callback) => queueMicrotask(() => callback(null, ours as never)),
  });
  const { body } = await client.request({ method: 'POST', path: '/', body: 'ok' });
  await body.dump();
  await client.destroy();
}
