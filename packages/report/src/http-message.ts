import { type Exchange, excerpt, requestOf, responseOf } from './exchange.ts';

/** Formats for programs get more of a body than a page shows. */
const MOST_BODY = 4000;

interface Message {
  /** The first line. */
  start: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
}

const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;

/** Reads a message of the evidence: a start line, header lines, an empty line and the body. */
function readMessage(text: string): Message {
  const end = text.indexOf('\n\n');
  const [start = '', ...lines] = (end < 0 ? text : text.slice(0, end)).split('\n');
  const headers = lines.flatMap((line) => {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  return { start, headers, body: end < 0 ? '' : text.slice(end + 2) };
}

/** Returns the request in parts, or undefined if its text does not begin with a method and a URL. */
export function readRequest(exchange: Exchange) {
  const { start, headers, body } = readMessage(excerpt(requestOf(exchange), MOST_BODY).text);
  const [, method, url] = /^([A-Z]{1,20}) (\S+)$/.exec(start) ?? [];
  return method === undefined || url === undefined ? undefined : { method, url, headers, body };
}

/** Returns the response in parts, or undefined for a request without a response. */
export function readResponse(exchange: Exchange) {
  const { start, headers, body } = readMessage(excerpt(responseOf(exchange), MOST_BODY).text);
  const [, status] = /^(\d{3})\b/.exec(start) ?? [];
  return status === undefined ? undefined : { status: Number(status), headers, body };
}
