import { randomBytes } from 'node:crypto';
import type { Sender } from '../../http/exchange/sender.ts';
import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import { ask, BLOCKED, type ProbeAnswer } from './ask.ts';

/** Requests paths that do not exist, as a baseline to recognise those that do. */
export async function gatherNotFound(
  sender: Pick<Sender, 'send'>,
  origin: string,
  nonce = randomBytes(8).toString('hex'),
): Promise<readonly ProbeAnswer[] | Missing> {
  const paths = [`/${nonce}`, `/.${nonce}/${nonce}.txt`];
  const answers = await Promise.all(paths.map((path) => ask(sender, { method: 'GET', url: `${origin}${path}` })));
  const missing = answers.find(isMissing);
  if (missing) return missing;
  const found = answers as ProbeAnswer[];
  return found.some(isBlocked) ? { missing: BLOCKED } : found;
}
