import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createCommands } from '@sortie/testing/cli/commands.ts';
import { allowing, createRealStarter, startReal, withWorker } from '@sortie/testing/real-runs/real-run.ts';
import { dumpTables, findLeaks } from '@sortie/testing/secrets/leak-scanner.ts';
import { serviceKeys } from '@sortie/testing/server/service-keys.ts';
import { startWebServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { findingsOf, type Starter } from '@sortie/testing/world/pentests.ts';
import { inspect, type Run, waitUntilOver } from '@sortie/testing/world/runs.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

/** Renders the term as a template: server-side template injection. */
const rendered = (term: string) => term.replace(/\{\{(\d+)\*(\d+)\}\}/g, (_, a, b) => String(Number(a) * Number(b)));

/** Repeats the key that the description contains, as a target may that knows its customers. */
const secret = 'q7Zt-93kd-Xw0p-LmB4';
const describing = (path: string, name: string) => {
  const parameters = [
    { name, in: 'query', schema: { type: 'string' } },
    { name: 'X-Api-Key', in: 'header', example: secret },
  ];
  return JSON.stringify({ openapi: '3.0.0', paths: { [path]: { get: { parameters } } } });
};

let target: TargetServer;
let world: World;
let folder: string;
before(async () => {
  target = await startWebServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://target');
    const pages: Record<string, string> = {
      '/': '<h1>Nothing is linked here</h1>',
      '/desk/leave': '<p>Where to?</p>',
      '/desk/lookup': `<p>${secret}: no entry for ${rendered(url.searchParams.get('term') ?? '')}</p>`,
    };
    const page = pages[url.pathname];
    const next = url.pathname === '/desk/leave' && url.searchParams.get('next');
    if (next && URL.canParse(next)) return void response.writeHead(302, { location: next }).end(secret);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page ?? 'not found');
  });
  world = await createWorld({ env: allowing(target.port), flags: withWorker });
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-test-'));
});
after(async () => {
  await world.end();
  await target.close();
  await rm(folder, { recursive: true, force: true });
});

async function importDescription(starter: Starter): Promise<void> {
  const file = path.join(folder, 'desk.json');
  await writeFile(file, describing('/desk/leave', 'next'));
  const { run: sortie } = createCommands(world.testDatabase.url, { env: serviceKeys });
  const { exitCode, stdout, stderr } = await sortie(['admin', 'target', 'import', starter.target.verificationId, file]);
  assert.deepEqual([exitCode, stderr], [0, '']);
  assert.match(stdout, /API description +desk\.json\nformat +OPENAPI\n/);
}

describe('an operation that nothing links', () => {
  let starter: Starter;
  let run: Run;
  before(async () => {
    starter = await createRealStarter(world, `${target.url}/`);
    await importDescription(starter);
    run = await startReal(world, starter, { apiDescription: describing('/desk/lookup', 'term') });
    const { status } = await waitUntilOver(world, run);
    assert.equal(status, 'COMPLETED', String((await inspect(world, run)).summary));
  });

  async function provedPlaces(proof: string) {
    const { findings } = await findingsOf(world.server.baseUrl, starter, run.id);
    const proved = findings.filter(({ checkId }) => checkId === proof);
    return proved.map(({ affectedUrl, parameter }) => [new URL(affectedUrl ?? '').pathname, parameter]);
  }

  it('is tested if the API description of the start names it', async () => {
    assert.deepEqual(await provedPlaces('ssti'), [['/desk/lookup', 'term']]);
  });

  it('is tested if an operator has imported its description', async () => {
    assert.deepEqual(await provedPlaces('open-redirect'), [['/desk/leave', 'next']]);
  });

  it('leaves no secret of its description in a table or a log', async () => {
    const stored = await dumpTables(world.testDatabase.database);
    assert.deepEqual(findLeaks(stored, { secret }), []);
    assert.deepEqual(findLeaks(world.server.log(), { secret }), []);
  });
});
