import http from 'node:http';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The parsed body; undefined if it is empty. */
  body: Record<string, unknown> | undefined;
}

export interface CallOptions {
  method?: string;
  key?: string;
  headers?: http.OutgoingHttpHeaders;
  /** Sent unchanged if it is a string or bytes, else as JSON. */
  body?: unknown;
  agent?: http.Agent;
  /** The raw request target; in a URL, unusual characters would be encoded. */
  target?: string;
}

/** Sends one HTTP request with exactly the given headers: none is added that a rule under test could depend on. */
export function call(url: string, options: CallOptions = {}): Promise<Answer> {
  const { method = 'GET', key, body, agent, target } = options;
  const bytes = toBytes(body);
  const headers: http.OutgoingHttpHeaders = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
    ...options.headers,
  };
  const connection = { ...(agent ? { agent } : {}), ...(target === undefined ? {} : { path: target }) };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, ...connection }, (response) => {
      const chunks: Buffer[] = [];
      const isEndless = response.headers['content-type']?.startsWith('text/event-stream');
      response.on('data', (chunk) => {
        chunks.push(chunk);
        // The first event: the stream goes on until the client leaves.
        if (!isEndless || !Buffer.concat(chunks).includes('\n\n')) return;
        resolve(toAnswer(response, Buffer.concat(chunks).toString()));
        request.destroy();
      });
      response.on('error', reject);
      response.on('end', () => resolve(toAnswer(response, Buffer.concat(chunks).toString())));
    });
    request.on('error', reject);
    // Otherwise Node adds a framing header to a POST.
    if (bytes === undefined) request.useChunkedEncodingByDefault = false;
    request.end(bytes);
  });
}

function toBytes(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function toAnswer(response: http.IncomingMessage, text: string): Answer {
  const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}
