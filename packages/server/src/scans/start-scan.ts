import { ALGORITHM_VERSION } from '@sortie/engine';
import { getDomain } from 'tldts';
import { type Catalogue, planOf } from '../billing/catalogue.ts';
import type { Transaction } from '../db/database.ts';
import { AppError } from '../errors/app-error.ts';
import { requireStarter } from '../keys/keys.ts';
import { isHostAssigned, readOrigin } from '../targets/targets.ts';
import { countThisMonth, insertScan } from './store.ts';

interface ScannedUrl {
  url: string;
  host: string;
  domain: string;
}

interface Starter {
  accountId: string;
  apiKeyId: string | null;
  userId: string;
}

/** Creates a scan in the transaction of its start. Throws if the plan's scans of the month are used up. */
export async function createScan(
  tx: Transaction,
  runId: string,
  caller: Starter,
  scanned: ScannedUrl,
  catalogue: Catalogue,
): Promise<void> {
  const { accountId, apiKeyId, userId } = caller;
  const { host } = scanned;
  const { plan, role } = await requireStarter(tx, caller, 'scans:write');
  if (!(await isHostAssigned(tx, { accountId, userId, role, host }))) throw new AppError('TARGET_NOT_ASSIGNED');
  await refuseOneTooMany(tx, accountId, planOf(catalogue, plan).scansPerMonth);
  await insertScan(tx, { id: runId, accountId, userId, apiKeyId, ...scanned, algorithmVersion: ALGORITHM_VERSION });
}

async function refuseOneTooMany(tx: Transaction, accountId: string, allowed: number | null): Promise<void> {
  if (allowed === null || (await countThisMonth(tx, accountId)) < allowed) return;
  throw new AppError('PLAN_LIMIT_EXCEEDED', {
    message: `The plan of this account includes ${allowed} scans per calendar month (UTC). Wait for the next month, or change the plan.`,
  });
}

/** Returns the URL to scan; a bare domain means its home page over HTTPS. */
export function readScanUrl(sent: string): ScannedUrl {
  const url = /^https?:\/\//i.test(sent) ? sent : `https://${sent}/`;
  const read = readOrigin(url);
  if (!read)
    throw new AppError('VALIDATION_ERROR', { field: 'url', message: 'url: has a host that cannot be scanned' });
  return { url, host: read.host, domain: domainOf(read.host) };
}

/**
 * Returns the registrable domain of a host, or the host itself. Names below a shared suffix such as github.io count as
 * domains of their own. Does not validate the host: it is already parsed, and the library would reject some names.
 */
function domainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host;
}
