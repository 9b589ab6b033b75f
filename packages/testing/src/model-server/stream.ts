/** Returns an event of a stream of server-sent events. */
export const dataEvent = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;

/** Splits a text in two, so that clients have to put it together. */
export function inParts(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '');
}

/** Returns the texts of content that is either a text or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return partsOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

export const partsOf = (content: unknown) => (Array.isArray(content) ? (content as Record<string, unknown>[]) : []);
