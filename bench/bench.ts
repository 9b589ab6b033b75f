import { benchBalance } from './balance.ts';
import { benchPentests } from './pentests.ts';
import { benchScan } from './scan.ts';

/** Each part measures us and a baseline in the same run and prints the ratio; absolute figures are only context. */
const parts: Record<string, () => Promise<void>> = { balance: benchBalance, pentests: benchPentests, scan: benchScan };

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
for (const name of asked.length > 0 ? asked : Object.keys(parts)) {
  const part = parts[name];
  if (!part) throw new Error(`There is no part ${name}. Parts: ${Object.keys(parts).join(', ')}`);
  await part();
}
