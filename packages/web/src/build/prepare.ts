import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtFrom, digestSources, hasSources } from './sources.ts';

const program = path.join(import.meta.dirname, 'main.ts');

/** What was done so that the dashboard can be served. */
export type DashboardBuild =
  | { state: 'current' }
  | { state: 'built'; seconds: number }
  | { state: 'failed'; why: string };

/**
 * Builds the dashboard unless the built files belong to the present sources. In a process of its own, whose memory the
 * service does not keep. Never rejects: the API works without the dashboard.
 */
export async function buildDashboard(onBuild: () => void = () => undefined): Promise<DashboardBuild> {
  if (!hasSources()) return { state: 'current' };
  const startedAt = performance.now();
  try {
    if ((await digestSources()) === (await builtFrom())) return { state: 'current' };
    onBuild();
    await promisify(execFile)(process.execPath, [program]);
    return { state: 'built', seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
  } catch (error) {
    return { state: 'failed', why: describe(error) };
  }
}

function describe(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  return (stderr || message).trim();
}
