import { type Database, inTransaction, serviceNow } from '../db/database.ts';
import { attestTarget, listTargets, setApiRuns, setRules } from '../targets/targets.ts';

export interface DemoTarget {
  url: string;
  verificationId: string;
}

const actor = 'demo';
/** The maximum that rules allow: the target is our own program on this machine, and users wait for the result. */
const REQUESTS_PER_SECOND = 50;
const RENEW_BEFORE_MS = 30 * 86_400_000;

/** Attests the demo target for the demo account, and renews an attestation that expires soon. */
export function attestDemoTarget(database: Database, accountId: string, origin: string): Promise<DemoTarget> {
  return inTransaction(database, async (tx) => {
    const known = (await listTargets(tx, accountId)).find(
      (each) => each.origin === origin && each.method === 'attestation',
    );
    const renewAt = new Date((await serviceNow(tx)).getTime() + RENEW_BEFORE_MS);
    const isGood = known?.expiresAt && known.expiresAt > renewAt;
    const { id: verificationId } = isGood ? known : await attestTarget(tx, { accountId, url: origin, actor });
    if (!known?.apiRuns) await setApiRuns(tx, { verificationId, apiRuns: true, actor });
    const changes = { requestsPerSecond: REQUESTS_PER_SECOND };
    if (!known) await setRules(tx, { verificationId, changes, clear: false, actor });
    return { url: `${origin}/`, verificationId };
  });
}
