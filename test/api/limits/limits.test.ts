import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { EndpointName } from '@sortie/contract';
import {
  assertPassedTheGates,
  assertRefused,
  type ShownLimit,
  shownLimit,
} from '@sortie/testing/http/assert-answer.ts';
import { type Answer, type CallOptions, call } from '@sortie/testing/http/call.ts';
import { validRequest } from '@sortie/testing/http/endpoint-request.ts';
import { sendRaw } from '@sortie/testing/http/raw-message.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;

before(async () => {
  world = await createWorld();
});
after(() => world.end());

function send(name: EndpointName, key: string, changes: CallOptions = {}): Promise<Answer> {
  const { path, options } = validRequest(name);
  return call(world.server.baseUrl + path, {
    ...options,
    key,
    ...changes,
    headers: { ...options.headers, ...changes.headers },
  });
}

const read = ({ apiKey }: Member) => send('getCreditsBalance', apiKey);
const write = ({ apiKey }: Member) => send('startScan', apiKey);

async function repeat(times: number, request: () => Promise<Answer>): Promise<Answer[]> {
  const answers = [];
  for (let i = 0; i < times; i++) answers.push(await request());
  return answers;
}

/** Requests whose order does not matter. */
const atOnce = (times: number, request: () => Promise<Answer>) => Promise.all(Array.from({ length: times }, request));

/** Moves the end of windows that have begun; the rest of the world keeps the real time. */
async function endWindow(name: string, inSeconds: number): Promise<void> {
  const { rowCount } = await world.testDatabase.database.pool.query(
    "update rate_counter set window_ends_at = clock_timestamp() + $2 * interval '1 second' where counter like '%:' || $1",
    [name, inSeconds],
  );
  assert.ok(rowCount, 'no window was found');
}

function assertLimited(answer: Answer): void {
  assertRefused(answer, 'RATE_LIMITED');
  assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
}

describe('reads: 120 a minute for each key', () => {
  it('admits 120 and shows how many are left, then refuses with 429 and Retry-After', async () => {
    const member = await world.createMember();
    for (let left = 119; left >= 0; left--) {
      const answer = await read(member);
      assert.equal(answer.status, 200);
      const { limit, remaining, reset } = shownLimit(answer.headers);
      assert.deepEqual([limit, remaining], [120, left]);
      assert.ok(reset >= 1 && reset <= 60, String(reset));
      assert.equal(answer.headers['retry-after'], undefined);
    }
    for (const answer of await repeat(3, () => read(member))) {
      assertLimited(answer);
      const { limit, remaining, reset } = shownLimit(answer.headers);
      assert.deepEqual([limit, remaining], [120, 0]);
      assert.equal(Number(answer.headers['retry-after']), reset);
    }
  });

  it('counts all reading endpoints together, and each key for itself', async () => {
    const member = await world.createMember();
    const another = await world.createKey(member);
    const names = ['getCreditsBalance', 'getCreditsUsage', 'listLevels', 'getScan', 'listPentests'] as const;
    let left = 120;
    for (const name of names) {
      assert.equal(shownLimit((await send(name, member.apiKey)).headers).remaining, --left);
    }
    assert.equal(shownLimit((await read(another)).headers).remaining, 119);
  });

  it('counts nothing for the documentation', async () => {
    const member = await world.createMember();
    for (const path of ['/v1/openapi.json', '/docs/']) {
      const answer = await call(world.server.baseUrl + path, { key: member.apiKey });
      assert.deepEqual(shownLimit(answer.headers), { limit: 120, remaining: 120, reset: 60 });
    }
    assert.equal(shownLimit((await read(member)).headers).remaining, 119);
  });
});

describe('reads: 600 a minute for each account, across all keys', () => {
  it('refuses the 601st, whichever key sends it, and no other account', async () => {
    const first = await world.createMember();
    const keys = [first, ...(await Promise.all([1, 2, 3, 4].map(() => world.createKey(first))))];
    const colleague = await world.createMember({ accountId: first.accountId, role: 'MEMBER' });
    for (const key of keys) {
      const answers = await atOnce(115, () => read(key));
      assert.ok(answers.every(({ status }) => status === 200));
    }
    const answers = await repeat(26, () => read(colleague));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(25).fill(200), 429],
    );
    const [beforeLast, last] = answers.slice(-2).map(({ headers }) => shownLimit(headers));
    assert.deepEqual([beforeLast?.limit, beforeLast?.remaining], [600, 0]);
    assert.deepEqual([last?.limit, last?.remaining], [600, 0]);
    for (const key of [...keys, await world.createKey(first)]) assertLimited(await read(key));
    assert.equal((await read(await world.createMember())).status, 200);
    assertPassedTheGates(await write(colleague));
  });

  it('shows the limit with the fewest requests left; of equals, the smaller limit', async () => {
    const member = await world.createMember();
    const others = await Promise.all([1, 2, 3, 4].map(() => world.createKey(member)));
    const shown = async (key: Member) => {
      const { limit, remaining } = shownLimit((await read(key)).headers);
      return [limit, remaining];
    };
    assert.deepEqual(await shown(member), [120, 119]);
    for (const key of others) await atOnce(119, () => read(key));
    // 477 of the account are counted and one of this key: 600 - 478 and 120 - 2.
    assert.deepEqual(await shown(member), [120, 118]);
    for (const key of others.slice(1)) await read(key);
    // 481 and 2 are counted: this one leaves 118 of the account, and 117 of the key.
    assert.deepEqual(await shown(member), [120, 117]);
    for (const key of others.slice(0, 1)) await read(key);
    // 483 and 3 are counted: it leaves 116 of both.
    assert.deepEqual(await shown(member), [120, 116]);
    await read(await world.createKey(member));
    // 485 and 4 are counted: it leaves 114 of the account, and 115 of the key.
    assert.deepEqual(await shown(member), [600, 114]);
  });
});

describe('starts and cancels: 10 a minute for each key', () => {
  it('admits 10 of them together, and shows this limit', async () => {
    const member = await world.createMember();
    const names = ['startScan', 'startPentest', 'cancelPentest'] as const;
    for (let left = 9; left >= 0; left--) {
      const answer = await send(names[left % 3] ?? 'startScan', member.apiKey);
      assertPassedTheGates(answer);
      const { limit, remaining } = shownLimit(answer.headers);
      assert.deepEqual([limit, remaining], [10, left]);
    }
    for (const name of names) {
      const answer = await send(name, member.apiKey);
      assertLimited(answer);
      const { limit, remaining, reset } = shownLimit(answer.headers);
      assert.deepEqual([limit, remaining], [10, 0]);
      assert.equal(Number(answer.headers['retry-after']), reset);
    }
  });

  it('does not mix them with reads, and has no limit across keys', async () => {
    const member = await world.createMember();
    await atOnce(11, () => write(member));
    assert.equal(shownLimit((await read(member)).headers).remaining, 119);
    const busy = await world.createKey(member);
    await atOnce(121, () => read(busy));
    assert.equal(shownLimit((await write(busy)).headers).remaining, 9);
  });
});

describe('every request is counted once', () => {
  it('whatever it is answered, unless its key is refused', async () => {
    const member = await world.createMember({ permissions: 'credits:read,scans:write' });
    const { apiKey: key, accountId } = member;
    const base = world.server.baseUrl;
    const reads: (() => Promise<Answer>)[] = [
      () => read(member),
      () => send('listPentests', key),
      () => call(`${base}/v1/credits/usage?limit=x`, { key }),
      () => call(`${base}/v1/nothing-here`, { key }),
    ];
    const writes: (() => Promise<Answer>)[] = [
      () => write(member),
      () => send('startScan', key, { body: '{' }),
      () => send('startPentest', key),
      () => call(`${base}/v1/nothing-here`, { key, method: 'POST', body: 'x'.repeat(300_000) }),
      () => call(`${base}/v1/levels`, { key, method: 'DELETE' }),
      () => call(`${base}/v1/levels`, { key, method: 'HEAD' }),
    ];
    const check = async (requests: (() => Promise<Answer>)[], limit: number, counted: number) => {
      let remaining = limit - counted;
      for (const request of requests) {
        const shown = shownLimit((await request()).headers);
        assert.deepEqual([shown.limit, shown.remaining], [limit, --remaining]);
      }
    };
    await check(reads, 120, 0);
    await check(writes, 10, 0);
    await world.admin.account.suspend({ id: accountId });
    await check([() => read(member)], 120, reads.length);
    await check([() => write(member)], 10, writes.length);
  });

  it('also when it is refused: retrying before Retry-After keeps the caller refused', async () => {
    const member = await world.createMember();
    const answers = await atOnce(599, () => read(member));
    assert.equal(answers.filter(({ status }) => status === 200).length, 120);
    const another = await world.createKey(member);
    assert.equal((await read(another)).status, 200);
    // The refused ones have used up what the account had.
    assertLimited(await read(another));
    assertLimited(await read(member));
  });
});

describe('windows', () => {
  it('begin with the first request counted in them and do not move', async () => {
    const member = await world.createMember();
    assert.equal(shownLimit((await read(member)).headers).reset, 60);
    await endWindow(member.apiKeyId, 30);
    await endWindow(member.accountId, 30);
    for (const answer of await repeat(3, () => read(member))) {
      const { reset } = shownLimit(answer.headers);
      assert.ok(reset >= 1 && reset <= 30, String(reset));
    }
    assert.equal(shownLimit((await write(member)).headers).reset, 60, 'each limit has a window of its own');
  });

  it('restart after Retry-After, with everything left', async () => {
    for (const [limit, request, accountToo] of [
      [120, read, true],
      [10, write, false],
    ] as const) {
      const member = await world.createMember();
      await atOnce(limit, () => request(member));
      assertLimited(await request(member));
      await endWindow(member.apiKeyId, 0);
      const fresh = await request(member);
      assertPassedTheGates(fresh);
      assert.deepEqual(shownLimit(fresh.headers), { limit, remaining: limit - 1, reset: 60 });
      if (accountToo) {
        const { rows } = await world.testDatabase.database.pool.query(
          'select requests from rate_counter where counter = $1',
          [`account:read:${member.accountId}`],
        );
        assert.equal(rows[0].requests, limit + 2, 'the window of the account goes on');
      }
    }
  });

  it('end one by one: Retry-After waits for all that are used up, RateLimit-Reset is of the limit shown', async () => {
    const member = await world.createMember();
    await atOnce(601, () => read(member));
    await endWindow(member.apiKeyId, 10);
    await endWindow(member.accountId, 50);
    const both = await read(member);
    assertLimited(both);
    const { limit, reset } = shownLimit(both.headers);
    const retryAfter = Number(both.headers['retry-after']);
    assert.ok(limit === 120 && reset <= 10, `${limit} ${reset}`);
    assert.ok(retryAfter > 10 && retryAfter <= 50, String(retryAfter));
    await endWindow(member.apiKeyId, 0);
    const accountOnly = await read(member);
    assertLimited(accountOnly);
    assert.equal(shownLimit(accountOnly.headers).limit, 600);
    await endWindow(member.accountId, 0);
    assert.equal((await read(member)).status, 200);
  });

  it('are shown in whole seconds, at least one', async () => {
    const member = await world.createMember();
    let shown: ShownLimit | undefined;
    // On a busy machine the window may have ended before the request arrives.
    for (let attempt = 0; attempt < 20 && (shown === undefined || shown.remaining === 119); attempt++) {
      await read(member);
      await endWindow(member.apiKeyId, 0.5);
      shown = shownLimit((await read(member)).headers);
    }
    assert.equal(shown?.reset, 1);
  });

  it('run on the real clock: moving the service clock does not end them', async () => {
    const member = await world.createMember();
    await atOnce(10, () => write(member));
    await world.admin.clock.advance({ duration: '1d' });
    assertLimited(await write(member));
  });
});

describe('every answer carries RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset', () => {
  it('also a refusal, a page that is not found, the documentation, and what is not HTTP', async () => {
    const { apiKey: key } = await world.createMember({ permissions: 'credits:read' });
    const base = world.server.baseUrl;
    const expected: [number, Promise<Answer>][] = [
      [200, send('listLevels', key)],
      [200, call(`${base}/v1/openapi.json`)],
      [302, call(`${base}/docs`)],
      [400, call(`${base}/v1/credits/usage?limit=0`, { key })],
      [401, call(`${base}/v1/levels`)],
      [401, call(`${base}/v1/scans`, { method: 'POST' })],
      [403, send('startPentest', key)],
      [404, call(`${base}/v1/nothing-here`, { key })],
      [404, call(`${base}/nothing-here`)],
      [404, call(`${base}/v1/levels`, { key, method: 'OPTIONS' })],
    ];
    for (const [status, request] of expected) {
      const answer = await request;
      assert.equal(answer.status, status, answer.text);
      shownLimit(answer.headers);
    }
    for (const message of ['nonsense\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
      const { answers } = await sendRaw(base, [message]);
      assert.deepEqual(shownLimit(answers[0]?.headers ?? {}), { limit: 120, remaining: 120, reset: 60 });
    }
  });
});

describe('Idempotency-Key: a string of up to 255 visible characters, with no spaces', () => {
  let member: Member;

  const startWith = async (name: EndpointName, value: string | string[] | undefined) => {
    // Each with a key of its own: ten starts a minute are not enough.
    const { apiKey } = await world.createKey(member);
    const { options, path } = validRequest(name);
    const headers = value === undefined ? {} : { 'idempotency-key': value };
    return call(world.server.baseUrl + path, { ...options, key: apiKey, headers: { ...options.headers, ...headers } });
  };

  // A key string belongs to the account: what one endpoint was sent, the other may not be.
  beforeEach(async () => {
    member = await world.createMember();
  });

  const visible = Array.from({ length: 0x7e - 0x21 + 1 }, (_, i) => String.fromCharCode(0x21 + i)).join('');

  for (const name of ['startScan', 'startPentest'] as const) {
    it(`${name} takes one of 1 to 255 visible characters`, async () => {
      for (const value of ['k', 'x'.repeat(255), visible, '"quoted"', '0']) {
        assertPassedTheGates(await startWith(name, value));
      }
    });

    it(`${name} refuses one that is empty, too long, repeated or has other characters`, async () => {
      const bad = ['', ' ', 'x'.repeat(256), 'x'.repeat(5_000), 'a b', 'a\tb', 'caf\u00e9', '\u00a0', '\u00ff'];
      for (const value of [...bad, ['a', 'a'], ['a', 'b']]) {
        assertRefused(await startWith(name, value), 'VALIDATION_ERROR', 'Idempotency-Key');
      }
    });

    it(`${name} refuses to go without one`, async () => {
      const { body } = validRequest(name).options;
      const { apiKey: key } = member;
      const { path } = validRequest(name);
      const answer = await call(world.server.baseUrl + path, { method: 'POST', key, body });
      assertRefused(answer, 'VALIDATION_ERROR', 'Idempotency-Key');
    });
  }

  it('is not asked of any other endpoint, and not looked at there', async () => {
    for (const name of ['getCreditsBalance', 'cancelPentest'] as const) {
      assertPassedTheGates(await startWith(name, undefined));
      assertPassedTheGates(await startWith(name, 'a b'));
    }
  });
});

describe('the size of a request', () => {
  const start = JSON.stringify(validRequest('startScan').options.body);
  let member: Member;

  before(async () => {
    member = await world.createMember();
  });

  it('is at most 512 KiB of body', async () => {
    const largest = start.padEnd(512 * 1024);
    assertPassedTheGates(await send('startScan', member.apiKey, { body: largest }));
    assertRefused(await send('startScan', member.apiKey, { body: `${largest} ` }), 'VALIDATION_ERROR', 'body');
    for (const [length, expected] of [
      [largest.length, /"code":"NOT_FOUND"|"status":"STARTED"/],
      [largest.length + 1, /"code":"VALIDATION_ERROR".*"field":"body"/],
    ] as const) {
      const { answers } = await sendRaw(world.server.baseUrl, [
        `POST /v1/scans HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${member.apiKey}\r\nIdempotency-Key: k\r\n`,
        'Connection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
        `${length.toString(16)}\r\n${start.padEnd(length)}\r\n0\r\n\r\n`,
      ]);
      assert.match(answers[0]?.text ?? '', expected);
    }
  });

  it('is at most 32 levels deep', async () => {
    const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const fieldOf = async (body: string) => (await send('startScan', member.apiKey, { body })).body?.field;
    // Not too deep, so the schema gets to say that something else is missing.
    assert.equal(await fieldOf(nested(32)), 'url');
    assert.equal(await fieldOf(nested(33)), 'body');
  });
});
