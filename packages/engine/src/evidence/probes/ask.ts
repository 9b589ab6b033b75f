import { MOST_STREAMS } from '../../http/connection/http2-connection.ts';
import type { TargetRequest } from '../../http/exchange/exchange.ts';
import { type Sender, StopSending } from '../../http/exchange/sender.ts';
import type { Missing } from '../missing.ts';
import type { Hop } from '../page/main-page.ts';

/** What came back for one question. Its redirect, if it is one, is not followed. */
export interface ProbeAnswer extends Hop {
  /** Its beginning, one character for each byte. */
  body: string;
}

/** Whoever asks questions needs no more of a sender. */
export type Asking = Pick<Sender, 'send' | 'sharesConnection'>;

const MOST_BYTES = 65_536;
const AT_ONCE = { alone: 6, shared: MOST_STREAMS } as const;

/** How many questions to an origin are under way together, where an answer may end them all. */
export const atOnce = (sender: Asking, origin: string) => AT_ONCE[sender.sharesConnection(origin) ? 'shared' : 'alone'];

export async function ask(
  sender: Pick<Sender, 'send'>,
  question: Omit<TargetRequest, 'purpose' | 'bodyBytes'>,
  bodyBytes = MOST_BYTES,
): Promise<ProbeAnswer | Missing> {
  try {
    const { response, failure } = await sender.send({ ...question, bodyBytes, purpose: 'look' });
    if (!response) return { missing: failure?.message ?? 'No response.' };
    const { status, headers, body } = response;
    return { url: question.url, status, headers, body: body.toString('latin1') };
  } catch (error) {
    if (!(error instanceof StopSending)) throw error;
    return { missing: error.message };
  }
}

export const TURNED_AWAY = 'The site blocked the request (rate limit or bot protection).';
