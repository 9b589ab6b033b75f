import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { emptyFolder } from './support/cli.ts';
import { playToGate, stories } from './support/cli-stories.ts';
import { type Client, createClient } from './support/sandbox.ts';
import { manyRequests } from './support/starts.ts';
import { createWorld, type World } from './support/world.ts';

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

describe('sortie gate in every story of the sandbox', { concurrency: 4 }, () => {
  for (const [story, { exitCode }] of Object.entries(stories)) {
    it(`ends with ${exitCode} in the story ${story}`, () => playToGate(story, { client, cwd: home, env }));
  }
});
