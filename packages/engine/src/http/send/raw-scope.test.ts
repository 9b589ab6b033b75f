import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestScope } from '../../target/scope.ts';
import { judgeRaw } from './raw.ts';

const scope = createTestScope({
  coveredName: 'shop.example',
  coveredOrigin: null,
  excludedPaths: ['/admin'],
  tokenUrls: [],
});

const judge = (text: string, host = 'shop.example') =>
  judgeRaw(
    { host, port: 80, tls: false, bytes: Buffer.from(text), purpose: 'test' },
    new URL(`http://${host}/`),
    scope,
  );

describe('raw bytes', () => {
  it('go only to what is covered', () => {
    assert.equal(judge('GET / HTTP/1.1\r\n\r\n'), undefined);
    assert.ok(judge('GET / HTTP/1.1\r\n\r\n', 'evil.example'));
  });

  for (const text of [
    'GET /admin HTTP/1.1\r\n\r\n',
    'GET /%61dmin/x HTTP/1.1\r\n\r\n',
    'GET //admin HTTP/1.0\r\n\r\n',
    'get  /admin\r\n',
    'GET http://shop.example/admin HTTP/1.1\r\n\r\n',
    'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n\r\n',
    'POST / HTTP/1.1\nContent-Length: 9\n\nGET /admin',
  ]) {
    it(`never ask for an excluded path: ${JSON.stringify(text)}`, () => assert.match(judge(text) ?? '', /excluded/));
  }
});
