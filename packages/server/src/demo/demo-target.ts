import { type Database, inTransaction, serviceNow } from '../db/database.ts';
import { attestTarget, listTargets, setApiRuns } from '../targets/targets.ts';

export interface DemoTarget {
  url: string;
  verificationId: string;
}

const actor = 'demo';
const RENEW_BEFORE_MS = 30 * 86_400_000;

/** Lets the demo account test there; again when that is about to expire. */
export function attestDemoTarget(database: Database, accountId: string, origin: string): Promise<DemoTarget> {
  return inTransaction(database, async (tx) => {
    const known = (await listTargets(tx, accountId)).find(
      (each) => each.origin === origin && each.method === 'attestation',
    );
    const renewAt = new Date((await serviceNow(tx)).getTime() + RENEW_BEFORE_MS);
    const isGood = known?.expiresAt && known.expiresAt > renewAt;
    const { id: verificationId } = isGood ? known : await attestTarget(tx, { accountId, url: origin, actor });
    if (!known?.apiRuns) await setApiRuns(tx, { verificationId, apiRuns: true, actor });
    return { url: `${origin}/`, verificationId };
  });
}
