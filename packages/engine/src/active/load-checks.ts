import { globSync } from 'node:fs';
import path from 'node:path';
import type { ActiveCheck } from './define-active-check.ts';

const CVSS = /^CVSS:3\.1\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[HLN]\/I:[HLN]\/A:[HLN]$/;
const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Extension of this file and of the checks: `.ts`, or `.js` after compilation. */
const EXTENSION = path.extname(import.meta.filename);

/**
 * Loads every file in the group folders as a check. Throws on an invalid one, so that it fails the start instead of a
 * run.
 */
export async function loadActiveChecks(folder = path.join(import.meta.dirname, 'checks')): Promise<ActiveCheck[]> {
  const files = globSync(`*/*${EXTENSION}`, { cwd: folder })
    .filter((file) => !file.endsWith(`.test${EXTENSION}`))
    .sort();
  const checks = new Map<string, ActiveCheck>();
  for (const file of files) {
    const { default: check } = (await import(path.join(folder, file))) as { default?: Partial<ActiveCheck> };
    const id = path.basename(file, EXTENSION);
    if (!isCheck(check)) throw new Error(`${file} does not export an active check`);
    if (check.id !== id || !ID.test(id)) throw new Error(`${file} has the id ${check.id}`);
    if (checks.has(id)) throw new Error(`there are two checks ${id}`);
    checks.set(id, { ...check, group: path.dirname(file) });
  }
  if (checks.size === 0) throw new Error(`there is no active check in ${folder}`);
  return [...checks.values()];
}

function isCheck(check: Partial<ActiveCheck> | undefined): check is ActiveCheck {
  return (
    typeof check?.proof?.plan === 'function' &&
    typeof check.proof.judge === 'function' &&
    typeof check.lab === 'function' &&
    typeof check.appliesTo === 'function' &&
    // A probe can create variants.
    (check.probe !== undefined || (check.variants?.length ?? 0) > 0) &&
    // Without these, a test would have no limit and a finding no score.
    Number.isInteger(check.maxRequests) &&
    Number(check.maxRequests) > 0 &&
    CVSS.test(check.cvss ?? '') &&
    (check.references?.length ?? 0) > 0
  );
}
