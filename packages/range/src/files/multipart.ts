import type { Visit } from '../answer.ts';

export interface SentFile {
  name: string;
  contentType: string;
  content: Buffer;
}

/** Returns the first file of the field in a multipart form. */
export function readFile({ headers, body }: Pick<Visit, 'headers' | 'body'>, field: string): SentFile | undefined {
  const boundary = /boundary="?([^";]{1,100})"?/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return undefined;
  // latin1 keeps each byte as one character.
  for (const part of body.toString('latin1').split(`--${boundary}`)) {
    const split = part.indexOf('\r\n\r\n');
    const head = part.slice(0, split);
    const name = /[; ]filename="([^"]*)"/.exec(head)?.[1];
    if (split < 0 || name === undefined || /[; ]name="([^"]*)"/.exec(head)?.[1] !== field) continue;
    const contentType = /content-type:\s*([\w/+.-]+)/i.exec(head)?.[1] ?? 'application/octet-stream';
    return { name, contentType, content: Buffer.from(part.slice(split + 4, -2), 'latin1') };
  }
  return undefined;
}
