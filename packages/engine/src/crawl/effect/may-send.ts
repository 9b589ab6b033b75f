import { type Depth, depths } from '@sortie/contract';
import type { Effect } from '../inventory/effects.ts';
import type { WriteTarget } from './write-target.ts';

export const isAtLeast = (depth: Depth, least: Depth) => depths.indexOf(depth) >= depths.indexOf(least);

interface SendIntent {
  effect: Effect;
  /** The resource was created by this run. */
  isOurs: boolean;
  /** The account that sends it; null for an anonymous visitor. */
  as: string | null;
  risk: 'harmless' | 'intrusive';
  /** What a change acts on. */
  target: WriteTarget;
  /** Sets a password, or asks for a reset or a one-time code. */
  isAboutCredentials: boolean;
}

/**
 * Written values may be stored, mailed or charged, so the lowest level only reads. `STANDARD` also writes, but sends
 * intrusive requests only with test accounts or to resources of this run; from `DEEP` on, also as an anonymous visitor.
 * Dangerous requests are sent only to resources of this run. No level changes what existed before the run, or the
 * credentials of an account that the run did not register.
 */
export function maySend({ effect, isOurs, as, risk, target, isAboutCredentials }: SendIntent, depth: Depth): boolean {
  if (effect === 'changes' && !isOurs && (target === 'existing' || isAboutCredentials)) return false;
  // Failed logins lock accounts: only login tests send logins, and they know when to stop.
  if (effect === 'logsIn' || (effect === 'endangers' && !isOurs)) return false;
  if (!isAtLeast(depth, 'STANDARD')) return risk === 'harmless' && effect === 'reads';
  return risk === 'harmless' || isOurs || as !== null || isAtLeast(depth, 'DEEP');
}
