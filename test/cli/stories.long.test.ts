import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { emptyFolder } from '@sortie/testing/cli/cli.ts';
import { expected } from '@sortie/testing/cli/cli-stories.ts';
import { playToCli } from '@sortie/testing/cli/play-to-cli.ts';
import { type Client, createClient } from '@sortie/testing/server/sandbox.ts';
import { manyRequests } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let client: Client;
let env: Record<string, string>;
const home = emptyFolder();

before(async () => {
  world = await createWorld({ env: manyRequests });
  client = await createClient(world);
  env = { XDG_CONFIG_HOME: home, SORTIE_BASE_URL: world.server.baseUrl, SORTIE_API_KEY: client.apiKey };
});
after(async () => {
  await world.end();
  rmSync(home, { recursive: true });
});

for (const kind of ['pentest', 'scan'] as const) {
  describe(`sortie in every story of a ${kind}`, { concurrency: 4 }, () => {
    for (const [story, { exitCode }] of Object.entries(expected[kind])) {
      it(`ends with ${exitCode} in the story ${story}`, () => playToCli(kind, story, { client, home, env }));
    }
  });
}
