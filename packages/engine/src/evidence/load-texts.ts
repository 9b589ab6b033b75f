import type { Sender } from '../http/sender.ts';
import { type Answer, ask, TURNED_AWAY } from './ask.ts';
import { isMissing, type Missing } from './missing.ts';
import { createPatience } from './patience.ts';
import { isTurnedAway } from './turned-away.ts';

/** Something that was loaded as a browser does it. */
export interface LoadedText extends Answer {
  /** Whether there was more of it. */
  isCut: boolean;
}

interface LoadLimits {
  /** Of one. */
  bytes: number;
  /** Of all. */
  allBytes: number;
}

const AT_ONCE = 6;
const TOO_MUCH: Missing = { missing: 'It was not loaded: what was loaded before it is as much as a scan reads.' };

/** Each once, in their order; stops as soon as the site asks for it. */
export async function loadTexts(
  sender: Pick<Sender, 'send'>,
  urls: readonly string[],
  { bytes, allBytes }: LoadLimits,
): Promise<(LoadedText | Missing)[]> {
  const loaded: (LoadedText | Missing)[] = [];
  const waiting = urls.entries();
  const patience = createPatience();
  let left = allBytes;

  async function load(url: string): Promise<LoadedText | Missing> {
    const ended = patience.ended();
    if (ended !== undefined) return { missing: ended };
    // Set aside first, so that all that are under way together keep to it.
    const most = Math.min(bytes, left);
    if (most <= 0) return TOO_MUCH;
    left -= most;
    const answer = await ask(sender, { method: 'GET', url }, most);
    left += most - (isMissing(answer) ? 0 : Math.min(most, answer.body.length));
    patience.heed(answer);
    if (isMissing(answer)) return answer;
    return isTurnedAway(answer) ? { missing: TURNED_AWAY } : { ...answer, isCut: answer.body.length >= most };
  }
  async function work(): Promise<void> {
    for (const [index, url] of waiting) loaded[index] = await load(url);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return loaded;
}
