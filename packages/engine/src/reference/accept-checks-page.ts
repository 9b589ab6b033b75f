import { writeFileSync } from 'node:fs';
import { checksPageFile, currentChecksPage } from './current-checks-page.ts';

writeFileSync(checksPageFile, await currentChecksPage());
console.log(`Wrote ${checksPageFile}`);
