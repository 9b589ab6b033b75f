import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { shownLimit } from '@sortie/testing/http/assert-answer.ts';
import { type Answer, call } from '@sortie/testing/http/call.ts';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import type { TestServer } from '@sortie/testing/server/server.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
let servers: TestServer[];
const agent = new http.Agent({ keepAlive: true, maxSockets: 500 });

before(async () => {
  world = await createWorld();
  servers = [world.server, await world.addServer(), await world.addServer()];
});
after(async () => {
  agent.destroy();
  await world.end();
});

/** All at once, dealt out to the servers and keys in turn. */
function flood(members: readonly Member[], requests: number): Promise<Answer[]> {
  return Promise.all(
    Array.from({ length: requests }, (_, i) => {
      const { baseUrl } = servers[i % servers.length] as TestServer;
      const { apiKey: key } = members[i % members.length] as Member;
      return call(`${baseUrl}/v1/credits/balance`, { key, agent });
    }),
  );
}

const statusesOf = (answers: readonly Answer[]) => ({
  admitted: answers.filter(({ status }) => status === 200),
  refused: answers.filter(({ status, body }) => status === 429 && body?.code === 'RATE_LIMITED'),
});

function assertWindow(answers: readonly Answer[]): void {
  for (const { status, headers } of answers) {
    const { reset } = shownLimit(headers);
    assert.ok(reset >= 1 && reset <= 60, String(reset));
    assert.equal(headers['retry-after'], status === 429 ? String(reset) : undefined);
  }
}

const descending = (from: number) => Array.from({ length: from + 1 }, (_, i) => from - i);
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => b - a);

describe('three servers on one database', () => {
  it('admit exactly 120 of 500 concurrent reads of one key, and number them as one would', async () => {
    const answers = await flood([await world.createMember()], 500);
    const { admitted, refused } = statusesOf(answers);
    assert.deepEqual([admitted.length, refused.length], [120, 380]);
    assertWindow(answers);
    const shown = answers.map(({ headers }) => shownLimit(headers));
    assert.ok(shown.every(({ limit }) => limit === 120));
    const left = admitted.map(({ headers }) => shownLimit(headers).remaining);
    assert.deepEqual(sorted(left), descending(119), 'each number once');
    assert.ok(refused.every(({ headers }) => shownLimit(headers).remaining === 0));
  });

  it('admit exactly 10 of 100 concurrent starts of one key', async () => {
    const { apiKey: key } = await world.createMember();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        call(`${(servers[i % 3] as TestServer).baseUrl}/v1/scans`, { method: 'POST', key, body: '{}', agent }),
      ),
    );
    const admitted = answers.filter(({ status }) => status !== 429);
    assertWindow(answers);
    const left = admitted.map(({ headers }) => shownLimit(headers).remaining);
    assert.deepEqual(sorted(left), descending(9));
    assert.ok(answers.every(({ headers }) => shownLimit(headers).limit === 10));
  });

  if (isFull)
    it('admit exactly 600 of 760 concurrent reads of eight keys of one account, and refuse no key below its limits', async () => {
      const first = await world.createMember();
      const keys = [first, ...(await Promise.all(Array.from({ length: 7 }, () => world.createKey(first))))];
      const requestsOfKey = 95;
      const answers = await flood(keys, requestsOfKey * keys.length);
      const { admitted, refused } = statusesOf(answers);
      assert.deepEqual([admitted.length, refused.length], [600, 160]);
      assertWindow(answers);

      // No key comes near its own 120, so whatever was refused was refused for the account.
      for (const { headers } of refused) {
        const { limit, remaining } = shownLimit(headers);
        assert.deepEqual([limit, remaining], [600, 0]);
      }
      const shown = admitted.map(({ headers }) => shownLimit(headers));
      const ofAccount = sorted(shown.filter(({ limit }) => limit === 600).map(({ remaining }) => remaining));
      assert.equal(new Set(ofAccount).size, ofAccount.length, 'the account gives each number once');
      // A key has at least 25 left, so the last 25 of the account are shown in any case.
      assert.deepEqual(ofAccount.slice(-25), descending(24));
      for (const [which] of keys.entries()) {
        const ofKey = answers
          .filter((_, i) => i % keys.length === which)
          .map(({ headers }) => shownLimit(headers))
          .filter(({ limit }) => limit === 120)
          .map(({ remaining }) => remaining);
        assert.equal(new Set(ofKey).size, ofKey.length, 'a key gives each number once');
        assert.ok(ofKey.every((left) => left >= 120 - requestsOfKey && left <= 119));
      }
      assert.ok(shown.every(({ limit }) => limit === 120 || limit === 600));
      assertTheCloserIsShown(shown);
    });

  if (isFull)
    it('count on with one that joins later', async () => {
      const member = await world.createMember();
      await flood([member], 60);
      const last = await world.addServer();
      const answers = await Promise.all(
        Array.from({ length: 80 }, () => call(`${last.baseUrl}/v1/levels`, { key: member.apiKey, agent })),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 60);
    });
});

/**
 * The account's numbers that are not shown belong to answers that show their key instead, because it had no more left
 * than the account: dealt out in order, each of them must find such an answer.
 */
function assertTheCloserIsShown(shown: readonly { limit: number; remaining: number }[]): void {
  const seen = new Set(shown.filter(({ limit }) => limit === 600).map(({ remaining }) => remaining));
  const hidden = descending(599).filter((left) => !seen.has(left));
  const ofKeys = sorted(shown.filter(({ limit }) => limit === 120).map(({ remaining }) => remaining));
  assert.equal(hidden.length, ofKeys.length);
  for (const [i, left] of hidden.entries()) {
    assert.ok((ofKeys[i] ?? Infinity) <= left, `${ofKeys[i]} of a key was shown, but the account had ${left}`);
  }
}
