import { existsSync, writeFileSync } from 'node:fs';
import { buildOpenApi } from './openapi.ts';
import { baselineFile, readBaseline } from './openapi-baseline.ts';
import { readStatedRules, statedRulesFile, unacceptedChanges } from './stated-rules.ts';

const document = buildOpenApi();
const changes = existsSync(baselineFile) ? unacceptedChanges(readBaseline(), document, readStatedRules()) : [];

if (changes.length > 0) {
  console.error('These changes break clients of /v1, so the baseline stays as it is:');
  for (const change of changes) console.error(`- ${change}`);
  console.error(
    `If the service enforced a rule before the document stated it, add the change to ${statedRulesFile}, ` +
      'with the reason and with bodies that the service refuses for it.',
  );
  process.exitCode = 1;
} else {
  writeFileSync(baselineFile, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`Wrote ${baselineFile}`);
}
