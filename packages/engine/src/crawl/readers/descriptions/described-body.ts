import type { Described } from '../../requests/draft.ts';

/** Headers that the session sends or the body determines. */
export const OF_SESSIONS =
  /^(?:authorization|cookie|content-type|content-length|accept|accept-.*|host|user-agent|connection|x-api-key|x-auth-token|x-access-token)$/i;

/** Reads a body that stands as text in a description: JSON, XML, or the fields of a form. */
export function bodyOfText(text: string, type = ''): Partial<Described> {
  const plain = text.trim();
  if (plain === '') return {};
  try {
    if (/^[[{"]/.test(plain)) return { json: JSON.parse(plain) };
  } catch {
    return { body: { type: type || 'application/json', text: plain } };
  }
  if (plain.startsWith('<')) return { body: { type: type || 'application/xml', text: plain } };
  if (/^[\w.[\]-]+=/.test(plain) && !/json|xml/i.test(type)) return { form: [...new URLSearchParams(plain)] };
  return { body: { type: type || 'text/plain', text: plain } };
}
