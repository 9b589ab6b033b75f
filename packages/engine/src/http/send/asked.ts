import type { TargetRequest } from '../exchange/exchange.ts';
import { headerOf } from '../exchange/headers.ts';

/** Some servers take the path from these headers instead. */
const ANOTHER_PATH = /^x-(?:original|rewrite|forwarded|http-original)-(?:url|uri|path)$/i;
/** Frameworks let forms, which know only GET and POST, name another method. */
const ANOTHER_METHOD = /^x-(?:http-)?method(?:-override)?$/i;
const MOST_CHARACTERS = 20_000;

/**
 * Returns all paths and methods that a server may take from the request. Values of the body count like those of the
 * query: front controllers read both.
 */
export function askedBy(request: Omit<TargetRequest, 'purpose'>, path: string): { paths: string[]; methods: string[] } {
  const { method, headers = [] } = request;
  const sent = pairsIn(request);
  const query = new URLSearchParams(path.replace(/^[^?]*\??|#.*$/gs, ''));
  const overrides = [
    ...[...query, ...sent].filter(([name]) => /^_method$/i.test(name)).map(([, value]) => value),
    ...headers.filter(([name]) => ANOTHER_METHOD.test(name)).map(([, value]) => value),
  ];
  const inBody = sent.length > 0 ? [`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(sent)}`] : [];
  const others = headers.filter(([name]) => ANOTHER_PATH.test(name)).map(([, value]) => value);
  return {
    paths: [path, ...inBody, ...others],
    methods: [method, ...overrides.filter((each) => /^[a-z]{3,10}$/i.test(each))],
  };
}

/** Returns the named values of a form or of a JSON object. */
function pairsIn({ headers = [], body }: Omit<TargetRequest, 'purpose'>): [string, string][] {
  if (body === undefined || body.length === 0) return [];
  const text = Buffer.from(body as Uint8Array).toString('utf8', 0, MOST_CHARACTERS);
  const type = headerOf(headers, 'content-type') ?? '';
  if (/json/i.test(type)) return pairsOfJson(text);
  if (!/multipart/i.test(type)) return [...new URLSearchParams(text)];
  const parts = text.matchAll(/name="([^"\r\n]{1,200})"[^\r\n]*\r\n\r\n([^\r\n]{0,500})\r\n--/g);
  return [...parts].map(([, name = '', value = '']) => [name, value]);
}

function pairsOfJson(text: string): [string, string][] {
  try {
    const entries = Object.entries(Object(JSON.parse(text)));
    return entries.flatMap(([name, value]) => (typeof value === 'object' ? [] : [[name, String(value)]]));
  } catch {
    return [];
  }
}
