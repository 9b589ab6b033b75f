import { jsonLeaves } from '../../crawl/inventory/json-leaves.ts';
import { readPage } from '../../crawl/readers/read-page.ts';
import type { Exchange, TargetRequest } from '../../http/exchange/exchange.ts';
import type { Sender } from '../../http/exchange/sender.ts';
import { type LoginAnswer, passwordForm } from '../find/find-form.ts';
import { readJson } from '../session/tokens.ts';
import { needsCode } from './one-time-code.ts';
import { notSent } from './sent-secrets.ts';
import { type LoginVerdict, verdictOn } from './verdict.ts';

/** Below the number of failed logins after which targets usually lock an account. */
const MOST_REFUSED = 3;

/** Counts the refused logins of one account over all ways to log in, so that the target does not lock it. */
export interface Tries {
  /** Returns whether the account must not try to log in again. */
  isSpent(): boolean;
  /** Forgets earlier refusals: targets count from the last successful login. */
  succeeded(): void;
  /** Counts a refused login that no watched sender has sent. */
  refuse(): void;
  /**
   * Sends a wrong password, once per account, and resolves to the same response each time. Resolves to undefined if
   * another refused login could lock the account.
   */
  tryWrong(send: () => Promise<LoginAnswer | undefined>): Promise<LoginAnswer | undefined>;
  /** Wraps a sender, which counts refused logins and withholds further ones until `stop` is called. */
  watch(sender: Pick<Sender, 'send'>, credential: Credential): { sender: Pick<Sender, 'send'>; stop(): void };
}

interface Credential {
  user: string;
  pass: string;
}

export function createTries(): Tries {
  let refused = 0;
  let wrong: Promise<LoginAnswer | undefined> | undefined;
  const isSpent = () => refused >= MOST_REFUSED;
  return {
    isSpent,
    succeeded() {
      refused = 0;
    },
    refuse() {
      refused++;
    },
    async tryWrong(send) {
      if (!wrong && refused + 1 >= MOST_REFUSED) return undefined;
      if (!wrong) refused++;
      wrong ??= send();
      return wrong;
    },
    watch(sender, credential) {
      let isOver = false;
      return {
        sender: {
          async send(request) {
            if (isOver || !logsIn(request, credential)) return sender.send(request);
            if (isSpent()) return notSent(request, TOO_MANY);
            const exchange = await sender.send(request);
            if (isRefused(exchange)) refused++;
            return exchange;
          },
        },
        stop() {
          isOver = true;
        },
      };
    },
  };
}

/** Tells the owner of the account why no other way was tried. */
export const TOO_MANY = `The target refused ${MOST_REFUSED} logins with this account. No other way was tried, because another failed login could lock it.`;

/** Compares whole values: a password that is a common word also occurs in requests that are no logins. */
function logsIn({ body, headers = [] }: Pick<TargetRequest, 'body' | 'headers'>, { user, pass }: Credential): boolean {
  const sent = headers.filter(([name]) => name.toLowerCase() === 'authorization').map(([, value]) => value);
  const basic = Buffer.from(`${user}:${pass}`).toString('base64');
  if (sent.some((value) => value === `Basic ${basic}` || /^Digest .*\bresponse=/i.test(value))) return true;
  const text = body === undefined ? '' : Buffer.from(body).toString();
  if (readJson(text) !== undefined) return jsonLeaves(text).some(({ value }) => value === pass);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (/multipart|xml/i.test(type)) return text.includes(pass);
  return [...new URLSearchParams(text).values()].includes(pass);
}

/** Verdicts after which the target cannot have counted a failed login. */
const NOT_EVALUATED = new Set<LoginVerdict>(['ACCEPTED', 'OTHER_TYPE', 'NOT_THERE', 'CSRF', 'NO_RESPONSE']);

function isRefused(exchange: Exchange): boolean {
  const { response, request } = exchange;
  const html = response?.body.toString() ?? '';
  const isShownAgain = (response?.status ?? 0) < 300 && passwordForm(readPage(html, request.url).forms) !== undefined;
  return isShownAgain || (!NOT_EVALUATED.has(verdictOn(exchange)) && !needsCode(exchange));
}
