import { MOST_STREAMS } from '../../http/connection/http2-connection.ts';
import type { TargetRequest } from '../../http/exchange/exchange.ts';
import { type Sender, StopSending } from '../../http/exchange/sender.ts';
import type { Missing } from '../missing.ts';
import type { Hop } from '../page/main-page.ts';

/** Response to one request. Redirects are not followed. */
export interface ProbeAnswer extends Hop {
  /** Beginning of the body, decoded as Latin-1. */
  body: string;
}

/** The part of a sender that probes need. */
export type ProbeSender = Pick<Sender, 'send' | 'sharesConnection'>;

const MOST_BYTES = 65_536;
const AT_ONCE = { alone: 6, shared: MOST_STREAMS } as const;

/** Returns how many requests to an origin run concurrently. Kept low because one response can end the series. */
export const atOnce = (sender: ProbeSender, origin: string) =>
  AT_ONCE[sender.sharesConnection(origin) ? 'shared' : 'alone'];

/** Resolves to the response to one probe; missing if there was none. */
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

export const BLOCKED = 'The site blocked the request (rate limit or bot protection).';
