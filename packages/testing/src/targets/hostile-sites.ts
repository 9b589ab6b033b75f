import fc from 'fast-check';
import type { Exchange, TargetRequest, TargetResponse } from '../../../engine/src/http/exchange/exchange.ts';
import { StopSending } from '../../../engine/src/http/exchange/sender.ts';
import { followRedirects } from '../../../engine/src/http/send/follow.ts';

/** Content that checks look for, and content that may break a parser. */
export const pieces = [
  'ref: refs/heads/main',
  '[core]\n\turl = https://a:b@git.example/\n',
  'url = https://a:',
  'DB_PASSWORD=x\n',
  'export VITE_KEY=x\n',
  'password',
  'password: x\n',
  'services:\n',
  'FROM node:24\n',
  '-----BEGIN RSA PRIVATE KEY-----\n',
  'CREATE TABLE a\n',
  '-- MySQL dump\n',
  'PGDMP',
  'SQLite format 3\0',
  'PK\x03\x04',
  '\x1f\x8b',
  'admin:$apr1$a$b\n',
  '12\n',
  'aws_access_key_id = x\n',
  '_authToken=x',
  '"auths": {',
  'client-key-data: x\n',
  '<configuration>',
  '<system.web>',
  'RewriteEngine On\n',
  'adapter: x\n',
  '"ConnectionStrings": ',
  '[2026-01-01 10:00:00] x\n',
  '# HELP up x\n',
  'Active connections: 1\n',
  'Total Accesses: 1\n',
  '<title>phpinfo()</title>',
  '<title>GraphiQL</title>',
  '<title>phpMyAdmin',
  '{"_links":{"self":{},',
  '"health":{},',
  '"openapi": "3.0.0"',
  '"__schema":{"queryType"',
  '{"keys":[{"d":"x"}]}',
  '[{"slug":"a"}]',
  '{"dependencies":{}}',
  '<allow-access-from domain="*"/>',
  'Disallow: /admin\n',
  'TRACE / HTTP/1.1\r\n',
  '\0\0\0\x01Bud1',
  'define("DB_PASSWORD"',
  '<link href="/wp-content/a">',
  '<meta http-equiv="Content-Security-Policy" content="default-src *">',
  '<meta name=referrer content=unsafe-url>',
  '<script src="http://a.example/b.js" integrity="sha256-x">',
  '<form action="http://a.example/"><input type=password>',
  '<iframe srcdoc="<iframe>',
  '<script src="/a.js"></script>',
  '<script src="https://cdn.polyfill.io/b.js"></script>',
  '<link rel=stylesheet href="http://a.example/a.css" integrity=sha1-x>',
  '<img srcset="http://a.example/a.png 1x, //b.example/b.png 2x">',
  '<form method=post action=/a><input name=b><input name=c></form>',
  '<form method=get><input type=password></form>',
  '<iframe src="https://a.example/"></iframe>',
  '<a target=x rel=opener href="https://a.example/">',
  '<a href="/b;jsessionid=A1B2C3D4E5F60718">',
  '<a href="mailto:a@b.example">',
  '<meta name=generator content="A 1.2">',
  '<input name=__VIEWSTATE value="/wEPBQNhYmNk">',
  '<?php echo 1 ?>',
  '<!-- TODO 10.0.0.1 /var/www/html/a.php -->',
  '/*! jQuery v1.12.4 */',
  '"/v2/graphql"',
  `"ghp_${'aZ3bY4cX5dW6'.repeat(3)}"`,
  `AIza${'aZ3bY4c'.repeat(5)} `,
  `$2y$10$${'a1B2c3D4'.repeat(7).slice(0, 53)} `,
  'AKIAQWERTYUIOPASDFGH secret ',
  '4539 1488 0343 6467 ',
  'Traceback (most recent call last):\n',
  ' at run (/app/a.js:10:5)\n',
  'class="exception-summary',
  '//# sourceMappingURL=a.js.map\n',
  '{"version":3,"sources":["../server/a.ts"],"sourcesContent":["x"]}',
  '<!--',
  '-->',
  '<![CDATA[',
  '<svg><math><mi><table>',
  '</',
  '<',
  '>',
  '"',
  "'",
  '=',
  ';',
  ',',
  ':',
  '\\',
  '/',
  '{',
  '}',
  '[',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\0',
  'a',
  'a:',
  'a=',
  'a;',
  'a ',
  'é',
  '\xff',
] as const;

const names = [
  'content-security-policy',
  'content-security-policy-report-only',
  'strict-transport-security',
  'x-frame-options',
  'x-content-type-options',
  'referrer-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-embedder-policy',
  'cross-origin-resource-policy',
  'x-xss-protection',
  'set-cookie',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'vary',
  'allow',
  'cache-control',
  'content-type',
  'content-encoding',
  'location',
  'sourcemap',
  'server',
  'x-powered-by',
  'alt-svc',
  'link',
  'date',
  'nel',
  'report-to',
  '__proto__',
  'constructor',
];

const values = [
  "default-src 'self'; script-src 'unsafe-inline' 'nonce-x' *",
  "frame-ancestors 'none'",
  'max-age=31536000; includeSubDomains; preload',
  'max-age=99999999999999999999',
  'max-age="0"',
  'DENY',
  'nosniff',
  'no-referrer, unsafe-url',
  'camera=(), geolocation=(self "https://a.example")',
  'sid=x; Path=/; Secure; HttpOnly; SameSite=None',
  '__Host-a=b; Domain=a; Path=/b',
  'a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
  '=; =; ;;;=',
  'text/html; charset=utf-8',
  'text/html; charset=klingon',
  'application/json',
  '/next',
  'a.js.map',
  '//other.example/',
  'http://site.example/',
  'https://www.site.example/',
  'http://[',
  'javascript:alert(1)',
  'http://user@site.example/',
  '*',
  'null',
  'true',
  'Origin',
  'PUT, DELETE',
  'nginx/1.18.0',
];

/** Header names with plausible values, which checks parse to the end. */
const fitting = [
  [
    'content-security-policy',
    "script-src 'unsafe-eval' data: http: 'nonce-a'; style-src 'unsafe-inline'; plugin-types a/b",
  ],
  [
    'content-security-policy',
    "default-src https: localhost 'none' 'unsafe-dynamic'; img-src http://a.example; base-uri *",
  ],
  ['content-security-policy', 'script-src https://ajax.googleapis.com *; object-src *; report-uri /a'],
  ['content-security-policy', "default-src 'none'; script-src 'unsafe-inline'"],
  ['content-security-policy-report-only', "default-src 'self'"],
  ['x-webkit-csp', "default-src 'self'"],
  ['strict-transport-security', 'max-age=3600; preload'],
  ['x-frame-options', 'ALLOW-FROM https://a.example'],
  ['feature-policy', 'camera *'],
  ['public-key-pins', 'pin-sha256="x"; max-age=1'],
  ['origin-agent-cluster', '?0'],
  ['x-permitted-cross-domain-policies', 'all'],
  ['x-backend-server', 'web-1.internal'],
  ['x-debug-token', 'abc'],
  ['etag', '"1a2b-3c4-5d6e7f8a9b0c1"'],
  ['server', 'Apache/2.2.15 (CentOS) PHP/5.3.3'],
  ['set-cookie', 'sid=eyJhbGciOiJub25lIn0.eyJwYXNzd29yZCI6IngifQ.x; Domain=.example; Max-Age=99999999; SameSite=Lex'],
  ['set-cookie', 'session=abcdefghijklmnop; SameSite=None'],
  ['access-control-allow-origin', '*'],
  ['access-control-allow-credentials', 'true'],
  ['www-authenticate', 'Basic realm="x"'],
  ['refresh', '0; url=https://other.example/'],
  ['location', 'http://other.example/'],
] as const;

/** Values as the sender returns them: line breaks and NUL never get that far. */
const value = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...values) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...values), { maxLength: 3 }).map((parts) => parts.join(', ')) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replace(/[\0\r\n]|[^\0-\xff]/g, '')),
  },
  { weight: 1, arbitrary: fc.constantFrom(...pieces).map((piece) => piece.replace(/[\0\r\n]/g, ' ').repeat(50)) },
);

const body = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.json() },
);

/** Any content may be served as a page, as a script, or without a type. */
const types: [string, string][][] = [[['content-type', 'text/html']], [['content-type', 'text/javascript']], []];

const response: fc.Arbitrary<TargetResponse> = fc.record({
  status: fc.oneof(
    { weight: 12, arbitrary: fc.constant(200) },
    { weight: 4, arbitrary: fc.constantFrom(206, 301, 302, 303, 307, 308, 403, 404, 405, 500) },
    { weight: 1, arbitrary: fc.constantFrom(204, 304, 429, 503, 599, 999) },
  ),
  headers: fc
    .tuple(
      fc.constantFrom(...types),
      fc.array(fc.oneof(fc.constantFrom(...fitting), fc.tuple(fc.constantFrom(...names), value)), { maxLength: 12 }),
    )
    .map(([type, others]) => [...type, ...others]),
  body: body.map((text) => Buffer.from(text, 'latin1')),
  isCut: fc.boolean(),
});

export interface HostileSite {
  url: string;
  answers: readonly (TargetResponse | null)[];
  /** The request limit, after which the sender stops. */
  requests: number;
}

/** The first response is for the scanned URL; the others are selected by a hash of method and URL. */
export const hostileSite: fc.Arbitrary<HostileSite> = fc.record({
  url: fc.constantFrom(
    'https://site.example/',
    'http://site.example/',
    'https://192.0.2.1:8443/a?b',
    'http://site.dev/',
  ),
  answers: fc.array(fc.option(response, { freq: 12 }), { minLength: 1, maxLength: 6 }),
  requests: fc.constantFrom(5, 60, 200, 200, 200),
});

const sumOf = (text: string) => [...text].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0);

/** Returns a sender like the engine's, with responses of the site instead of a network. */
export function senderTo({ url, answers, requests }: HostileSite) {
  let sent = 0;
  async function send(request: TargetRequest): Promise<Exchange> {
    if (++sent > requests) throw new StopSending('requests', 'The request budget of this run is used up.');
    const isFirst = request.url === url && request.method === 'GET' && sent === 1;
    const answer = answers[isFirst ? 0 : sumOf(request.method + request.url) % answers.length] ?? null;
    const isPlain = /^https?:\/\/(?!user@)/.test(request.url);
    const failure = isPlain
      ? ({ code: 'UNREACHABLE', message: 'Gone.' } as const)
      : ({ code: 'REFUSED', message: 'No.' } as const);
    const response = isPlain ? answer : null;
    return { request, response, failure: response ? null : failure, remote: null, firstByteMs: 0, durationMs: 0 };
  }
  return {
    send,
    follow: (request: TargetRequest, maxHops = 5) => followRedirects(request, maxHops, send, undefined),
    // TLS is tested separately, with hostile TLS servers.
    sharesConnection: () => false,
    openSocket: async () => ({
      value: null,
      failure: { code: 'UNREACHABLE', message: 'Gone.' } as const,
      remote: null,
    }),
  };
}
