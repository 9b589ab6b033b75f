import { readFileSync, writeFileSync } from 'node:fs';

const RUN_FILE = '.sortie-run.json';

const SCHEMA = 'sortie.run/1';

interface Run {
  baseUrl: string;
  id: string;
}

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
  /** When the start was refused: the run before it, which is still the last one. */
  before?: Run | null;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isRun = (value: Partial<Run> | null | undefined): value is Run => isText(value?.baseUrl) && isText(value.id);

export function readRunFile(): KeptRun | undefined {
  try {
    const { schema, baseUrl, id, idempotencyKey, request, ...more } = JSON.parse(readFileSync(RUN_FILE, 'utf8'));
    if (schema !== SCHEMA || !isText(baseUrl)) return undefined;
    const text = (value: unknown) => (isText(value) ? value : null);
    const kept = { baseUrl, id: text(id), idempotencyKey: text(idempotencyKey), request: text(request) };
    return { ...kept, isKeyTaken: more.isKeyTaken === true, before: isRun(more.before) ? more.before : null };
  } catch {
    return undefined;
  }
}

/** Null, too, while nobody knows what became of a start: an older run must not be taken for it. */
export function readLastRun(): Run | null {
  const kept = readRunFile();
  if (!kept) return null;
  const { baseUrl, id, before = null } = kept;
  return id === null ? before : { baseUrl, id };
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
