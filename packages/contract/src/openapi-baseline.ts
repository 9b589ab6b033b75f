import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { OpenApiDocument } from './openapi-document.ts';

/** The document that clients were last promised; reviewed with the change that accepts a new one. */
export const baselineFile = path.join(import.meta.dirname, '..', 'openapi.baseline.json');

export function readBaseline(): OpenApiDocument {
  return JSON.parse(readFileSync(baselineFile, 'utf8'));
}
