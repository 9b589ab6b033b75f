import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import { assertRefused } from '@sortie/testing/server/first-start.ts';
import { createCertificate, occupyPort } from '@sortie/testing/server/listeners.ts';
import { killLeftovers, postmasterOf, quietFlags, startUp } from '@sortie/testing/server/up.ts';

let folder: TestFolder;

before(async () => {
  folder = await createTestFolder();
});

after(async () => {
  killLeftovers();
  await folder.remove();
});

describe('a port that is already in use', () => {
  it('leaves nothing behind of a first start, and no database running after a later one', async () => {
    const { port, free } = await occupyPort();
    const [, cert = '', , key = ''] = createCertificate(folder.root);
    for (const flags of [
      ['--port', port],
      ['--ops-port', port],
      ['--range-port', port],
      ['--tls-cert', path.join(folder.root, 'none.pem'), '--tls-key', key],
      ['--tls-cert', cert, '--tls-key', cert],
    ]) {
      await assertRefused(startUp({ flags: quietFlags(folder.data, ...flags) }), /already in use|--tls-(?:cert|key)/);
      assert.equal(existsSync(folder.data), false);
    }
    const first = startUp({ flags: quietFlags(folder.data) });
    await first.ready();
    await first.end('SIGTERM');
    await assertRefused(startUp({ flags: quietFlags(folder.data, '--port', port) }), /already in use/);
    assert.equal(await postmasterOf(folder.data), undefined);
    free();
  });
});
