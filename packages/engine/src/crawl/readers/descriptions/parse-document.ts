import { parse } from 'yaml';

/** Descriptions of large APIs have some megabytes. */
export const MOST_CHARACTERS = 20_000_000;
/** YAML takes far more time and memory to parse than JSON. */
const MOST_YAML = 4_000_000;

/** Parses JSON or YAML. Returns undefined for invalid, oversized or maliciously aliased text. */
export function parseDocument(text: string): unknown {
  const isJson = /^\uFEFF?\s*[{[]/.test(text);
  if (text.length > (isJson ? MOST_CHARACTERS : MOST_YAML)) return undefined;
  try {
    if (isJson) return JSON.parse(text.replace(/^\uFEFF/, ''));
    return parse(text, { maxAliasCount: 50, logLevel: 'silent' });
  } catch {
    return undefined;
  }
}
