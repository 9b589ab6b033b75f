import { duplexPair } from 'node:stream';
import { Client } from 'undici';

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/**
 * Sends a request to itself, without a network. The HTTP library loads its parser with the first connection, when this
 * process may no longer be allowed to read the file. Throws if HTTP does not work in this process.
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
