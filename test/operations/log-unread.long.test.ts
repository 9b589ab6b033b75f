import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { call } from '@sortie/testing/http/call.ts';
import { assertEnds, isServing, type Nodes, openNodes } from '@sortie/testing/server/nodes.ts';
import { quietFlags, startUp } from '@sortie/testing/server/up.ts';

/** Named so that it is not taken for a program of a package. */
const MKFIFO = 'mkfifo';

let nodes: Nodes;

before(async () => {
  nodes = await openNodes();
});

after(() => nodes.close());

describe('the log', () => {
  it('is lost before the service is, when nobody reads it or the disk is full', async () => {
    const unread = path.join(nodes.folder.root, 'unread');
    execFileSync(MKFIFO, [unread]);
    for (const sink of [unread, '/dev/full']) {
      const stderr = openSync(sink, 'r+');
      const env = { DATABASE_URL: nodes.testDatabase.url };
      const up = startUp({ flags: quietFlags(nodes.newDataDir()), env, stderr });
      const node = { up, ...(await up.ready()) };
      const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
      const readWithoutKey = () => call(`${node.baseUrl}/v1/levels`, { agent });
      // The log of these takes more than the 64 KiB that a pipe holds.
      const answers = await Promise.all(Array.from({ length: 1_000 }, readWithoutKey));
      assert.ok(answers.every(({ status }) => status === 401));
      assert.ok(await isServing(node));
      agent.destroy();
      await assertEnds(node);
      closeSync(stderr);
    }
  });
});
