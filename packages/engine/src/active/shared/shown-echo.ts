import { randomBytes } from 'node:crypto';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { FILLER, oddValue } from '../../oracle/payloads.ts';
import { shownPage } from '../../oracle/shown-page.ts';
import type { Asking, Point } from '../define-active-check.ts';
import { requestWith } from '../insertion-point.ts';
import { shareAnswer } from '../share-answer.ts';

/** How a target shows a value with the special characters of markup. */
interface ShownEcho {
  /** The mark around the characters. */
  word: string;
  /** The page that a browser renders; empty if it renders none. */
  page: string;
  response: Exchange['response'];
}

/** Resolves to the echo of odd characters. Requested once for all checks that look for markup in a page. */
export const shownEcho = (point: Point, { ask, memory }: Pick<Asking, 'ask' | 'memory'>): Promise<ShownEcho> =>
  shareAnswer({ memory, make: echo, key: point }, () => requestEcho(point, ask));

const echo = (_point: Point, request: () => Promise<ShownEcho>) => request();

async function requestEcho(point: Point, ask: Asking['ask']): Promise<ShownEcho> {
  const word = `s${randomBytes(6).toString('hex')}`;
  const exchange = await ask(requestWith(point, oddValue(word) + FILLER));
  return { word, page: shownPage(exchange), response: exchange.response };
}

export function isEchoed({ word, response }: ShownEcho): boolean {
  const texts = response ? [response.body.toString(), ...response.headers.map(([, value]) => value)] : [];
  return texts.some((text) => text.includes(`${word}a`));
}
