import { benchBalance } from './balance.ts';
import { benchCancels } from './cancels.ts';
import { benchList } from './list.ts';
import { benchPentest } from './pentest.ts';
import { benchPentests } from './pentests.ts';
import { benchScan } from './scan.ts';
import { benchWapiti } from './wapiti.ts';

/**
 * Each part measures the product and a baseline in the same run and prints the ratio; absolute figures are only
 * context.
 */
const parts: Record<string, (flags: string[]) => Promise<void>> = {
  balance: benchBalance,
  pentests: benchPentests,
  cancels: benchCancels,
  list: benchList,
  scan: benchScan,
  pentest: benchPentest,
  wapiti: benchWapiti,
};

/** Runs one part with its flags, or all parts. */
const [asked, ...flags] = process.argv.slice(2);
for (const name of asked === undefined ? Object.keys(parts) : [asked]) {
  const part = parts[name];
  if (!part) {
    console.error(`There is no part ${name}. Parts: ${Object.keys(parts).join(', ')}`);
    process.exitCode = 2;
    break;
  }
  try {
    await part(flags);
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
    break;
  }
}
