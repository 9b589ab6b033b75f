import { readFileSync, writeFileSync } from 'node:fs';

const RUN_FILE = '.sortie-run.json';

const SCHEMA = 'sortie.run/1';

/** The last run of a folder, so that whoever comes back goes on with it. */
export interface KeptRun {
  baseUrl: string;
  /** Null when the start was sent, and nobody knows what became of it. */
  id: string | null;
  idempotencyKey: string | null;
  /** Which start the key is for. */
  request: string | null;
  /** Whether the key turned out to belong to another request: nothing comes of sending it again. */
  isKeyTaken?: boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string';

export function readRunFile(): KeptRun | undefined {
  try {
    const { schema, baseUrl, id, idempotencyKey, request, isKeyTaken } = JSON.parse(readFileSync(RUN_FILE, 'utf8'));
    if (schema !== SCHEMA || !isText(baseUrl)) return undefined;
    const text = (value: unknown) => (isText(value) ? value : null);
    const kept = { baseUrl, id: text(id), idempotencyKey: text(idempotencyKey), request: text(request) };
    return { ...kept, isKeyTaken: isKeyTaken === true };
  } catch {
    return undefined;
  }
}

/** Answers whether it was kept: a folder that cannot be written to is no reason to stop. */
export function writeRunFile(run: KeptRun): boolean {
  try {
    writeFileSync(RUN_FILE, `${JSON.stringify({ schema: SCHEMA, ...run })}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
