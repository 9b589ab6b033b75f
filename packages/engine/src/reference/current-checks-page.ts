import path from 'node:path';
import { loadActiveChecks } from '../active/load-checks.ts';
import { proposedChecks } from '../active/proposed/proposed-checks.ts';
import { loadPassiveChecks } from '../passive/load-checks.ts';
import { writeChecksPage } from './checks-page.ts';

export const checksPageFile = path.join(import.meta.dirname, '../../../../docs/checks.md');

export async function currentChecksPage(): Promise<string> {
  const [active, passive] = [await loadActiveChecks(), await loadPassiveChecks()];
  return writeChecksPage({ active, passive, proposed: proposedChecks });
}
