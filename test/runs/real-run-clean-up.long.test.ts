import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  allowing,
  createRealStarter,
  descendantsOf,
  egressOf,
  type Process,
  rowsOf,
  startReal,
  withWorker,
} from '@sortie/testing/real-runs/real-run.ts';
import { type RealTarget, startRealTarget, type Visit } from '@sortie/testing/real-runs/targets.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createNoteBook, keeper, type NoteBook } from '@sortie/testing/targets/note-book.ts';
import { inspect, type Run, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { cancel } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let book: NoteBook;
let target: RealTarget;
let world: World;
/** Called once, when a test has just given its account another role. */
let onOtherRole: () => Promise<unknown>;
before(async () => {
  let isOther = false;
  target = await startRealTarget(async (visit) => {
    const answer = await book.answer(visit);
    if (isOther === (book.profile.role !== 'reader')) return answer;
    isOther = book.profile.role !== 'reader';
    if (isOther) await onOtherRole();
    return answer;
  });
  world = await createWorld({ env: allowing(target.port), flags: withWorker });
});
after(async () => {
  await world.end();
  await target.close();
});
beforeEach(() => {
  book = createNoteBook();
  target.visits.length = 0;
});

const { name, kind, user, pass } = keeper;
const isOtherRole = ({ body }: Visit) => body.includes('"admin"');
const restored = '{"name":"Keeper","role":"reader"}';

async function begin(): Promise<Run> {
  const starter = await createRealStarter(world, `${target.url}/`);
  return startReal(world, starter, { depth: 'STANDARD', credentials: [{ name, kind, user, pass }] });
}

const once = (work: () => Promise<unknown>) => {
  let done: Promise<unknown> | undefined;
  return () => (done ??= work());
};

async function enginesOf(): Promise<Process[]> {
  const processes = await descendantsOf(world.server.child.pid);
  return processes.filter(({ command }) => command.includes('engine/bin/engine.js') && command.includes('--pentest'));
}

const isGone = async () => (await enginesOf()).length === 0;

/** All that arrived at the target, and what came last of all with it. */
async function isRecorded({ id }: Run): Promise<void> {
  let recorded = 0;
  const look = async () => {
    recorded = (await egressOf(world, id)).reduce((sum, { requests }) => sum + requests, 0);
    return recorded === target.visits.length;
  };
  await waitFor(look, { what: () => `${recorded} of ${target.visits.length} requests to be in the record` });
}

describe('a real run that is in the middle of a change', () => {
  it('takes it back first when its engine was killed, and then goes on to its end', async () => {
    onOtherRole = once(async () => {
      const [engine] = await enginesOf();
      assert.ok(engine);
      process.kill(engine.pid, 'SIGKILL');
    });
    const run = await begin();
    const { status } = await waitUntilOver(world, run);
    const { summary } = await inspect(world, run);
    assert.equal(status, 'COMPLETED', String(summary));
    const after = target.visits.slice(target.visits.findIndex(isOtherRole) + 1);
    assert.equal(after.find(({ method }) => method !== 'GET')?.body, restored);
    assert.deepEqual(book.profile, { name: 'Keeper', role: 'reader' });
    assert.match(String(summary), /^Accepted without a sign .*POST \S+\/notes \(\d+\)/m);
    assert.doesNotMatch(String(summary), /Could not undo/);
  });

  it('takes it back when it is cancelled, and sends nothing else', async () => {
    const run = await begin();
    const isTakenBack = async () => book.profile.role === 'reader';
    // Its answer does not come before the run has ended: what takes it back is no usual part of the test.
    onOtherRole = once(async () => {
      await cancel(world.server.baseUrl, run.starter, run.id);
      await waitFor(isTakenBack, { what: 'it to be taken back', withinMs: 15_000 });
    });
    await waitFor(async () => target.visits.some(isOtherRole), { what: 'a change', withinMs: 120_000 });
    await waitUntilOver(world, run);
    await waitFor(isTakenBack, { what: 'it to be taken back', withinMs: 15_000 });
    await waitFor(isGone, { what: 'the end of its engine', withinMs: 30_000 });
    const at = target.visits.findIndex(isOtherRole);
    // One more request reads whether the original is back.
    const sent = target.visits.slice(at + 1).map(({ method, url, body }) => [method, url.pathname, body]);
    const { method, url } = target.visits[at] ?? assert.fail();
    assert.deepEqual(sent, [
      [method, url.pathname, restored],
      ['GET', url.pathname, ''],
    ]);
    await isRecorded(run);
    const { summary } = await inspect(world, run);
    assert.match(String(summary), /^Cancelled on request, after \d+ requests\. /);
    assert.match(
      String(summary),
      /^The run ended before it had undone the changes made by PATCH \S+\/me as keeper\. /m,
    );
  });

  it('sends nothing more when another worker has it', async () => {
    const run = await begin();
    onOtherRole = once(async () => {
      await rowsOf(
        world,
        `update pentest set lease_owner = 'another', lease_epoch = lease_epoch + 1,
           lease_until = clock_timestamp() + interval '1 hour' where id = $1`,
        [run.id],
      );
      await waitFor(isGone, { what: 'the end of its engine', withinMs: 30_000 });
    });
    await waitFor(async () => target.visits.some(isOtherRole), { what: 'a change', withinMs: 120_000 });
    await waitFor(isGone, { what: 'the end of its engine', withinMs: 30_000 });
    assert.deepEqual(target.visits.slice(target.visits.findIndex(isOtherRole) + 1), []);
    await cancel(world.server.baseUrl, run.starter, run.id);
  });
});
