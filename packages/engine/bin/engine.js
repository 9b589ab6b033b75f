/**
 * Plain JavaScript: where compiled code is kept has to be known before the first TypeScript is loaded. What was loaded
 * before would be compiled anew each time, and the compiler loaded for it.
 */
import { enableCompileCache } from 'node:module';

const [, , , , compiled] = process.argv;
if (compiled) enableCompileCache(compiled);
await import('../src/process/main.ts');
