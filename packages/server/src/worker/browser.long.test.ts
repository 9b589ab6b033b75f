import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromiumWithoutSandbox } from '@sortie/testing/engine/chromium.ts';
import type { Log, LogFields } from '../platform/log.ts';
import { createBrowserTrial } from './browser.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortie-trial-'));
});
after(() => rm(folder, { recursive: true }));

describe('the trial of the browser', () => {
  for (const { sandbox, said } of [
    { sandbox: 'preferred', said: 'the browser runs without its sandbox, which environment live refuses' },
    { sandbox: 'required', said: 'checks that need a browser are skipped: no sandbox' },
  ] as const) {
    it(`warns once that there is no sandbox where it is ${sandbox}, with the cure`, async () => {
      const lines: { message: string; fields: LogFields | undefined }[] = [];
      const nothing = () => undefined;
      const log: Log = {
        debug: nothing,
        info: nothing,
        error: nothing,
        warn: (message, fields) => void lines.push({ message, fields }),
      };
      const chromium = await chromiumWithoutSandbox(folder);
      const trial = createBrowserTrial({ user: undefined, memoryMegabytes: 1_024 }, { chromium, sandbox, log });
      await Promise.all([trial.done(), trial.done()]);
      assert.deepEqual(
        lines.map(({ message }) => message),
        [said],
      );
      assert.match(String(lines[0]?.fields?.reason), /install chromium-sandbox/);
    });
  }
});
