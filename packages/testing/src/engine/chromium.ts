import { writeFile } from 'node:fs/promises';
import path from 'node:path';

export const CHROMIUM = '/usr/bin/chromium';

export async function writeProgram(folder: string, name: string, lines: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return file;
}

/** Writes a wrapper that behaves like Chromium where neither user namespaces nor the setuid helper are available. */
export const chromiumWithoutSandbox = (folder: string) =>
  writeProgram(
    folder,
    'without-sandbox',
    `case " $* " in *" --no-sandbox "*) exec ${CHROMIUM} "$@";; esac; echo 'No usable sandbox!' >&2; exit 1`,
  );

/** Writes a wrapper that behaves like Chromium where only the setuid helper of its sandbox is available. */
export const chromiumOnlyByHelper = (folder: string) =>
  writeProgram(
    folder,
    'only-by-helper',
    [
      `case " $* " in *" --no-sandbox "*) exec ${CHROMIUM} "$@";; esac`,
      "if grep -q '^NoNewPrivs:.*1' /proc/self/status; then echo 'No usable sandbox!' >&2; exit 1; fi",
      `exec ${CHROMIUM} "$@"`,
    ].join('\n'),
  );
