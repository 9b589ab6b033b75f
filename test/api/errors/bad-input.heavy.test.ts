import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type ErrorCode, ErrorObject, endpoints, errorCodesOf, errors } from '@sortie/contract';
import { shownLimit } from '@sortie/testing/http/assert-answer.ts';
import { type BadMessage, createMessages } from '@sortie/testing/http/bad-messages.ts';
import { type BadRequest, badRequests, endpointOf } from '@sortie/testing/http/bad-requests.ts';
import { type Answer, call } from '@sortie/testing/http/call.ts';
import { type RawAnswer, sendRaw } from '@sortie/testing/http/raw-message.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';
import fc from 'fast-check';

const REQUESTS = isFull ? 8_000 : 500;
const MESSAGES = isFull ? 2_000 : 250;
const MESSAGES_AT_ONCE = 25;
const seed = Number(process.env.SORTIE_TEST_SEED ?? randomInt(2 ** 31));

let world: World;
let member: Member;
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

before(async () => {
  console.log(`SORTIE_TEST_SEED=${seed} repeats this run`);
  const limits = {
    SORTIE_LIMIT_READS_PER_KEY: '100000000',
    SORTIE_LIMIT_READS_PER_ACCOUNT: '100000000',
    SORTIE_LIMIT_WRITES_PER_KEY: '100000000',
  };
  // No worker: whatever is started by accident contacts nobody.
  world = await createWorld({ env: limits, flags: ['--no-demo', '--role', 'api'] });
  member = await world.createMember();
});
after(async () => {
  agent.destroy();
  await world.end();
});

/** How often each word was counted, most frequent first. */
function createTally() {
  const counts = new Map<string, number>();
  return {
    add: (word: string) => counts.set(word, (counts.get(word) ?? 0) + 1),
    of: (word: string) => counts.get(word) ?? 0,
    words: () => [...counts.keys()],
    total: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    toString: () =>
      [...counts]
        .sort((a, b) => b[1] - a[1])
        .map(([word, count]) => `${word}: ${count}`)
        .join(', '),
  };
}

/** The gate that answered, by its number in the documented order of refusals. */
function gateOf({ status, body }: Answer, request: BadRequest): number {
  if (status === 411) return 2;
  if (status === 429) return body ? 4 : 1;
  if (status === 401) return 3;
  if (status === 404 && endpointOf(request) === undefined) return 5;
  if (body?.code === 'ACCOUNT_SUSPENDED') return 6;
  if (status === 400) return 8;
  if (status === 409 || status === 422) return 9;
  return 10;
}

function assertError(answer: { status: number; text: string }, allowed: readonly ErrorCode[]): void {
  const { code, statusCode } = ErrorObject.strict().parse(JSON.parse(answer.text));
  assert.equal(statusCode, answer.status);
  assert.equal(errors[code].status, answer.status);
  assert.ok(allowed.includes(code), `${code} is not listed for this endpoint`);
}

function assertGoodAnswer(answer: Answer, request: BadRequest): void {
  const { status, text, headers } = answer;
  assert.ok(status < 500, `${status} ${text}`);
  if (status === 411) {
    assert.equal(text, '');
    return;
  }
  shownLimit(headers);
  assert.ok(headers['x-request-id']);
  const name = endpointOf(request);
  const endpoint = name && endpoints[name];
  if (status >= 400)
    assertError(answer, endpoint ? [...errorCodesOf(endpoint), 'NOT_FOUND'] : ['NOT_FOUND', 'UNAUTHORIZED']);
  else {
    assert.equal(status, endpoint?.answer.status);
    endpoint?.answer.schema.parse(answer.body);
  }
}

function send({ method, target, headers, body, isAuthorized }: BadRequest): Promise<Answer> {
  return call(world.server.baseUrl, {
    method,
    target,
    headers,
    agent,
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
    ...(isAuthorized ? { key: member.apiKey } : {}),
  });
}

async function serverMegabytes(): Promise<number> {
  const { text } = await call(`${world.server.opsUrl}/metrics`);
  const bytes = /^process_resident_memory_bytes (\S+)/m.exec(text)?.[1];
  return Math.round(Number(bytes) / 2 ** 20);
}

async function assertIsWell(): Promise<void> {
  const { status } = await call(`${world.server.baseUrl}/v1/credits/balance`, { key: member.apiKey });
  assert.equal(status, 200);
  const { text } = await call(`${world.server.opsUrl}/metrics`);
  assert.doesNotMatch(text, /^sortie_http_request_seconds_count\{[^}]*status="5\d\d"/m);
  const failures = world.server
    .log()
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line));
  assert.deepEqual(failures, []);
}

describe('bad input', () => {
  it(`${REQUESTS} generated requests are refused in the words of the contract`, async () => {
    const gates = createTally();
    const codes = createTally();
    const kinds = createTally();
    await send({ kind: '', method: 'GET', target: '/v1/levels', headers: {}, body: undefined, isAuthorized: true });
    const megabytesBefore = await serverMegabytes();

    await fc.assert(
      fc.asyncProperty(badRequests, async (request) => {
        const answer = await send(request);
        gates.add(String(gateOf(answer, request)));
        codes.add(`${answer.status} ${answer.body?.code ?? ''}`.trim());
        kinds.add(request.kind);
        assertGoodAnswer(answer, request);
        if (request.refusedField === undefined) return;
        assert.equal(answer.status, 400, `${request.kind} was not refused: ${answer.status} ${answer.text}`);
        if (request.refusedField !== null) assert.equal(answer.body?.field, request.refusedField, answer.text);
      }),
      { numRuns: REQUESTS, seed, endOnFailure: false },
    );

    const megabytes = await serverMegabytes();
    console.log(`answers by gate: ${gates}\nanswers by status and code: ${codes}\nkinds of requests: ${kinds}`);
    console.log(`memory of the server: ${megabytesBefore} MB before, ${megabytes} MB after`);
    assert.equal(gates.total(), REQUESTS);
    const reached = gates.of('8') + gates.of('9') + gates.of('10');
    assert.ok(reached >= 0.9 * REQUESTS, `only ${reached} of ${REQUESTS} requests came as far as validation`);
    assert.ok(gates.of('8') >= 0.6 * REQUESTS, `only ${gates.of('8')} were refused by validation`);
    for (const gate of ['2', '3', '5', '10']) assert.ok(gates.of(gate) > 0, `no request came to gate ${gate}`);
    assert.ok(kinds.words().length >= 30, `only ${kinds.words().length} kinds`);
    assert.ok(megabytes < megabytesBefore + 300, 'the memory of the server has grown too much');
    await assertIsWell();
  });

  it(`${MESSAGES} malformed messages over plain connections are answered or closed, and harm nobody`, async () => {
    const outcomes = createTally();
    const kinds = createTally();
    const messages = fc.sample(createMessages(member.apiKey), { numRuns: MESSAGES, seed });
    const megabytesBefore = await serverMegabytes();

    const queue = messages.values();
    const work = async () => {
      for (const message of queue) {
        const outcome = await sendMessage(message);
        outcomes.add(outcome);
        kinds.add(message.kind);
      }
    };
    await Promise.all(Array.from({ length: MESSAGES_AT_ONCE }, work));

    const megabytes = await serverMegabytes();
    console.log(`what became of the messages: ${outcomes}\nkinds of messages: ${kinds}`);
    console.log(`memory of the server: ${megabytesBefore} MB before, ${megabytes} MB after`);
    assert.equal(outcomes.total(), MESSAGES);
    const refused = outcomes.words().filter((word) => word.startsWith('400'));
    const count = refused.reduce((sum, word) => sum + outcomes.of(word), 0);
    assert.ok(count >= 0.4 * MESSAGES, `only ${count} of ${MESSAGES} messages were answered as malformed`);
    assert.ok(kinds.words().length >= 30, `only ${kinds.words().length} kinds`);
    assert.ok(megabytes < megabytesBefore + 200, 'the memory of the server has grown too much');
    await assertIsWell();
  });

  async function sendMessage({ kind, parts, isCut }: BadMessage): Promise<string> {
    const shown = () =>
      `${kind}: ${JSON.stringify(parts.map((part) => Buffer.from(part).toString('latin1'))).slice(0, 3_000)}`;
    const outcome = await sendRaw(world.server.baseUrl, parts, isCut ? { cutAfterMs: 3 } : { finishAfterMs: 500 });
    if (isCut) return 'hung up';
    const { answers, rest, ended } = outcome;
    assert.notEqual(ended, 'open', `the connection hangs after ${shown()}`);
    if (ended === 'closed') assert.equal(rest, '', shown());
    try {
      for (const answer of answers) assertRawAnswer(answer);
    } catch (cause) {
      throw new Error(`a wrong answer to ${shown()}`, { cause });
    }
    const statuses = [...new Set(answers.map(({ status }) => status))].sort();
    return statuses.length === 0 ? `${ended} without an answer` : statuses.join(' and ');
  }

  function assertRawAnswer(answer: RawAnswer): void {
    const { status, headers, text } = answer;
    assert.ok(status < 500, `${status} ${text}`);
    if (status === 411) {
      assert.equal(text, '');
      return;
    }
    if (/^text\/html\b/.test(String(headers['content-type']))) {
      // A target without a path, such as `*`, leads to the page of the dashboard.
      assert.equal(status, 200);
      return;
    }
    shownLimit(headers);
    if (status >= 400) assertError(answer, Object.keys(errors) as ErrorCode[]);
    else assert.ok(status === 200 || status === 201 || status === 302, String(status));
  }

  it('messages that never end are given up after a while', async () => {
    const key = `Authorization: Bearer ${member.apiKey}`;
    const unfinished: Record<string, string> = {
      'half a line': 'GET /v1/le',
      'half of the headers': `GET /v1/levels HTTP/1.1\r\nHost: a\r\n${key}\r\n`,
    };
    // A body may take three times as long as the headers.
    if (isFull) {
      const start = `POST /v1/scans HTTP/1.1\r\nHost: a\r\n${key}\r\nContent-Type: application/json\r\n`;
      unfinished['half of the body'] = `${start}Content-Length: 100\r\n\r\n{"url":`;
      unfinished['half of a chunk'] = `${start}Transfer-Encoding: chunked\r\n\r\n64\r\n{"url":`;
      unfinished['the body of a refused request'] = `${start.replace(key, 'X: y')}Content-Length: 100\r\n\r\n{"url":`;
    }
    await Promise.all(
      Object.entries(unfinished).map(async ([what, message]) => {
        const { answers, rest, ended } = await sendRaw(world.server.baseUrl, [message], { deadlineMs: 120_000 });
        assert.notEqual(ended, 'open', what);
        assert.equal(rest, '');
        for (const answer of answers) assertRawAnswer(answer);
        assert.ok(answers.length > 0, `${what} was not answered`);
      }),
    );
    await assertIsWell();
  });
});
