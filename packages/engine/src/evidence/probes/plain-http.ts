import { type Sender, StopSending } from '../../http/exchange/sender.ts';
import { isBlocked } from '../blocked.ts';
import type { Missing } from '../missing.ts';
import { type Hop, type MainPage, MOST_HOPS, PAGE_HEADERS, toHop } from '../page/main-page.ts';
import { BLOCKED } from './ask.ts';

/** Redirects and page for a visitor who comes over HTTP. Empty hops mean that nothing listens there. */
export interface PlainHttp {
  hops: readonly Hop[];
}

const NOBODY_THERE = new Set(['UNREACHABLE', 'TIMEOUT']);
const CUSTOM_PORT = 'The site uses a custom port, so the matching HTTP port is unknown.';

/** Reuses the hops of the main page if it was loaded over HTTP. */
export async function gatherPlainHttp(
  sender: Pick<Sender, 'follow'>,
  { hops: shown }: Pick<MainPage, 'hops'>,
): Promise<PlainHttp | Missing> {
  const url = new URL(shown[0]?.url ?? '');
  if (url.protocol === 'http:') return { hops: shown };
  if (url.port !== '') return { missing: CUSTOM_PORT };
  const plain = `http://${url.host}${url.pathname}${url.search}`;
  try {
    const request = { method: 'GET', url: plain, headers: PAGE_HEADERS, purpose: 'look' } as const;
    const exchanges = await sender.follow(request, MOST_HOPS);
    const hops = exchanges.flatMap(toHop);
    const failure = exchanges[0]?.failure;
    if (failure && !NOBODY_THERE.has(failure.code)) return { missing: failure.message };
    return hops.some(isBlocked) ? { missing: BLOCKED } : { hops };
  } catch (error) {
    if (!(error instanceof StopSending)) throw error;
    return { missing: error.message };
  }
}
