import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Person, signUp } from '@sortie/testing/dashboard/people.ts';
import { type EventReader, watchEvents } from '@sortie/testing/dashboard/watch-events.ts';
import { call } from '@sortie/testing/http/call.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const PEOPLE = 10;
const PAGES_OF_EACH = 20;
const MOST_BYTES = 40 * 1024 * 1024;

let world: World;
let accountId: string;
let readers: EventReader[] = [];
before(async () => {
  world = await createWorld({ isOwnProcess: true });
  accountId = (await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' })).id;
  await grantCredits(world.admin, { accountId }, 50_000);
});
after(async () => {
  for (const reader of readers) reader.close();
  await world.end();
});

async function memory(): Promise<number> {
  const { text } = await call(`${world.server.opsUrl}/metrics`);
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? assert.fail(text));
}

async function createMember(number: number): Promise<Person> {
  const person = await signUp(world, `viewer-${number}`);
  await world.admin.member.add({ account: accountId, user: person.userId, role: 'ADMIN' });
  return person;
}

describe('two hundred open pages', () => {
  it('are all told of a run that changes, and cost little memory', async (test) => {
    const people = await Promise.all(Array.from({ length: PEOPLE }, (_, number) => createMember(number)));
    const before = await memory();
    readers = people.flatMap((person) =>
      Array.from({ length: PAGES_OF_EACH }, () => watchEvents(world.server.baseUrl, accountId, person)),
    );
    await Promise.all(readers.map((reader) => reader.next(({ event }) => event === 'ready')));
    const opened = (await memory()) - before;
    const { apiKey } = await world.createMember({ accountId });
    const target = await createTarget(world.admin, { accountId }, 'https://sandbox.example/');
    const startedAt = performance.now();
    const { body, text } = await start(
      world.server.baseUrl,
      '/v1/pentests',
      { apiKey },
      {
        ...target,
        targetUrl: 'https://released-findings.sandbox.example/',
        depth: 'LEAD',
      },
    );
    assert.ok(body?.id, text);
    const isTold = ({ data }: { data: unknown }) => JSON.stringify(data).includes(String(body.id));
    await Promise.all(readers.map((reader) => reader.next(isTold)));
    const tookMs = Math.round(performance.now() - startedAt);
    const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
    test.diagnostic(`${readers.length} pages: ${mebibytes(opened)} MiB, all told within ${tookMs} ms of the start`);
    assert.ok(opened < MOST_BYTES, `${mebibytes(opened)} MiB`);
    assert.ok(readers.every((reader) => !reader.isClosed()));
  });
});
