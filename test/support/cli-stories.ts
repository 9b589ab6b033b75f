import assert from 'node:assert/strict';
import { runCli } from './cli.ts';
import { type Client, urlOf } from './sandbox.ts';

interface Expected {
  exitCode: number;
  depth?: 'lead' | 'standard';
  flags?: readonly string[];
  says: RegExp;
}

/** What each story of the sandbox ends with, as a pipeline sees it. */
export const stories: Record<string, Expected> = {
  'released-clean': { exitCode: 0, says: /Gate passed: nothing over the policy among no findings/ },
  'released-findings': { exitCode: 1, says: /Gate failed: 4 findings \(2 critical, 2 high\) over the policy/ },
  'findings-fill-in': { exitCode: 1, says: /Gate failed/ },
  'review-pending': { exitCode: 6, depth: 'standard', flags: ['--max-wait', '5s'], says: /not released/ },
  'review-released': { exitCode: 1, depth: 'standard', says: /Gate failed: 1 finding \(1 high\)/ },
  failed: { exitCode: 3, says: /Not judged: the run ended FAILED/ },
  'cancelled-with-charge': {
    exitCode: 3,
    says: /Not judged: the run ended CANCELLED[\s\S]*Partial, and not reviewed:/,
  },
  paused: { exitCode: 6, flags: ['--max-wait', '5s'], says: /the run is PAUSED: somebody has to go on with it/ },
  'unknown-status': { exitCode: 0, says: /Gate passed/ },
  'unknown-status-stays': { exitCode: 7, flags: ['--max-wait', '5s'], says: /status CALIBRATION, which this version/ },
  'start-500-then-retry': { exitCode: 0, says: /Gate passed/ },
  'start-500-then-failed': { exitCode: 3, says: /Not judged: the run ended FAILED/ },
  'start-409': { exitCode: 0, says: /Gate passed/ },
  'rate-limited': { exitCode: 0, says: /Gate passed/ },
  concurrency: { exitCode: 0, flags: ['--wait-slot'], says: /Gate passed/ },
};

export const startOf = (client: Client, story: string, depth: string): string[] => {
  const { verificationId } = client;
  return ['--target', urlOf(story), '--verification', verificationId, '--depth', depth, '--new'];
};

interface Scene {
  client: Client;
  cwd: string;
  env: Record<string, string>;
}

/** Plays a story to the program itself, and holds it to what is expected. */
export async function playToGate(story: string, { client, cwd, env }: Scene): Promise<void> {
  const { exitCode, depth = 'lead', flags = [], says } = stories[story] ?? assert.fail(`no story ${story}`);
  const args = ['gate', '--start', ...startOf(client, story, depth), '--poll', '300ms', '--max-wait', '60s', ...flags];
  const finished = await runCli(args, { cwd, env });
  assert.equal(finished.exitCode, exitCode, finished.stdout + finished.stderr);
  assert.match(finished.stdout, says);
}
