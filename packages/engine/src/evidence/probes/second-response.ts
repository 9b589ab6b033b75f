import type { Sender } from '../../http/exchange/sender.ts';
import { isBlocked } from '../blocked.ts';
import { isMissing, type Missing } from '../missing.ts';
import { toMainDocument } from '../page/main-document.ts';
import { type MainPage, PAGE_HEADERS } from '../page/main-page.ts';
import { policiesOf } from '../page/policies.ts';
import { hasNonce } from '../page/sources.ts';
import { ask, BLOCKED, type ProbeAnswer } from './ask.ts';

const ANOTHER_PAGE = 'The second request for the page returned a different status.';

/** Requests the page again if its CSP has a nonce, which must differ. Resolves to null without a nonce. */
export async function gatherSecondResponse(
  sender: Pick<Sender, 'send'>,
  mainPage: MainPage,
): Promise<ProbeAnswer | Missing | null> {
  const document = toMainDocument(mainPage);
  const sources = policiesOf(document).enforced.flatMap(({ directives }) => [...directives.values()].flat());
  if (!hasNonce(sources)) return null;
  const answer = await ask(sender, {
    method: 'GET',
    url: document.url.href,
    headers: PAGE_HEADERS,
  });
  if (isMissing(answer)) return answer;
  if (isBlocked(answer)) return { missing: BLOCKED };
  return answer.status === document.status ? answer : { missing: ANOTHER_PAGE };
}
