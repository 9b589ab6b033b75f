import type { Target } from '@sortie/contract';
import type { Queries } from '../db/database.ts';
import type { PermittedCaller } from '../http/route.ts';
import { listAssignedTargets } from '../targets/targets.ts';

const MOST_TARGETS = 500;

/** Resolves to the valid verifications that cover the URL, with the rules of the target's owner. */
export async function readEngagements(queries: Queries, caller: PermittedCaller, targetUrl: string) {
  const url = new URL(targetUrl);
  const { targets } = await listAssignedTargets(queries, caller, { limit: MOST_TARGETS, offset: 0 });
  return targets
    .filter((target) => target.verified && covers(target, url))
    .map(({ method, coveredName, coveredOrigin, verifiedAt, expiresAt, rules }) => ({
      ...{ method, coveredName, coveredOrigin, verifiedAt, expiresAt, rules },
    }));
}

function covers({ coveredName, coveredOrigin }: Target, { hostname, origin }: URL): boolean {
  if (coveredOrigin !== null) return coveredOrigin === origin;
  return coveredName !== null && `.${hostname}`.endsWith(`.${coveredName}`);
}
