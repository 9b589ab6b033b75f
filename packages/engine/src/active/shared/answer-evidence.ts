import type { ScanEvidence } from '../../evidence/evidence.ts';
import { cookiesOf } from '../../evidence/page/cookies.ts';
import { toMainDocument, toSteps } from '../../evidence/page/main-document.ts';
import { pageOf } from '../../evidence/page/page-of.ts';
import { policiesOf } from '../../evidence/page/policies.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import { textOf } from '../../oracle/private-content.ts';

/** What one response tells a passive check. */
export type AnswerEvidence = Pick<
  ScanEvidence,
  'mainDocument' | 'answers' | 'page' | 'cookies' | 'policies' | 'scripts'
>;

/** An empty cookie or one that contains only a switch identifies no session. */
const SWITCH = /^[^=;]*=\s*"?(?:true|false|yes|no|on|off|null|undefined|none|\d{0,2})"?\s*(?:;|$)/i;
/** Longer texts than real pages have; bounds what a hostile page costs. */
const MOST_CHARACTERS = 1_000_000;

/** Returns the evidence in a response; undefined without one. A script is evidence of the page that loads it. */
export function answerEvidence(exchange: Exchange): AnswerEvidence | undefined {
  const { request, response } = exchange;
  if (!response) return undefined;
  const headers = response.headers.filter(([name, value]) => !/^set-cookie$/i.test(name) || !SWITCH.test(value));
  const hops = [{ url: request.url, status: response.status, headers }];
  const text = textOf(exchange).slice(0, MOST_CHARACTERS);
  const isScript = isScriptAnswer(exchange);
  const page = { hops, body: isScript ? '' : text, isCut: response.isCut, gatheredAt: new Date().toISOString() };
  const mainDocument = toMainDocument(page);
  return {
    mainDocument,
    answers: toSteps(page),
    page: pageOf(page),
    cookies: cookiesOf(page),
    policies: policiesOf(mainDocument),
    scripts: isScript
      ? [{ ...hops[0], url: request.url, status: response.status, headers, body: text, isCut: false }]
      : [],
  };
}

const typeOf = ({ response }: Pick<Exchange, 'response'>) =>
  response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

export const isScriptAnswer = (exchange: Pick<Exchange, 'response'>) =>
  /\b(?:java|ecma)script\b/i.test(typeOf(exchange));
export const isPageAnswer = (exchange: Pick<Exchange, 'response'>) => /html/i.test(typeOf(exchange));
