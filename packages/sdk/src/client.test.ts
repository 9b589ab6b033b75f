import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { endpoints } from '@sortie/contract';
import { apiKey, createFakeService, rateLimitHeaders, refusal } from '@sortie/testing/cli/sdk-service.ts';
import { createClient } from './client.ts';
import { errorCodes } from './contract.ts';
import { ApiError, isKnownCode, TransportError } from './errors.ts';
import { createSecret } from './secret.ts';

const body = { targetUrl: 'https://shop.example/', verificationId: 'ver_1' };
const anything = { body: { id: 'x' } };

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
}

async function apiErrorOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await failureOf(promise);
  assert.ok(error instanceof ApiError, String(error));
  return error;
}

describe('the methods of a client', () => {
  it('are those of the contract, each with its method and path', async () => {
    const service = createFakeService([anything], { goesOn: true });
    const { credits, key, levels, scans, pentests, targets } = service.client();
    await credits.balance();
    await credits.usage();
    await levels.list();
    await key.get();
    await scans.start({ url: 'example.com' });
    await scans.list();
    await scans.get('x');
    await scans.findings('x');
    await pentests.start(body);
    await pentests.list();
    await pentests.get('x');
    await pentests.findings('x');
    await pentests.finding('x', 'x');
    await pentests.summary('x');
    await pentests.cancel('x');
    await targets.list();
    await targets.get('x');
    const expected = Object.values(endpoints).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, 'x')}`);
    assert.deepEqual(service.asked().sort(), expected.sort());
  });

  it('send the key, and a JSON body only where there is one', async () => {
    const service = createFakeService([anything], { goesOn: true });
    const client = service.client();
    await client.pentests.get('x');
    await client.pentests.cancel('x');
    await client.scans.start({ url: 'example.com' }, { idempotencyKey: 'k' });
    const common = { authorization: `Bearer ${apiKey}`, accept: 'application/json' };
    assert.deepEqual(
      service.received.map(({ headers, body: sent }) => [headers, sent]),
      [
        [common, undefined],
        [common, undefined],
        [{ ...common, 'content-type': 'application/json', 'idempotency-key': 'k' }, '{"url":"example.com"}'],
      ],
    );
  });

  it('write lists as the service reads them, whatever their case', async () => {
    const service = createFakeService([anything], { goesOn: true });
    const client = service.client();
    await client.pentests.findings('x', { severity: ['CRITICAL', 'high'], limit: 5, offset: undefined });
    await client.scans.findings('x', { severity: ['NEW_ONE'] });
    await client.pentests.list({ status: ['QUEUED', 'failed'] });
    assert.deepEqual(service.asked(), [
      'GET /v1/pentests/x/findings?severity=critical%2Chigh&limit=5',
      'GET /v1/scans/x/findings?severity=NEW_ONE',
      'GET /v1/pentests?status=QUEUED%2CFAILED',
    ]);
  });

  it('write instants in UTC, and texts so that the service reads them back', async () => {
    const service = createFakeService([anything], { goesOn: true });
    await service.client().credits.usage({
      from: new Date('2026-01-02T03:04:05Z'),
      to: '2026-01-02T03:04:05+02:00',
      apiKeyId: 'a&b=ü',
    });
    const { searchParams } = new URL(service.received[0]?.url ?? '');
    assert.deepEqual(Object.fromEntries(searchParams), {
      from: '2026-01-02T03:04:05.000Z',
      to: '2026-01-02T03:04:05+02:00',
      apiKeyId: 'a&b=ü',
    });
  });

  it('keep an id in its place', async () => {
    const service = createFakeService([anything], { goesOn: true });
    await service.client().pentests.cancel('a/../b?c#d');
    assert.deepEqual(service.asked(), ['POST /v1/pentests/a%2F..%2Fb%3Fc%23d/cancel']);
  });

  for (const id of ['', '.', '..']) {
    it(`refuse the id ${JSON.stringify(id)}, which would be lost in an address`, async () => {
      await assert.rejects(createFakeService([]).client().pentests.cancel(id), TypeError);
    });
  }
});

describe('where a client calls', () => {
  for (const [baseUrl, called] of Object.entries({
    'https://sortie.example': 'https://sortie.example/v1/levels',
    'https://sortie.example/': 'https://sortie.example/v1/levels',
    'HTTP://127.0.0.1:8080//': 'http://127.0.0.1:8080/v1/levels',
    'https://gateway.example/sortie/': 'https://gateway.example/sortie/v1/levels',
  })) {
    it(`is below ${baseUrl}`, async () => {
      const service = createFakeService([anything]);
      await service.client({ baseUrl }).levels.list();
      assert.equal(service.received[0]?.url, called);
    });
  }

  for (const baseUrl of ['', 'sortie.example', 'ftp://sortie.example', 'https://u:p@sortie.example', 'https://a/?b']) {
    it(`cannot be ${JSON.stringify(baseUrl)}`, () => {
      assert.throws(() => createClient({ apiKey, baseUrl }), TypeError);
    });
  }

  it('is never where a redirect points to', async () => {
    const moved = { status: 301, headers: { location: 'https://elsewhere.example/v1/levels' } };
    const service = createFakeService([moved]);
    const error = await apiErrorOf(service.client().levels.list());
    assert.deepEqual([error.code, error.hasErrorObject], ['HTTP_301', false]);
    assert.match(error.message, /redirects to https:\/\/elsewhere\.example/);
  });
});

describe('an answer', () => {
  it('has its data, its rate limit and the id of the request', async () => {
    const service = createFakeService([{ ...anything, headers: { ...rateLimitHeaders, 'x-request-id': 'req-1' } }]);
    assert.deepEqual(await service.client().levels.list(), {
      data: { id: 'x' },
      rateLimit: { limit: 120, remaining: 117, resetSeconds: 42 },
      requestId: 'req-1',
    });
  });

  it('has no rate limit when it says nothing of it, or nothing that can be read', async () => {
    const odd = { ...anything, headers: { ...rateLimitHeaders, 'ratelimit-reset': 'soon' } };
    const service = createFakeService([anything, odd]);
    const client = service.client();
    assert.equal((await client.levels.list()).rateLimit, null);
    assert.equal((await client.levels.list()).rateLimit, null);
  });

  it('keeps fields and values that this version does not know', async () => {
    const answered = { id: 'x', status: 'DREAMING', reportReleased: false, mood: ['calm'] };
    const service = createFakeService([{ body: answered }]);
    const { data } = await service.client().pentests.get('x');
    const { status } = data;
    assert.equal(status, 'DREAMING');
    assert.deepEqual(data, answered);
  });

  for (const text of ['', 'hello', '<html>', '[]', '7', 'null', '{"cut":']) {
    it(`that is ${JSON.stringify(text)} is no answer of the service`, async () => {
      const service = createFakeService([{ body: text }], { goesOn: true });
      const error = await failureOf(service.client({ maxRetries: 0 }).levels.list());
      assert.ok(error instanceof TransportError && error.reason === 'unreadable');
    });
  }
});

describe('a refusal', () => {
  it('is an error with all that the service says', async () => {
    const refused = refusal(400, 'VALIDATION_ERROR', { 'x-request-id': 'req-1' });
    const service = createFakeService([{ ...refused, body: { ...(refused.body as object), field: 'targetUrl' } }]);
    const error = await apiErrorOf(service.client().pentests.start(body, { idempotencyKey: 'k' }));
    assert.deepEqual(
      { ...error, message: error.message },
      {
        name: 'ApiError',
        code: 'VALIDATION_ERROR',
        message: 'Refused: VALIDATION_ERROR.',
        statusCode: 400,
        field: 'targetUrl',
        requestId: 'req-1',
        retryAfter: null,
        rateLimit: { limit: 120, remaining: 117, resetSeconds: 42 },
        hasErrorObject: true,
        idempotencyKey: 'k',
      },
    );
  });

  it('with a code of the contract is known, and another one is passed on', async () => {
    const service = createFakeService([refusal(403, 'MOON_IN_WRONG_PHASE')]);
    const { code } = await apiErrorOf(service.client().levels.list());
    assert.equal(code, 'MOON_IN_WRONG_PHASE');
    assert.equal(isKnownCode(code), false);
    assert.ok(errorCodes.every(isKnownCode));
  });

  it('reads a Retry-After that is a date, as proxies write it', async () => {
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    const service = createFakeService([{ status: 503, headers: { 'retry-after': later } }]);
    const { retryAfter } = await apiErrorOf(service.client().levels.list());
    assert.ok(retryAfter !== null && retryAfter > 3_500 && retryAfter <= 3_600, String(retryAfter));
  });
});

describe('a call that takes too long', () => {
  it('ends after the timeout', async () => {
    const fetch = (_url: string, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const client = createFakeService([]).client({ fetch, timeoutMs: 5, maxRetries: 0 });
    const error = await failureOf(client.levels.list());
    assert.ok(error instanceof TransportError && error.reason === 'timeout');
  });

  it('ends with the reason of a signal, and is not repeated', async () => {
    const stop = new AbortController();
    const service = createFakeService([
      () => {
        stop.abort('enough');
        throw new TypeError('fetch failed');
      },
    ]);
    const client = service.client({ maxRetries: 0 });
    assert.equal(await failureOf(client.levels.list({ signal: stop.signal })), 'enough');
    assert.equal(await failureOf(client.levels.list({ signal: stop.signal })), 'enough');
    assert.equal(service.received.length, 1);
  });

  it('can be stopped while it waits to repeat itself', async () => {
    const stop = new AbortController();
    const service = createFakeService([refusal(500, 'INTERNAL_ERROR')]);
    const client = service.client({ onRetry: () => stop.abort('enough') });
    assert.equal(await failureOf(client.levels.list({ signal: stop.signal })), 'enough');
  });
});

describe('what must not be printed', () => {
  const printed = (value: unknown) =>
    `${inspect(value, { depth: 9, showHidden: true })} ${JSON.stringify(value)} ${value}`;

  it('is not in a secret', () => {
    const secret = createSecret('canary');
    assert.equal(secret.reveal(), 'canary');
    assert.deepEqual([inspect(secret), JSON.stringify(secret), `${secret}`], ['[secret]', '"[secret]"', '[secret]']);
    assert.equal(printed({ secret, text: `${secret}` }).includes('canary'), false);
    assert.equal(printed(secret).includes('canary'), false);
  });

  it('is sent from secrets, whoever made them', async () => {
    const service = createFakeService([anything]);
    const pass = createSecret('canary');
    const credentials = [
      { name: 'shopper', user: 'u', pass, totpSecret: { reveal: () => 'otp', toString: () => '', toJSON: () => '' } },
    ];
    await service.client({ apiKey: createSecret(apiKey) }).pentests.start({ ...body, credentials });
    assert.deepEqual(JSON.parse(service.received[0]?.body ?? ''), {
      ...body,
      credentials: [{ name: 'shopper', user: 'u', pass: 'canary', totpSecret: 'otp' }],
    });
    assert.equal(service.received[0]?.headers.authorization, `Bearer ${apiKey}`);
  });

  it('is neither in a client nor in its errors', async () => {
    const service = createFakeService([refusal(402, 'INSUFFICIENT_CREDITS'), new TypeError('fetch failed')]);
    const client = service.client({ maxRetries: 0 });
    const credentials = [{ name: 'shopper', user: 'u', pass: 'canary' }];
    const errors = [
      await failureOf(client.pentests.start({ ...body, credentials })),
      await failureOf(client.pentests.start({ ...body, credentials })),
    ];
    for (const text of [printed(client), ...errors.map(printed)]) {
      assert.equal(text.includes(apiKey) || text.includes('canary'), false, text);
    }
  });

  it('is not in what is said of a key that cannot be sent', () => {
    for (const wrong of [`${apiKey}\n`, `${apiKey} x`, 'schlüssel']) {
      assert.throws(
        () => createClient({ apiKey: wrong, baseUrl: 'https://sortie.example' }),
        (error) => error instanceof TypeError && !printed(error).includes(wrong.trim()),
      );
    }
  });
});
