import { randomBytes } from 'node:crypto';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { requestWith } from '../insertion-point.ts';

const REFUSALS = new Set([400, 403, 406, 422]);
/** A single refusal may be about something else in the value. */
const MOST_REFUSED = 3;

const isRefused = ({ response }: Pick<Exchange, 'response'>) => response !== null && REFUSALS.has(response.status);

/**
 * Asks for values of a probe, and notices a target that refuses every value with a blank, so that the probe stops sending
 * such payloads.
 */
export function watchBlanks(point: Point, asking: Pick<Asking, 'ask'> & Partial<Pick<Asking, 'memory'>>) {
  let refused = 0;
  let areRefused = false;
  return {
    isPointless: (value: string) => areRefused && /\s/.test(value),
    async ask(value: string, isRaw?: boolean): Promise<Exchange> {
      const answer = await asking.ask(requestWith(point, value, isRaw));
      if (/\s/.test(value) && isRefused(answer) && ++refused === MOST_REFUSED)
        areRefused = await refusesBlanks(point, asking);
      return answer;
    },
  };
}

const refusesBlanks = (point: Point, { ask, memory }: Parameters<typeof watchBlanks>[1]): Promise<boolean> =>
  memory ? memory.once(askWithBlank, point, ask) : askWithBlank(point, ask);

/** Two words are refused with a blank between them, and not without. */
async function askWithBlank(point: Point, ask: Asking['ask']): Promise<boolean> {
  const [one, other] = [4, 4].map((bytes) => `s${randomBytes(bytes).toString('hex')}`);
  if (!isRefused(await ask(requestWith(point, `${one} ${other}`)))) return false;
  const { response } = await ask(requestWith(point, `${one}${other}`));
  return response !== null && response.status < 400;
}
