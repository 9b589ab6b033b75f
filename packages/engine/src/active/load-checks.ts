import { globSync } from 'node:fs';
import path from 'node:path';
import type { ActiveCheck } from './define-active-check.ts';

const CVSS = /^CVSS:3\.1\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[HLN]\/I:[HLN]\/A:[HLN]$/;
const CVSS4 = /^CVSS:4\.0\/AV:[NALP]\/AC:[LH]\/AT:[NP]\/PR:[NLH]\/UI:[NPA](?:\/V[CIA]:[HLN]){3}(?:\/S[CIA]:[HLN]){3}$/;
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
    assertCheck(check, file);
    if (check.id !== id) throw new Error(`${file} has the id ${check.id}, but must be named after it`);
    if (!ID.test(id)) throw new Error(`${file} has the id ${id}: use lower-case words, joined by hyphens`);
    if (checks.has(id)) throw new Error(`there are two checks ${id}`);
    checks.set(id, { ...check, group: path.dirname(file) });
  }
  if (checks.size === 0) throw new Error(`there is no active check in ${folder}`);
  return [...checks.values()];
}

function assertCheck(check: Partial<ActiveCheck> | undefined, file: string): asserts check is ActiveCheck {
  const problem = problemOf(check);
  if (problem) throw new Error(`${file} does not export an active check: ${problem}`);
}

/** Returns what an exported value lacks. Without a request limit a test would not end, without CVSS it has no score. */
function problemOf(check: Partial<ActiveCheck> | undefined): string | undefined {
  if (typeof check !== 'object') return 'use definePointCheck, defineRequestCheck or defineSiteCheck as default export';
  const { proof, lab, appliesTo, probe, variants = [], maxRequests } = check;
  if (typeof proof?.plan !== 'function' || typeof proof.judge !== 'function') return 'proof needs plan and judge';
  if (typeof lab !== 'function') return 'lab is missing';
  if (typeof appliesTo !== 'function') return 'appliesTo is missing';
  if (probe === undefined && variants.length === 0) return 'it needs variants, or a probe that creates them';
  if (!Number.isInteger(maxRequests) || Number(maxRequests) <= 0) return 'maxRequests must be a positive integer';
  return problemOfTexts(check);
}

function problemOfTexts({ cvss = '', cvss4 = '', impact = '', references = [] }: Partial<ActiveCheck>) {
  if (!CVSS.test(cvss)) return 'cvss must be a CVSS 3.1 vector with the eight base metrics';
  if (!CVSS4.test(cvss4)) return 'cvss4 must be a CVSS 4.0 vector with the eleven base metrics';
  if (impact === '') return 'impact is missing';
  return references.length === 0 ? 'references are missing' : undefined;
}
