import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FormatName } from '../../../report/src/index.ts';
import { defectDojoFormat } from './defectdojo-format.ts';
import { gitlabFormat } from './gitlab-format.ts';
import { readCsv } from './read-csv.ts';
import { readXml } from './read-xml.ts';
import { defectDojoSchema, gitlabDastSchema, sarifSchema } from './report-schemas.ts';

const ajv = new Ajv({ strict: false, unicodeRegExp: false });
addFormats.default(ajv);

const standardOfSarif = JSON.parse(readFileSync(path.join(import.meta.dirname, 'schemas/sarif-2.1.0.json'), 'utf8'));

function assertSchemas(...schemas: object[]): (text: string) => void {
  const validators = schemas.map((schema) => ajv.compile(schema));
  return (text) => {
    for (const isValid of validators) assert.equal(isValid(JSON.parse(text)), true, JSON.stringify(isValid.errors));
  };
}

/** Code in Markdown is shown literally, so it is removed first. */
export function assertNoMarkup(text: string): void {
  assert.doesNotMatch(
    text.replace(/(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, ''),
    /<(?!\/?(?:details|summary)>|!-- sortie-report -->)/,
  );
}

/**
 * Validates each format as its consumers do, and by what we write of it. SARIF by the standard's schema, and by GitHub's
 * additional requirements.
 */
export const readers: Record<FormatName, (text: string) => unknown> = {
  sarif: assertSchemas(standardOfSarif, sarifSchema),
  junit: readXml,
  'gitlab-dast': assertSchemas(gitlabFormat, gitlabDastSchema),
  defectdojo: assertSchemas(defectDojoFormat, defectDojoSchema),
  csv: readCsv,
  markdown: assertNoMarkup,
  json: JSON.parse,
  html: (text) => assert.ok(!/<(?:script|img|iframe|object)/i.test(text)),
};
