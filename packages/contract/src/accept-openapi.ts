import { existsSync, writeFileSync } from 'node:fs';
import { breakingChanges } from './breaking-changes.ts';
import { buildOpenApi } from './openapi.ts';
import { baselineFile, readBaseline } from './openapi-baseline.ts';

const document = buildOpenApi();
const changes = existsSync(baselineFile) ? breakingChanges(readBaseline(), document) : [];

if (changes.length > 0) {
  console.error('These changes break clients of /v1, so the baseline stays as it is:');
  for (const change of changes) console.error(`- ${change}`);
  process.exitCode = 1;
} else {
  writeFileSync(baselineFile, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`Wrote ${baselineFile}`);
}
