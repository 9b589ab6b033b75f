import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EndpointName, errors } from '@sortie/contract';
import {
  assertCarriesHeaders,
  assertPassedTheGates,
  assertRefused,
  shownLimit,
} from '@sortie/testing/http/assert-answer.ts';
import { type Answer, type CallOptions, call } from '@sortie/testing/http/call.ts';
import { endpointNames, validRequest } from '@sortie/testing/http/endpoint-request.ts';
import { sendRaw } from '@sortie/testing/http/raw-message.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

const unlimited = {
  SORTIE_LIMIT_READS_PER_KEY: '1000000',
  SORTIE_LIMIT_READS_PER_ACCOUNT: '1000000',
  SORTIE_LIMIT_WRITES_PER_KEY: '1000000',
};

let world: World;
let owner: Member;

before(async () => {
  world = await createWorld({ env: { ...unlimited, SORTIE_LOG_LEVEL: 'debug' } });
  owner = await world.createMember();
});
after(() => world.end());

/** A valid request of the owner, with changes; null leaves the key out. */
function send(name: EndpointName, changes: Omit<CallOptions, 'key'> & { key?: string | null } = {}): Promise<Answer> {
  const { path, options } = validRequest(name);
  const { key = owner.apiKey, headers, ...others } = changes;
  return call(world.server.baseUrl + path, {
    ...options,
    ...others,
    ...(key === null ? {} : { key }),
    headers: { ...options.headers, ...headers },
  });
}

const get = (target: string, key = owner.apiKey) => call(world.server.baseUrl, { key, target });

/** Uses up the windows that the key has already begun. */
async function exhaust({ apiKeyId }: Member): Promise<void> {
  const { rowCount } = await world.testDatabase.database.pool.query(
    "update rate_counter set requests = 1000000 where counter like 'key:%:' || $1",
    [apiKeyId],
  );
  assert.ok(rowCount, 'no window was found');
}

describe('every error answer has the Error object shape', () => {
  it('whatever the reason', async () => {
    const stranger = await world.createMember({ permissions: 'scans:read' });
    assertRefused(await send('listLevels', { key: stranger.apiKey }), 'FORBIDDEN');
    await world.admin.account.suspend({ id: stranger.accountId });
    assertRefused(await send('listLevels', { key: stranger.apiKey }), 'ACCOUNT_SUSPENDED');
    await exhaust(stranger);
    assertRefused(await send('listLevels', { key: stranger.apiKey }), 'RATE_LIMITED');
    assertRefused(await send('listLevels', { key: 'x' }), 'UNAUTHORIZED');
    assertRefused(await send('getScan'), 'NOT_FOUND');
    assertRefused(await get('/v1/pentests?limit=x'), 'VALIDATION_ERROR', 'limit');
  });

  it('also when the service itself fails, and then it says nothing about itself', async () => {
    const { pool } = world.testDatabase.database;
    for (const table of ['credit_grant', 'rate_counter']) {
      await pool.query(`alter table ${table} rename to lost`);
      const answer = await send('getCreditsBalance');
      await pool.query(`alter table lost rename to ${table}`);
      assertRefused(answer, 'INTERNAL_ERROR');
      assert.equal(answer.body?.message, errors.INTERNAL_ERROR.message);
      await sleep(100);
      const line = world.server
        .log()
        .split('\n')
        .find((one) => one.includes(String(answer.headers['x-request-id'])));
      assert.match(line ?? '', /"errorCode":"42P01"/, 'the log says what happened');
      assert.equal((await send('getCreditsBalance')).status, 200);
    }
  });

  it('and no message or log line repeats a body, which may hold a password', async () => {
    const credential = { name: 'a', user: 'somebody', pass: 'hunter-two' };
    const valid = JSON.stringify({ targetUrl: 'https://a.test/', verificationId: 'v', credentials: [credential] });
    const mistakes = [valid.slice(0, -1), valid.replace(':', '::'), valid.replace('}]', '],'), `${valid}}`];
    const misplaced = [
      valid.replace('"pass"', '"pass":"hunter-two","pass"'),
      valid.replace('"name":"a"', '"name":"hunter-two!"'),
    ];
    for (const body of [...mistakes, ...misplaced]) {
      const answer = await send('startPentest', { body });
      assert.equal(answer.status, 400);
      assert.doesNotMatch(answer.text, /hunter|somebody/);
    }
    assert.doesNotMatch(world.server.log(), /hunter|somebody/);
  });
});

describe('X-Request-Id', () => {
  it('is on every answer, is new each time, and is in the log', async () => {
    const answers = [await send('listLevels'), await send('getScan'), await send('startScan', { key: null })];
    const ids = answers.map(({ headers }) => String(headers['x-request-id']));
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) {
      for (let attempt = 0; attempt < 100 && !world.server.log().includes(id); attempt++) await sleep(20);
      assert.equal(world.server.log().split(id).length, 2, 'one line for each request');
    }
  });

  it('is not taken from the request', async () => {
    const { headers } = await send('listLevels', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
    assert.notEqual(headers['x-request-id'], 'mine');
  });
});

describe('the order of refusals: of two reasons, the earlier gate answers', () => {
  const invalid = { body: '{"surprise":', headers: { 'content-type': 'text/plain' } };
  let limited: Member;
  let suspended: Member;

  before(async () => {
    limited = await world.createMember({ permissions: 'credits:read,scans:read' });
    suspended = await world.createMember({ permissions: 'credits:read' });
    await world.admin.account.suspend({ id: suspended.accountId });
  });

  it('411 before 401: a cancel without Content-Length and without a key', async () => {
    const answer = await call(`${world.server.baseUrl}/v1/pentests/x/cancel`, { method: 'POST' });
    assert.equal(answer.status, 411);
  });

  it('401 before 429: a revoked key past its limit', async () => {
    const member = await world.createMember();
    await send('listLevels', { key: member.apiKey });
    await exhaust(member);
    assertRefused(await send('listLevels', { key: member.apiKey }), 'RATE_LIMITED');
    await world.admin.key.revoke({ id: member.apiKeyId });
    assertRefused(await send('listLevels', { key: member.apiKey }), 'UNAUTHORIZED');
  });

  it('401 before 404 and before 400, however the body looks', async () => {
    for (const body of ['{}', '', 'x'.repeat(600 * 1024)]) {
      for (const type of ['application/json', 'text/plain', 'what is this?']) {
        for (const target of ['/v1/nothing-here', '/v1/scans']) {
          const options = { method: 'POST', body, headers: { 'content-type': type }, target };
          assertRefused(await call(world.server.baseUrl, options), 'UNAUTHORIZED');
        }
      }
    }
  });

  it('429 before 404: an unknown route past the limit', async () => {
    const member = await world.createMember();
    const unknown = (method: string, body?: string) =>
      call(`${world.server.baseUrl}/v1/nothing-here`, { method, key: member.apiKey, body });
    await Promise.all([unknown('GET'), unknown('POST')]);
    await exhaust(member);
    assertRefused(await unknown('GET'), 'RATE_LIMITED');
    assertRefused(await unknown('POST', 'x'.repeat(600 * 1024)), 'RATE_LIMITED');
  });

  it('404 before ACCOUNT_SUSPENDED: an unknown route in a suspended account', async () => {
    assertRefused(await get('/v1/nothing-here', suspended.apiKey), 'NOT_FOUND');
    assertRefused(await send('listLevels', { key: suspended.apiKey, method: 'DELETE' }), 'NOT_FOUND');
  });

  it('404 before 400: an unknown route with a body that is too large or no JSON', async () => {
    for (const body of ['{', 'x'.repeat(600 * 1024)]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'QUERY']) {
        assertRefused(await call(`${world.server.baseUrl}/v1/nope`, { method, key: owner.apiKey, body }), 'NOT_FOUND');
      }
    }
  });

  it('ACCOUNT_SUSPENDED before FORBIDDEN: a key without the permission in a suspended account', async () => {
    assertRefused(await send('startScan', { key: suspended.apiKey }), 'ACCOUNT_SUSPENDED');
  });

  it('FORBIDDEN before 400: an invalid request without the permission', async () => {
    assertRefused(await send('startPentest', { key: limited.apiKey, ...invalid }), 'FORBIDDEN');
    assertRefused(await get('/v1/pentests?limit=x', limited.apiKey), 'FORBIDDEN');
  });

  it("400 before the endpoint's own rules: an invalid request for an id that does not exist", async () => {
    assertRefused(await get('/v1/scans/unknown/findings?limit=x'), 'VALIDATION_ERROR', 'limit');
    const cancel = await send('cancelPentest', { body: '{}', headers: { 'content-length': 2 } });
    assertRefused(cancel, 'VALIDATION_ERROR', 'body');
  });

  it('in validation: content type, then JSON, then headers, then the schema', async () => {
    const noKey = { 'idempotency-key': '' };
    const fieldOf = async (options: CallOptions) => (await send('startPentest', options as object)).body?.field;
    assert.equal(await fieldOf({ body: '{', headers: { ...noKey, 'content-type': 'text/plain' } }), 'Content-Type');
    assert.equal(await fieldOf({ body: '{', headers: noKey }), 'body');
    assert.equal(await fieldOf({ body: '{}', headers: noKey }), 'Idempotency-Key');
    assert.equal(await fieldOf({ body: '{}' }), 'targetUrl');
  });
});

describe('404 NOT_FOUND', () => {
  it('answers an unknown route', async () => {
    const routes = ['/v1', '/v1/', '/v1/nope', '/v1/credits', '/v1/credits/balance/', '/v1/Levels', '/v1//levels'];
    for (const route of [...routes, '/v1/levels/x', '/v1/credits/../levels', '/v1/levels;x', '/v1/levels%20']) {
      assertRefused(await get(route), 'NOT_FOUND');
    }
  });

  it('answers an unknown method on a known route', async () => {
    const methods = ['GET', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE'];
    const requests = endpointNames.map(validRequest);
    for (const { path } of requests) {
      const known = requests.filter((one) => one.path === path).map(({ endpoint }) => endpoint.method as string);
      for (const method of methods.filter((one) => !known.includes(one))) {
        assertRefused(await call(world.server.baseUrl + path, { method, key: owner.apiKey }), 'NOT_FOUND');
      }
    }
  });

  it('answers HEAD, without a body', async () => {
    const answer = await call(`${world.server.baseUrl}/v1/levels`, { method: 'HEAD', key: owner.apiKey });
    assert.equal(answer.status, 404);
    assert.equal(answer.text, '');
    assertCarriesHeaders(answer);
  });

  it('answers outside /v1 without asking for a key', async () => {
    for (const target of ['/nope', '/v2/levels', '/v10/levels', '/V1/levels', '/.env', '/favicon.ico', '/docs/js/x']) {
      assertRefused(await call(world.server.baseUrl, { target }), 'NOT_FOUND');
    }
  });

  it('answers an odd id: ids are never validated', async () => {
    const encoded = ['%', '%zz', '%E0%A4%A', '%C3%28', '%ff', '%00', 'a%00b', '%2e%2e', '%2F', 'a%2Fb', '%25', '%20'];
    const plain = ['a+b', "'", '"', '\\', '<x>', '{id}', '*', ':id', '-1', '0', 'null', '|'];
    const long = ['x'.repeat(201), 'x'.repeat(12_000), '%00'.repeat(3_000), '%zz'.repeat(3_000)];
    for (const id of [...encoded, ...plain, ...long]) {
      for (const target of [`/v1/scans/${id}`, `/v1/scans/${id}/findings`, `/v1/pentests/${id}`]) {
        assertRefused(await get(target), 'NOT_FOUND');
      }
      assertRefused(await get(`/v1/pentests/${id}/findings?severity=high&limit=1`), 'NOT_FOUND');
      assertRefused(await send('cancelPentest', { target: `/v1/pentests/${id}/cancel` }), 'NOT_FOUND');
    }
  });

  it('answers an odd id whatever else is in the address, which is read as usual', async () => {
    assertRefused(await get('/v1/pentests/%zz/findings?severity=high%2Clow'), 'NOT_FOUND');
    assertRefused(await get('/v1/pentests/%zz/findings?severity=high%2C'), 'VALIDATION_ERROR', 'severity');
  });

  it('asks for a key first under /v1, however that is spelled', async () => {
    for (const target of ['/%761/foo', '/v%31/foo', '/%76%31', '/v1?x']) {
      assertRefused(await call(world.server.baseUrl, { target }), 'UNAUTHORIZED');
      assertRefused(await get(target), 'NOT_FOUND');
    }
    assertRefused(await call(world.server.baseUrl, { target: '/v1%2Ffoo' }), 'NOT_FOUND');
  });

  it('answers an id with a slash or without anything in it, which is another route', async () => {
    for (const target of ['/v1/scans/', '/v1/scans/a/b', '/v1/scans/a/b/findings', '/v1/pentests//findings']) {
      assertRefused(await get(target), 'NOT_FOUND');
    }
  });
});

describe('400 VALIDATION_ERROR: field names what is wrong', () => {
  const credential = { name: 'one', user: 'u', pass: 'p' };
  const pentest = { targetUrl: 'https://example.test/', verificationId: 'ver_1' };
  const withCredentials = (...credentials: unknown[]) => ({ ...pentest, credentials });
  const bearer = { ...credential, kind: 'BEARER_TOKEN' };

  /** What is wrong, the body, and the field that is named. */
  const pentestMistakes: [string, unknown, string][] = [
    ['a missing field', {}, 'targetUrl'],
    ['another missing field', { targetUrl: pentest.targetUrl }, 'verificationId'],
    ['a number for text', { ...pentest, targetUrl: 1 }, 'targetUrl'],
    ['null for text', { ...pentest, verificationId: null }, 'verificationId'],
    ['an empty text', { ...pentest, verificationId: '' }, 'verificationId'],
    ['a text that is empty', { ...pentest, verificationId: '' }, 'verificationId'],
    ['a URL of another scheme', { ...pentest, targetUrl: 'ftp://example.test/' }, 'targetUrl'],
    ['a bare domain', { ...pentest, targetUrl: 'example.test' }, 'targetUrl'],
    ['a URL with a fragment', { ...pentest, targetUrl: 'https://example.test/#x' }, 'targetUrl'],
    ['a URL with a user', { ...pentest, targetUrl: 'https://u:p@example.test/' }, 'targetUrl'],
    ['a URL of 2,049 characters', { ...pentest, targetUrl: 'https://example.test/'.padEnd(2049, 'x') }, 'targetUrl'],
    ['a depth of the dashboard', { ...pentest, depth: 'EXTENDED' }, 'depth'],
    ['a depth in lower case', { ...pentest, depth: 'lead' }, 'depth'],
    ['an unknown member', { ...pentest, surprise: 1 }, 'surprise'],
    ['a member that only looks known', { ...pentest, TargetUrl: 1 }, 'TargetUrl'],
    ['an unknown member with a name of objects', { ...pentest, constructor: 1 }, 'constructor'],
    ['an object for a list', { ...pentest, credentials: {} }, 'credentials'],
    [
      '11 credentials',
      withCredentials(...Array.from({ length: 11 }, (_, i) => ({ ...credential, name: `n${i}` }))),
      'credentials',
    ],
    ['null for a credential', withCredentials(credential, null), 'credentials[1]'],
    ['a missing field of a credential', withCredentials({ user: 'u', pass: 'p' }), 'credentials[0].name'],
    ['a name with other characters', withCredentials({ ...credential, name: 'ü' }), 'credentials[0].name'],
    ['an unknown kind', withCredentials({ ...credential, kind: 'MAGIC' }), 'credentials[0].kind'],
    ['a number for a password', withCredentials({ ...credential, pass: 1 }), 'credentials[0].pass'],
    ['an unknown member of a credential', withCredentials({ ...credential, x: 1 }), 'credentials[0].x'],
    ['a repeated name: the second one', withCredentials(credential, credential), 'credentials[1].name'],
    [
      'a repeated name: the third one',
      withCredentials(credential, { ...credential, name: 'two' }, credential),
      'credentials[2].name',
    ],
    ['mode with another kind', withCredentials({ ...bearer, mode: 'json' }), 'credentials[0].mode'],
    ['location with another kind', withCredentials({ ...credential, location: 'query' }), 'credentials[0].location'],
    [
      'tokenUrl with another kind',
      withCredentials({ ...credential, tokenUrl: 'https://a.test/' }),
      'credentials[0].tokenUrl',
    ],
    ['tokenUrl without TLS', withCredentials({ ...bearer, tokenUrl: 'http://a.test/' }), 'credentials[0].tokenUrl'],
    ['scope without tokenUrl', withCredentials({ ...bearer, scope: 's' }), 'credentials[0].scope'],
    [
      'audience without tokenUrl',
      withCredentials(credential, { ...bearer, name: 'b', audience: 'a' }),
      'credentials[1].audience',
    ],
    ['NUL in a password', withCredentials({ ...credential, pass: 'p\0' }), 'credentials[0].pass'],
    [
      'an unpaired surrogate',
      withCredentials({ ...credential, instructions: '\ud83d' }),
      'credentials[0].instructions',
    ],
    ['a list', [pentest], 'body'],
    ['a text', '"text"', 'body'],
    ['null', 'null', 'body'],
  ];

  for (const [what, body, field] of pentestMistakes) {
    it(`in the start of a pentest: ${what}`, async () => {
      assertRefused(await send('startPentest', { body }), 'VALIDATION_ERROR', field);
    });
  }

  const scanMistakes: [string, unknown, string][] = [
    ['nothing in it', {}, 'url'],
    ['a list of URLs', { url: ['https://example.test/'] }, 'url'],
    ['an empty URL', { url: '' }, 'url'],
    ['a URL without a host', { url: 'https://' }, 'url'],
    ['a URL with a space', { url: 'https://example.test/ x' }, 'url'],
    ['a depth, which scans do not have', { url: 'https://example.test/', depth: 'LEAD' }, 'depth'],
  ];

  for (const [what, body, field] of scanMistakes) {
    it(`in the start of a scan: ${what}`, async () => {
      assertRefused(await send('startScan', { body }), 'VALIDATION_ERROR', field);
    });
  }

  const url = '"url":"https://example.test/"';
  const textMistakes: [string, string | Buffer, string][] = [
    ['no JSON', '{url}', 'body'],
    ['a trailing comma', `{${url},}`, 'body'],
    ['a second value', `{${url}}{}`, 'body'],
    ['a comment', `{${url}/**/}`, 'body'],
    ['NaN', '{"url":NaN}', 'body'],
    ['a byte order mark', `\ufeff{${url}}`, 'body'],
    ['text that is not UTF-8', Buffer.from(`{"url":"https://example.test/\xff"}`, 'latin1'), 'body'],
    ['an overlong encoding of UTF-8', Buffer.from(`{"url":"https://example.test/\xc0\xaf"}`, 'latin1'), 'body'],
    ['UTF-16', Buffer.from(`{${url}}`, 'utf16le'), 'body'],
    ['a member twice', `{${url},${url}}`, 'url'],
    ['a member twice, once with an escape', `{${url},"\\u0075rl":1}`, 'url'],
    ['a member twice in a part that is not known', '{"a":{"b":[{"c":1,"c":2}]}}', 'a.b[0].c'],
    ['__proto__', `{${url},"__proto__":{}}`, '__proto__'],
    ['__proto__ with escapes', `{${url},"\\u005f_proto__":{}}`, '__proto__'],
    ['an unpaired surrogate', '{"url":"https://example.test/\\ud83d"}', 'url'],
    ['half of a surrogate pair in a name', `{${url},"\\udc00":1}`, 'body'],
    ['NUL', '{"url":"https://example.test/\\u0000"}', 'url'],
    ['33 levels of lists', `${'['.repeat(33)}${']'.repeat(33)}`, 'body'],
  ];

  for (const [what, body, field] of textMistakes) {
    it(`in the text of the body: ${what}`, async () => {
      assertRefused(await send('startScan', { body }), 'VALIDATION_ERROR', field);
    });
  }

  it('a name as long as the body is cut', async () => {
    const name = 'n'.repeat(100_000);
    for (const member of [`"${name}":1`, `"${name}":1,"${name}":1`, `"${name}":{"__proto__":1}`]) {
      const body = `{${url},${member}}`;
      const answer = await send('startScan', { body });
      assertRefused(answer, 'VALIDATION_ERROR', name.slice(0, 200));
      assert.ok(answer.text.length < 1_000);
    }
  });

  const pageMistakes = [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=abc',
    'limit=',
    'limit=%201',
    'limit=1e1',
  ];
  const queryMistakes: [string, readonly string[]][] = [
    [
      '/v1/credits/usage',
      [...pageMistakes, 'from=yesterday', 'to=2024-02-30', 'from=2024-01-01T00:00', 'apiKeyId=%00'],
    ],
    ['/v1/pentests', [...pageMistakes, 'status=queued', 'status=QUEUED,', 'status=', 'status=QUEUED%20']],
    ['/v1/pentests/x/findings', [...pageMistakes, 'severity=HIGH', 'severity=high,,low', 'severity=urgent']],
    [
      '/v1/scans/x/findings',
      [...pageMistakes, 'offset=9007199254740992', 'offset=-1', 'limit=10&limit=10', 'limit=1,2'],
    ],
  ];

  for (const [path, queries] of queryMistakes) {
    it(`in the query of ${path}`, async () => {
      for (const query of queries) {
        assertRefused(await get(`${path}?${query}`), 'VALIDATION_ERROR', query.split('=')[0]);
      }
    });
  }

  it('unknown query parameters are ignored', async () => {
    assert.equal((await get('/v1/credits/balance?limit=x&limit=y&%00=%zz&a[b]=c')).status, 200);
    assert.equal((await get('/v1/credits/usage?Limit=x&severity=URGENT&__proto__=1&')).status, 200);
    assertPassedTheGates(await send('startScan', { target: '/v1/scans?url=x&limit=x' }));
  });
});

describe('the body of a request', () => {
  it('is JSON with Content-Type: application/json, with or without parameters', async () => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json;x=y',
    ]) {
      assertPassedTheGates(await send('startScan', { headers: { 'content-type': type } }));
    }
    for (const type of [
      'text/plain',
      'text/json',
      'application/x-www-form-urlencoded',
      'application/ld+json',
      '',
      'json',
    ]) {
      const answer = await send('startScan', { headers: { 'content-type': type } });
      assertRefused(answer, 'VALIDATION_ERROR', 'Content-Type');
    }
    const { body } = validRequest('startScan').options;
    const text = JSON.stringify(body);
    const untyped = await sendRaw(world.server.baseUrl, [
      `POST /v1/scans HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.apiKey}\r\nIdempotency-Key: k\r\n`,
      `Connection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    ]);
    assert.match(untyped.answers[0]?.text ?? '', /"field":"Content-Type"/);
  });

  it('of a start is required: with neither Content-Length nor Transfer-Encoding it is empty', async () => {
    for (const name of ['startScan', 'startPentest'] as const) {
      for (const headers of [{}, { 'content-length': 0 }, { 'content-type': 'application/json' }]) {
        assertRefused(await send(name, { body: undefined, headers }), 'VALIDATION_ERROR', 'body');
      }
    }
  });

  it('of a start may be sent in chunks', async () => {
    const text = JSON.stringify(validRequest('startScan').options.body);
    const { answers } = await sendRaw(world.server.baseUrl, [
      `POST /v1/scans HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.apiKey}\r\nIdempotency-Key: k\r\n`,
      'Connection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      ...[...text].map((character) => `1\r\n${character}\r\n`),
      '0\r\n\r\n',
    ]);
    assert.match(answers[0]?.text ?? '', /"code":"NOT_FOUND"|"status":"STARTED"/);
  });

  it('of a cancel must be empty: any byte is refused, a content type is not', async () => {
    for (const body of [' ', '{}', '\0', 'null', 'x'.repeat(600 * 1024)]) {
      const answer = await send('cancelPentest', { body, headers: { 'content-length': body.length } });
      assertRefused(answer, 'VALIDATION_ERROR', 'body');
    }
    for (const type of ['application/json', 'text/plain', 'what is this?', '']) {
      assertPassedTheGates(await send('cancelPentest', { headers: { 'content-type': type } }));
    }
    const odd = await send('cancelPentest', {
      body: '{}',
      headers: { 'content-length': 2, 'content-type': 'what is this?' },
    });
    assertRefused(odd, 'VALIDATION_ERROR', 'body');
  });

  it('is not waited for when the request is refused, unless it is small', async () => {
    const head = `POST /v1/scans HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
    for (const framing of ['Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n', 'Content-Length: 524289\r\n\r\n{']) {
      const { answers, ended } = await sendRaw(world.server.baseUrl, [head + framing], { deadlineMs: 5_000 });
      assert.deepEqual([answers[0]?.status, answers[0]?.headers.connection, ended], [401, 'close', 'closed'], framing);
    }
    const large = { method: 'POST', body: 'x'.repeat(5_000_000), target: '/v1/scans' };
    for (let i = 0; i < 20; i++) assertRefused(await call(world.server.baseUrl, large), 'UNAUTHORIZED');
    const next = `GET /v1/levels HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
    const small = await sendRaw(world.server.baseUrl, [`${head}Content-Length: 2\r\n\r\n{`, '}', next]);
    assert.deepEqual(
      small.answers.map(({ status }) => status),
      [401, 401],
    );
    const endless = `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`;
    const { answers } = await sendRaw(world.server.baseUrl, [endless, '0\r\n\r\n', next]);
    assert.equal(answers.length, 1, 'nothing is done on a connection that was said to end');
  });

  it('of a read is ignored', async () => {
    const answer = await send('listLevels', { body: '{', headers: { 'content-type': 'text/plain' } });
    assert.equal(answer.status, 200);
  });
});

describe('what is not HTTP', () => {
  const malformed: [string, string][] = [
    ['a greeting', 'hello\r\n\r\n'],
    ['an unknown version', 'GET /v1/levels HTTP/3.0\r\nHost: a\r\n\r\n'],
    ['a method in lower case', 'get /v1/levels HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no Host header', 'GET /v1/levels HTTP/1.1\r\n\r\n'],
    ['no Host header, and an expectation', 'GET /v1/levels HTTP/1.1\r\nExpect: wonders\r\n\r\n'],
    ['a header without a colon', 'GET /v1/levels HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    [
      'a length and chunks',
      'POST /v1/scans HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /v1/scans HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['headers of 17 KiB', `GET /v1/levels HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(17 * 1024)}\r\n\r\n`],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ];

  for (const [what, message] of malformed) {
    it(`is answered as a 400 with everything an answer carries, then closed: ${what}`, async () => {
      const { answers, rest, ended } = await sendRaw(world.server.baseUrl, [message]);
      assert.deepEqual([answers.length, rest, ended], [1, '', 'closed']);
      const [answer] = answers;
      assert.equal(answer?.status, 400);
      const { code, statusCode, message: words } = JSON.parse(answer.text);
      assert.deepEqual([code, statusCode, typeof words], ['VALIDATION_ERROR', 400, 'string']);
      assert.deepEqual(shownLimit(answer.headers), { limit: 1_000_000, remaining: 1_000_000, reset: 60 });
    });
  }

  it('is answered after the good requests before it, in their order', async () => {
    const good = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.apiKey}\r\n\r\n`;
    const chunked = `POST /v1/scans HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer ${owner.apiKey}\r\n`;
    const bad = [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      `${chunked}Content-Type: application/json\r\n\r\nzz\r\n`,
    ];
    for (const last of [...bad, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
      const message = good('/v1/levels') + good('/v1/scans/x') + good('/v1/credits/balance') + last;
      const { answers, rest } = await sendRaw(world.server.baseUrl, [message]);
      assert.deepEqual(
        answers.map(({ status, text }) => [status, text.includes('"levels"'), text.includes('"available"')]),
        [
          [200, true, false],
          [404, false, false],
          [200, false, true],
          [400, false, false],
        ],
        last,
      );
      assert.equal(rest, '');
    }
  });

  it('does not harm the server when the caller hangs up at once', async () => {
    const messages = [...malformed.map(([, message]) => message), 'GET /v1/levels HTTP/1.1\r\nHo'];
    for (let round = 0; round < 10; round++) {
      await Promise.all(messages.map((message) => sendRaw(world.server.baseUrl, [message], { cutAfterMs: 0 })));
    }
    assert.equal((await send('listLevels')).status, 200);
  });

  it('does not keep its connection, not even when the caller never lets go of it', async () => {
    const { hostname: host, port } = new URL(world.server.baseUrl);
    await Promise.all(
      malformed.map(async ([what, message]) => {
        const socket = net.connect({ host, port: Number(port), allowHalfOpen: true });
        let isGone = false;
        socket.on('error', () => {
          isGone = true;
        });
        socket.write(Buffer.from(message, 'latin1'));
        socket.resume();
        await once(socket, 'end');
        // What is sent to a connection that the server has given up is refused by its system.
        for (let attempt = 0; !isGone && attempt < 100; attempt++) {
          await sleep(200);
          socket.write('x');
        }
        socket.destroy();
        assert.ok(isGone, what);
      }),
    );
  });

  it('is HTTP without a Host header in version 1.0', async () => {
    const message = `GET /v1/levels HTTP/1.0\r\nAuthorization: Bearer ${owner.apiKey}\r\n\r\n`;
    const { answers, ended } = await sendRaw(world.server.baseUrl, [message]);
    assert.deepEqual([answers[0]?.status, ended], [200, 'closed']);
  });
});

describe('the network edge', () => {
  let edge: World;
  let member: Member;

  before(async () => {
    edge = await createWorld({ env: { SORTIE_EDGE_RATE: '1', SORTIE_EDGE_BURST: '5' } });
    member = await edge.createMember();
  });
  after(() => edge.end());

  const flood = (path: string, options: CallOptions) =>
    Promise.all(Array.from({ length: 30 }, () => call(edge.server.baseUrl + path, options)));

  function assertEmpty({ headers, text }: Answer): void {
    assert.equal(text, '');
    assert.equal(headers['content-length'], '0');
    assert.equal(headers['content-type'], undefined);
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('ratelimit')),
      [],
    );
  }

  it('answers a flood from one address with 429, no body and no RateLimit headers; it ends by waiting', async () => {
    const answers = await flood('/v1/levels', { key: member.apiKey });
    const refused = answers.filter(({ status }) => status !== 200);
    assert.ok(answers.length - refused.length >= 5, 'the burst is let through');
    assert.ok(refused.length > 0);
    for (const answer of refused) {
      assert.equal(answer.status, 429);
      assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
      assertEmpty(answer);
    }
    const { rows } = await edge.testDatabase.database.pool.query(
      "select requests from rate_counter where counter like 'key:%'",
    );
    assert.equal(rows[0].requests, answers.length - refused.length, 'what the edge refuses is not counted');
    await sleep(2_000);
    assert.equal((await call(`${edge.server.baseUrl}/v1/levels`, { key: member.apiKey })).status, 200);
  });

  it('does not believe what a caller says about its address', async () => {
    const claimed = Array.from({ length: 30 }, (_, i) =>
      call(`${edge.server.baseUrl}/v1/levels`, { headers: { 'x-forwarded-for': `203.0.113.${i}` } }),
    );
    assert.ok((await Promise.all(claimed)).some(({ status }) => status === 429));
  });

  it('counts messages that are not HTTP, and then closes their connections without an answer', async () => {
    await sleep(2_000);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => sendRaw(edge.server.baseUrl, ['hello\r\n\r\n'])),
    );
    const answered = outcomes.filter(({ answers }) => answers.length > 0);
    assert.ok(answered.length > 0 && answered.length < 15, String(answered.length));
    assert.ok(answered.every(({ answers }) => answers[0]?.status === 400));
    assert.ok(outcomes.every(({ ended }) => ended !== 'open'));
    const { text } = await call(`${edge.server.opsUrl}/metrics`);
    const refusals = (status: number) =>
      Number(new RegExp(`^sortie_edge_refusals_total\\{status="${status}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
    assert.equal(refusals(400), answered.length);
    assert.ok(refusals(429) >= 30 - answered.length, text);
  });

  it('answers 429 before 411: a flood of cancels without Content-Length', async () => {
    const answers = await flood('/v1/pentests/x/cancel', { method: 'POST' });
    assert.ok(answers.some(({ status }) => status === 429));
    for (const answer of answers) {
      assert.ok(answer.status === 429 || answer.status === 411, String(answer.status));
      assertEmpty(answer);
    }
  });

  it('answers 411 to a cancel without Content-Length, however it is spelled', async () => {
    const paths = [
      '/v1/pentests/x/cancel',
      '/v1/pentests/x/cancel?a=b',
      '/v1/pentests/x/%63ancel',
      '/v1/pentests/%zz/cancel',
    ];
    const odd = [
      '/v1/pentests//cancel',
      '/v1/pentests/x/cancel#a',
      'http://a/v1/pentests/x/cancel',
      '/v1/pentests/%2F/cancel',
    ];
    for (const path of [...paths, ...odd]) {
      for (const framing of ['', 'Transfer-Encoding: chunked\r\n']) {
        const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.apiKey}\r\n${framing}\r\n`;
        const { answers, rest, ended } = await sendRaw(world.server.baseUrl, [head]);
        assert.deepEqual([answers.map(({ status }) => status), rest, ended], [[411], '', 'closed'], path);
        assertEmpty(answers[0] as unknown as Answer);
      }
    }
  });

  it('takes no address for a cancel that the router does not know', async () => {
    const head = 'POST /v1/pentests/x/cancel/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    for (const [key, status] of [
      ['', 401],
      [`Authorization: Bearer ${owner.apiKey}\r\n`, 404],
    ] as const) {
      const { answers } = await sendRaw(world.server.baseUrl, [`${head}${key}\r\n`]);
      assert.equal(answers[0]?.status, status);
    }
  });

  it('lets a cancel with Content-Length: 0 through, and asks no other request for a length', async () => {
    assertPassedTheGates(await send('cancelPentest'));
    const start = await call(`${world.server.baseUrl}/v1/pentests`, { method: 'POST', key: owner.apiKey });
    assertRefused(start, 'VALIDATION_ERROR', 'body');
  });
});
