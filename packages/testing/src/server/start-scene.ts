import { after, afterEach, beforeEach } from 'node:test';
import { createTestFolder, type TestFolder } from './data-folder.ts';
import { killLeftovers, quietFlags, startUp, type Up } from './up.ts';

/** Registers hooks that give each test of the file a new data folder and kill what it leaves running. */
export function createStartScene() {
  let folder: TestFolder;
  beforeEach(async () => {
    folder = await createTestFolder();
  });
  afterEach(async () => {
    killLeftovers();
    await folder.remove();
  });
  after(killLeftovers);
  const flagsWith = (flags: readonly string[]) => quietFlags(folder.data, ...flags);
  return {
    folder: () => folder,
    up: (...flags: string[]): Up => startUp({ flags: flagsWith(flags) }),
    /** Starts a server that prints text instead of JSON. */
    upForPeople: (...flags: string[]): Up => startUp({ flags: flagsWith(flags).filter((flag) => flag !== '--json') }),
  };
}
