import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenApiDocument } from './openapi-document.ts';

/** The last published document. A new baseline is reviewed together with the change that accepts it. */
export const baselineFile = path.join(import.meta.dirname, '..', 'openapi.baseline.json');

export function readBaseline(): OpenApiDocument {
  return JSON.parse(readFileSync(baselineFile, 'utf8'));
}
