import { randomBytes } from 'node:crypto';
import type { Sender } from '../../http/exchange/sender.ts';
import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import { ask, BLOCKED, type ProbeAnswer } from './ask.ts';

/** Responses to two methods that change nothing. */
export interface Methods {
  /** Sent in a header of the TRACE request only. */
  nonce: string;
  trace: ProbeAnswer;
  options: ProbeAnswer;
}

/** Resolves to the HTTP methods that the site advertises, and whether TRACE echoes the request. */
export async function gatherMethods(
  sender: Pick<Sender, 'send'>,
  url: string,
  nonce = randomBytes(8).toString('hex'),
): Promise<Methods | Missing> {
  const [trace, options] = await Promise.all([
    ask(sender, { method: 'TRACE', url, headers: [['x-sortie-echo', nonce]] }),
    ask(sender, { method: 'OPTIONS', url }),
  ]);
  if (isMissing(trace)) return trace;
  if (isMissing(options)) return options;
  return [trace, options].some(isBlocked) ? { missing: BLOCKED } : { nonce, trace, options };
}
