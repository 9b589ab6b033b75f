import { jsonText } from './ci-commands.ts';
import { safeReport } from './prepare.ts';
import type { Report } from './report.ts';

/** Incremented when a field is removed or changes its meaning; new fields may be added at any time. */
const DOCUMENT_VERSION = 1;

/** Returns the report as a versioned JSON document. */
export function renderJson(report: Report): string {
  return jsonText({ version: DOCUMENT_VERSION, ...safeReport(report) });
}
