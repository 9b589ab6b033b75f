import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { callTable } from './call-table.ts';
import { builtFolder, packageFolder, SOURCES_FILE } from './places.ts';
import { digestSources } from './sources.ts';

/** Smaller files are as fast without it. */
const MIN_COMPRESSED_BYTES = 1_000;

/** Builds into a folder beside the final one and moves it there, since several processes may build at once. */
export async function bundle(): Promise<void> {
  const sources = await digestSources();
  const folder = `${builtFolder}.${process.pid}`;
  try {
    await build({
      configFile: false,
      root: packageFolder,
      logLevel: 'warn',
      plugins: [react(), callTable()],
      build: {
        outDir: folder,
        emptyOutDir: true,
        target: 'es2024',
        // The policy of the page forbids data: URLs in style sheets, and inline scripts.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        // The page validates nothing: the contract's schemas, and the library that makes them, would only weigh.
        rolldownOptions: { treeshake: { manualPureFunctions: ['z'] } },
        chunkSizeWarningLimit: 1_000,
      },
    });
    await compressFiles(path.join(folder, 'assets'));
    await writeFile(path.join(folder, SOURCES_FILE), sources);
    await rm(builtFolder, { recursive: true, force: true });
    await rename(folder, builtFolder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compressFiles(folder: string): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const bytes = await readFile(file);
    if (bytes.length < MIN_COMPRESSED_BYTES) continue;
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}
