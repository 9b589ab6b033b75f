import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observed } from '@sortie/testing/engine/judging.ts';
import { databasesIn, type StackName, stackOf, withProved } from './stack.ts';

const shownBy = (headers: Record<string, string>, body = '', status = 200) =>
  stackOf(observed({ headers: { 'content-type': 'text/html', ...headers }, body, status }));
const JSON_TYPE = { 'content-type': 'application/json' };
const EXPRESS_404 =
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>Cannot GET /x</pre>\n</body>\n</html>\n';

describe('the components that a response shows', () => {
  const shown: [StackName[], Record<string, string>, string?, number?][] = [
    [['express', 'node'], { 'x-powered-by': 'Express' }],
    [['express', 'node'], { 'set-cookie': 'connect.sid=s%3Aabc; Path=/' }],
    [['django', 'python'], { 'set-cookie': 'csrftoken=abc; Path=/' }],
    [['django'], {}, '<input type="hidden" name="csrfmiddlewaretoken" value="abc">'],
    [['flask'], {}, '<title>TypeError // Werkzeug Debugger</title>', 500],
    [['fastapi'], JSON_TYPE, '{"detail":[{"type":"missing","loc":["query","q"],"msg":"Field required"}]}', 422],
    [['spring'], {}, '<html><body><h1>Whitelabel Error Page</h1><p>This application has no mapping</p>', 404],
    [
      ['spring'],
      JSON_TYPE,
      '{"timestamp":"2026-01-02T03:04:05.678+00:00","status":404,"error":"Not Found","path":"/x"}',
      404,
    ],
    [['java'], { 'set-cookie': 'JSESSIONID=7f3a91c20b; Path=/' }],
    [['laravel', 'php'], { 'set-cookie': 'laravel_session=abc; Path=/' }],
    [['php'], { 'x-powered-by': 'PHP/8.3.1' }],
    [['rails'], { 'x-runtime': '0.012345' }],
    [['rails'], {}, '<meta name="csrf-param" content="authenticity_token" />'],
    [['aspnet', 'dotnet'], { server: 'Kestrel' }],
    [['dotnet'], {}, '<input name="__RequestVerificationToken" type="hidden" value="abc">'],
    [['go'], { 'content-type': 'text/plain' }, '404 page not found\n', 404],
    [['node'], {}, 'Error: no\n    at parse (/srv/app/lib/read.js:10:15)', 500],
    [['node'], {}, EXPRESS_404, 404],
    [['nginx'], { server: 'nginx/1.27.0' }],
    [['apache'], { server: 'Apache/2.4.62 (Debian)' }],
    [['angular'], {}, '<app-root ng-version="19.0.0"></app-root>'],
    [['postgresql'], {}, 'ERROR: syntax error at or near "tea"', 500],
    [['sqlite'], JSON_TYPE, '{"error":"SQLite error: unrecognized token"}', 400],
    [['mongodb'], {}, 'MongoServerError: unknown operator', 500],
  ];
  for (const [names, headers, body, status] of shown) {
    it(`are ${names.join(' and ')} by ${JSON.stringify(headers)} ${body ?? ''}`, () => {
      assert.deepEqual(shownBy(headers, body, status), names);
    });
  }

  const mentioned: [string, Record<string, string>, string, number?][] = [
    ['an error of NestJS', JSON_TYPE, '{"statusCode":404,"timestamp":"2026-01-02T03:04:05.678Z","path":"/x"}', 404],
    ['an article about Rails', {}, '<p>Models inherit from ActiveRecord::Base.</p>'],
    ['an article about Spring', {}, '<code>import org.springframework.web.bind.annotation.GetMapping;</code>'],
    ['a forum about databases', {}, '<p>I get a SqlException: Incorrect syntax near tea. Who can help?</p>'],
    ['Passenger, which serves several platforms', { server: 'x + Phusion Passenger(R) 6.0.4' }, ''],
    ['a machine of a CDN', { server: 'edge-node-12' }, ''],
    ['a page about an error, not found', {}, '<p>Nothing found for: Traceback (most recent call last):</p>', 404],
    ['a question about Express', {}, '<p>Why do I get this?</p><pre>Cannot GET /</pre>'],
    ['a page that encodes markup', {}, '&lt;input name="csrfmiddlewaretoken"&gt; and <h1>Whitelabel Error Page</h1>'],
  ];
  for (const [what, headers, body, status] of mentioned) {
    it(`are none of ${what}`, () => assert.deepEqual(shownBy(headers, body, status), []));
  }

  it('are none of a page that only mentions them', () => {
    const body = '<p>We use Express, PHP, Django, nginx, PostgreSQL and React. Look at /srv/app.js!</p>';
    assert.deepEqual(shownBy({ server: 'Apache-like' }, body), []);
    assert.deepEqual(stackOf({ ...observed({}), response: null }), []);
  });

  it('are read from a hostile body in linear time', () => {
    const parts = [
      'at ',
      '<script ',
      'at a(',
      'File "',
      '"detail":[{"type":',
      'goroutine ',
      '"timestamp":',
      'at /a.',
      '<input ',
    ];
    const startedAt = performance.now();
    for (const part of parts) shownBy({}, part.repeat(100_000 / part.length), 500);
    assert.ok(performance.now() - startedAt < 3_000);
  });
});

describe('the database of a proof', () => {
  it('is the one that the variant names, or the only one with a function that was executed', () => {
    assert.deepEqual(databasesIn({ database: 'sqlite', quote: "'" }, []), ['sqlite']);
    assert.deepEqual(databasesIn({ database: 'sqlServer' }, []), ['mssql']);
    assert.deepEqual(databasesIn({ database: 'java' }, []), []);
    assert.deepEqual(withProved(['node', 'mysql'], ['sqlite']), ['node', 'sqlite']);
    assert.deepEqual(withProved(['mysql'], ['node']), ['node', 'mysql']);
    assert.deepEqual(withProved(['node', 'mysql', 'sqlite'], []), ['node'], 'which of them has the flaw is unknown');
    assert.deepEqual(databasesIn("'||(SELECT pg_sleep({seconds}))||'", ["1'||(SELECT pg_sleep(4))||'"]), [
      'postgresql',
    ]);
    assert.deepEqual(databasesIn(null, ["1;WAITFOR DELAY '0:0:4'-- -", 'tea']), ['mssql']);
  });
});
