import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'rolldown';

const folder = import.meta.dirname;
export const bundlePath = path.join(folder, 'dist/index.mjs');

/** The same bytes from the same sources, wherever the folder lies. */
export async function bundleAction(): Promise<string> {
  const { output } = await build({
    cwd: path.join(folder, '../..'),
    input: path.join(folder, 'src/main.ts'),
    platform: 'node',
    write: false,
    // What is imported for its functions alone: most of what the runner's library brings is never called.
    treeshake: { moduleSideEffects: [{ test: /node_modules\/(?:@actions|undici|tunnel)\//, sideEffects: false }] },
    output: { format: 'esm', codeSplitting: false, minify: true },
  });
  return output[0].code;
}

if (import.meta.main) writeFileSync(bundlePath, await bundleAction());
