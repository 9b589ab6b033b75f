import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { writeProgram } from '@sortie/testing/engine/chromium.ts';

const script = path.join(import.meta.dirname, '../../.ci/debian-packages');
let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-packages-'));
  await writeProgram(folder, 'id', 'echo 0');
  await writeProgram(folder, 'apt-get', 'exit 0');
});
after(() => rm(folder, { recursive: true }));

const installing = async (...names: string[]) => {
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  return (await promisify(execFile)(script, ['wanted', ...names], { env })).stderr;
};

describe('the installation of packages', () => {
  it('finds the sandbox of Chromium installed by its helper, which is not on the path', async () => {
    const isThere = existsSync('/usr/lib/chromium/chrome-sandbox');
    assert.equal(
      await installing('sh', 'chromium-sandbox'),
      isThere ? '' : 'Installing chromium-sandbox (apt-get install)\n',
    );
    assert.equal(await installing('sortie-none'), 'Installing sortie-none (apt-get install)\n');
  });

  it('finds a package installed by the program that it is needed for', async () => {
    await writeProgram(folder, 'pdftotext', 'exit 0');
    assert.equal(await installing('poppler-utils'), '');
  });
});
