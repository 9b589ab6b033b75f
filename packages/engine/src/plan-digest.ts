import { createHash } from 'node:crypto';
import type { TestStep } from './plan-tests.ts';
import { placeOf } from './to-finding.ts';

/** The same for the same plan, and for no other. */
export function digestOf(plan: readonly TestStep[]): string {
  const hash = createHash('sha256');
  for (const { phase, jobs } of plan) {
    hash.update(`${phase}\n`);
    for (const job of jobs) {
      const { item, parameter } = placeOf(job);
      const { method, url, operation, seenAs } = item;
      const facts = [job.check.id, method, url, operation, seenAs, parameter?.location, parameter?.name];
      hash.update(`${JSON.stringify(facts)}\n`);
    }
  }
  return hash.digest('hex');
}
