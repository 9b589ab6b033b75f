import type { IncomingMessage } from 'node:http';

/** Returns the value of a header sent exactly once. Node itself joins repeated headers, or keeps only the first. */
export function singleHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] ?? '';
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
    if (value !== undefined) return undefined;
    value = rawHeaders[i + 1];
  }
  return value;
}
