import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

interface RawOutcome {
  answers: RawAnswer[];
  /** Bytes that are not part of any response. */
  rest: string;
  /** `open` if the server still held the connection at the deadline. */
  ended: 'closed' | 'reset' | 'open';
}

interface RawOptions {
  /** Half-closes the connection after it has been idle for this long. */
  finishAfterMs?: number;
  /** Resets the connection this long after the last part was sent. */
  cutAfterMs?: number;
  deadlineMs?: number;
}

/** Writes exactly these bytes to a new connection, part by part, and reads until the server closes it. */
export async function sendRaw(
  baseUrl: string,
  parts: readonly (string | Uint8Array)[],
  options: RawOptions = {},
): Promise<RawOutcome> {
  const { finishAfterMs, cutAfterMs, deadlineMs = 60_000 } = options;
  const { hostname, port } = new URL(baseUrl);
  const socket = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
  const received: Buffer[] = [];
  let ended: RawOutcome['ended'] = 'open';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => received.push(chunk));
    socket.once('end', () => {
      ended = 'closed';
      resolve();
    });
    socket.once('error', () => {
      ended = 'reset';
      resolve();
    });
  });
  const stop = new AbortController();
  const elapsed = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {});
  if (finishAfterMs !== undefined) {
    socket.setTimeout(finishAfterMs, () => socket.end());
  }
  for (const part of parts) {
    if (ended !== 'open') break;
    socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    // Sends each part as a separate packet.
    if (parts.length > 1) await elapsed(5);
  }
  await Promise.race([done, elapsed(cutAfterMs ?? deadlineMs)]);
  stop.abort();
  if (cutAfterMs === undefined) socket.destroy();
  else socket.resetAndDestroy();
  return { ...parseAnswers(Buffer.concat(received)), ended };
}

/** Parses consecutive responses; skips interim ones (1xx). */
function parseAnswers(bytes: Buffer): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let rest = bytes.toString('latin1');
  for (;;) {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest);
    if (!head) return { answers, rest };
    const [whole, status = '', lines = ''] = head;
    const headers = Object.fromEntries(
      lines
        .split('\r\n')
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const length = Number(headers['content-length'] ?? 0);
    const text = Buffer.from(rest.slice(whole.length, whole.length + length), 'latin1').toString();
    rest = rest.slice(whole.length + length);
    if (!status.startsWith('1')) answers.push({ status: Number(status), headers, text });
  }
}
