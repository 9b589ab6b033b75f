import fc from 'fast-check';

/** Malformed HTTP requests, and how the client behaves after sending them. */
export interface BadMessage {
  kind: string;
  parts: (string | Uint8Array)[];
  /** Closes the connection instead of waiting for a response. */
  isCut: boolean;
}

interface Pieces {
  method?: string;
  target?: string;
  version?: string;
  headers?: string[];
  body?: string;
  newline?: string;
}

/** Builds requests that are valid except for the intended defect. */
export function createMessages(apiKey: string): fc.Arbitrary<BadMessage> {
  const common = ['Host: a', `Authorization: Bearer ${apiKey}`, 'Connection: close'];
  const json = ['Content-Type: application/json', 'Idempotency-Key: raw'];
  const scan = '{"url":"https://shop.example/"}';

  function write({
    method = 'GET',
    target = '/v1/levels',
    version = 'HTTP/1.1',
    headers = common,
    body = '',
    newline = '\r\n',
  }: Pieces): string {
    return [`${method} ${target} ${version}`, ...headers, '', body].join(newline);
  }
  const post = (headers: string[], body = scan) =>
    write({ method: 'POST', target: '/v1/scans', headers: [...common, ...json, ...headers], body });
  const good = write({ headers: common.slice(0, 2) });
  const last = write({});

  const make = <T>(kind: string, needed: fc.Arbitrary<T>, toMessage: (needed: T) => string | Uint8Array) =>
    needed.map((value) => ({ kind, message: toMessage(value) }));

  const length = scan.length;
  const chunk = (size: string, rest = scan) => `${size}\r\n${rest}\r\n0\r\n\r\n`;
  const noise = fc.uint8Array({ minLength: 1, maxLength: 300 });
  const control = fc.constantFrom('\0', '\x01', '\x0b', '\x7f', '\r', '\n', '\x80', '\xff', ' ', '\t');

  const messages = fc.oneof(
    make('length and chunks', fc.constantFrom('0', String(length), '5'), (size) =>
      post([`Content-Length: ${size}`, 'Transfer-Encoding: chunked'], chunk(length.toString(16))),
    ),
    make('chunks and length', fc.constantFrom('0', '31'), (size) =>
      post(['Transfer-Encoding: chunked', `Content-Length: ${size}`], chunk(length.toString(16))),
    ),
    make('several lengths', fc.constantFrom(['31', '31'], ['31', '5'], ['0', '31'], ['31, 31', '31']), (sizes) =>
      post(sizes.map((size) => `Content-Length: ${size}`)),
    ),
    make(
      'odd length',
      fc.constantFrom(
        '+31',
        '-1',
        '0x1f',
        '1e1',
        '31,31',
        '',
        ' ',
        '31 31',
        'NaN',
        '9'.repeat(30),
        '18446744073709551647',
        '3\t1',
      ),
      (size) => post([`Content-Length: ${size}`]),
    ),
    make(
      'odd Host',
      fc.constantFrom([], ['Host:'], ['Host: a', 'Host: b'], ['Host: a b'], ['Host: \xff'], ['host : a']),
      (hosts) => write({ headers: [...hosts, ...common.slice(1)] }),
    ),
    make('bare line feeds', fc.constantFrom('\n', '\r', '\n\r', '\r\n\n', '\r\r\n'), (newline) => write({ newline })),
    make('oversize headers', fc.integer({ min: 16_000, max: 80_000 }), (size) =>
      write({ headers: [...common, `X-Large: ${'x'.repeat(size)}`] }),
    ),
    make('many headers', fc.integer({ min: 500, max: 4_000 }), (count) =>
      write({ headers: [...common, ...Array<string>(count).fill('a:b')] }),
    ),
    make('long target', fc.integer({ min: 10_000, max: 70_000 }), (size) =>
      write({ target: `/v1/scans/${'x'.repeat(size)}` }),
    ),
    make(
      'odd chunk',
      fc.constantFrom('zz', '-1', '0x1f', '1f ', ' 1f', '+1f', '1f;x=y', '1F', 'f'.repeat(17), '', '1f\n', '20', '1'),
      (size) => post(['Transfer-Encoding: chunked'], chunk(size)),
    ),
    make('long chunk extension', fc.integer({ min: 1_000, max: 60_000 }), (size) =>
      post(['Transfer-Encoding: chunked'], chunk(`1f;${'x'.repeat(size)}`)),
    ),
    make(
      'odd transfer encoding',
      fc.constantFrom(
        'Chunked',
        'gzip, chunked',
        'chunked, chunked',
        'chunked, gzip',
        'identity',
        'xchunked',
        '"chunked"',
        ' chunked',
        'chunked\x0b',
        '',
      ),
      (encoding) => post([`Transfer-Encoding: ${encoding}`], chunk(length.toString(16))),
    ),
    make(
      'trailers',
      fc.constantFrom('X: y', 'Content-Length: 5', 'Authorization: Bearer x', 'no colon', ': x'),
      (trailer) => post(['Transfer-Encoding: chunked', 'Trailer: X'], `1f\r\n${scan}\r\n0\r\n${trailer}\r\n\r\n`),
    ),
    make(
      'HTTP/0.9',
      fc.constantFrom(
        'GET /v1/levels\r\n',
        'GET /v1/levels\r\n\r\n',
        'GET\r\n\r\n',
        '\r\n\r\n',
        'GET  HTTP/1.1\r\n\r\n',
      ),
      (line) => line,
    ),
    make(
      'odd version',
      fc.constantFrom(
        'HTTP/1.2',
        'HTTP/2.0',
        'HTTP/1.10',
        'http/1.1',
        'HTTP/1.1 x',
        'HTTP/',
        'ICE/1.0',
        'HTTP/1,1',
        '',
      ),
      (version) => write({ version }),
    ),
    make(
      'odd method',
      fc.constantFrom('get', 'G T', 'FOO', '', '\xff', 'GET/', 'SOURCE', 'PRI', 'BREW', 'M-SEARCH', 'A'.repeat(5_000)),
      (method) => write({ method }),
    ),
    make('preface of HTTP/2', noise, (rest) => Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), rest])),
    make('TLS hello', noise, (rest) =>
      Buffer.concat([Buffer.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03), rest]),
    ),
    make(
      'CONNECT',
      fc.constantFrom('a:443', '/v1/levels', '127.0.0.1:80', '*', ''),
      (target) => `${write({ method: 'CONNECT', target })}noise`,
    ),
    make('Upgrade', fc.constantFrom('websocket', 'h2c', 'TLS/1.0', '', 'x, y'), (protocol) =>
      write({
        headers: [
          ...common.slice(0, 2),
          'Connection: Upgrade, close',
          `Upgrade: ${protocol}`,
          'HTTP2-Settings: AAMAAABk',
        ],
      }),
    ),
    make('Expect', fc.constantFrom('100-continue', '200-ok', '', '100-continue, x', 'x'.repeat(1_000)), (expectation) =>
      post([`Expect: ${expectation}`, `Content-Length: ${length}`]),
    ),
    make(
      'odd target',
      fc.constantFrom(
        'http://a/v1/levels',
        'HTTP://A',
        'https://u:p@a:1/v1/levels',
        'a:80',
        '*',
        '?',
        '#',
        'v1/levels',
        '//a//v1',
        'http://',
        'http:///v1/levels',
        'ftp://a/',
        '/v1/levels#x',
        '/%',
        '\\v1',
        '/v1/../v1/levels',
        'mailto:a',
        'http://[::1',
        '/\xff',
      ),
      (target) => write({ target }),
    ),
    make(
      'odd header',
      fc.tuple(control, fc.constantFrom('X', 'Content-Type', 'Idempotency-Key', 'Connection', 'Authorization')),
      ([character, name]) => write({ headers: [...common, `${name}${character}: a`, `${name}: a${character}b`] }),
    ),
    make(
      'folded header',
      fc.constantFrom('X: a\r\n b', 'X:\r\n\ty', ' X: y', ': y', 'no colon', 'X y: z', '\xff: x'),
      (line) => write({ headers: [...common, line] }),
    ),
    make('good, then noise', noise, (rest) => Buffer.concat([Buffer.from(good), rest])),
    make('noise, then good', noise, (rest) => Buffer.concat([rest, Buffer.from(last)])),
    make('pipelined', fc.integer({ min: 2, max: 30 }), (count) => good.repeat(count) + last),
    make(
      'pipelined, one bad',
      fc.constantFrom('x', 'GET / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
      (bad) => good + good + bad + last,
    ),
    make('more body than announced', noise, (rest) =>
      Buffer.concat([Buffer.from(post([`Content-Length: ${length}`]).replace('Connection: close', 'X: y')), rest]),
    ),
    make('less body than announced', fc.integer({ min: 1, max: 1_000 }), (more) =>
      post([`Content-Length: ${length + more}`]),
    ),
    make('half a request', fc.nat(), (cut) => {
      const whole = post([`Content-Length: ${length}`]);
      return whole.slice(0, 1 + (cut % (whole.length - 1)));
    }),
    make('empty lines first', fc.integer({ min: 1, max: 20_000 }), (count) => '\r\n'.repeat(count) + last),
    make('noise', noise, (bytes) => bytes),
    make(
      'mutated',
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('replace', 'insert', 'delete')), {
        minLength: 1,
        maxLength: 5,
      }),
      (changes) => {
        const bytes = [...Buffer.from(post([`Content-Length: ${length}`]))];
        for (const [position, byte, change] of changes) {
          const at = position % bytes.length;
          if (change === 'replace') bytes[at] = byte;
          else if (change === 'insert') bytes.splice(at, 0, byte);
          else bytes.splice(at, 1);
        }
        return Uint8Array.from(bytes);
      },
    ),
  );

  return fc
    .tuple(messages, fc.array(fc.nat(), { maxLength: 3 }), fc.nat({ max: 9 }))
    .map(([{ kind, message }, cuts, rudeness]) => ({ kind, parts: split(message, cuts), isCut: rudeness === 0 }));
}

/** Splits the bytes into several packets. */
function split(message: string | Uint8Array, cuts: readonly number[]): (string | Uint8Array)[] {
  const bytes = typeof message === 'string' ? Buffer.from(message, 'latin1') : message;
  const positions = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b);
  return positions
    .slice(1)
    .map((end, i) => bytes.subarray(positions[i], end))
    .filter((part) => part.length > 0);
}
