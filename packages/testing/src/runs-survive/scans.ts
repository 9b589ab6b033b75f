import type { TestDatabase } from '../database/database.ts';
import { waitFor } from '../server/up.ts';
import { createScanning } from '../world/scans.ts';
import type { World } from '../world/world.ts';
import type { FedScan } from './clients.ts';

/** Many times the usual duration. */
const SCANS_WITHIN_MS = 60_000;

export async function waitForScans({ database }: TestDatabase): Promise<void> {
  const isOver = async () =>
    (await database.pool.query('select from scan where completed_at is null')).rows.length === 0;
  await waitFor(isOver, { what: 'the end of all scans', withinMs: SCANS_WITHIN_MS });
}

/** A scan ends without a result after five attempts, and one more that detects the limit. */
const ATTEMPTS_OF_A_FAILURE = 6;

interface ScanRow {
  id: string;
  attempts: number;
  checkIds: string[];
}

async function readScanRows({ database }: TestDatabase): Promise<ScanRow[]> {
  const { rows } = await database.pool.query<ScanRow>(`
    select id, attempts,
      coalesce((select jsonb_agg(check_id) from scan_finding where scan_id = scan.id), '[]') as "checkIds" from scan`);
  return rows;
}

/** Resolves to the scans whose result differs from their script. */
export async function findWrongScans(world: World, scans: readonly FedScan[]): Promise<string[]> {
  const { readScan } = createScanning(() => world);
  const rows = await readScanRows(world.testDatabase);
  const wrong: string[] = rows.length === scans.length ? [] : [`${rows.length} scans, not ${scans.length}`];
  for (const { id, starter, script } of scans) {
    const row = rows.find((each) => each.id === id);
    const { status, score, failure } = await readScan(starter, id);
    const text = JSON.stringify({ ...row, status, score, failure });
    const { result } = script.scan;
    const isJudged = 'findings' in result && score === result.score && failure === null;
    const isRight = isJudged
      ? JSON.stringify(row?.checkIds) === JSON.stringify(result.findings.map(({ checkId }) => checkId))
      : row?.checkIds.length === 0 && row.attempts >= ATTEMPTS_OF_A_FAILURE;
    if (status !== 'COMPLETED' || !isRight) wrong.push(text);
  }
  return wrong;
}
