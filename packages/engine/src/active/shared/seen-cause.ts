import type { PassiveCheck, Seen } from '../../passive/define-passive-check.ts';

/** Groups whose findings differ by what the evidence names: a cookie, a library, a secret. */
const NAMED = new Set<string>(['cookies', 'content']);

/**
 * Names the cause of what a passive check has seen, which all pages share that show it: a cookie is set in one place,
 * a header is missing in the configuration of the site.
 */
export function seenCause(
  { id, group }: Pick<PassiveCheck, 'id' | 'group'>,
  { evidence }: Pick<Seen, 'evidence'>,
): string {
  if (!NAMED.has(group)) return id;
  // The same library may be loaded under several addresses.
  return `${id} ${evidence.replace(/\bhttps?:\/\/\S+/g, '').slice(0, 300)}`;
}
