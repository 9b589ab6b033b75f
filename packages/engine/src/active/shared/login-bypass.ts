import type { Exchange } from '../../http/exchange/exchange.ts';
import { headerOf } from '../../http/exchange/headers.ts';
import { asksForPassword } from './login-attempts.ts';

const TOKEN = /"(?:[a-z_]*token|jwt|session(?:_?id)?)"\s{0,5}:\s{0,5}"[^"]{8}/i;

/** Returns whether the first response logs in and the second does not. */
export function opens(answer: Exchange, denied: Exchange): boolean {
  if (!answer.response || answer.response.status >= 400) return false;
  const cookiesOf = ({ response }: Exchange) =>
    (response?.headers ?? [])
      .filter(([name]) => name.toLowerCase() === 'set-cookie')
      .map(([, value]) => value.split('=')[0]);
  const goesTo = ({ response }: Exchange) =>
    (headerOf(response?.headers ?? [], 'location') ?? '').replace(/[?#].*$/s, '');
  const hasToken = ({ response }: Exchange) => TOKEN.test(response?.body.toString() ?? '');
  return (
    cookiesOf(answer).some((name) => !cookiesOf(denied).includes(name)) ||
    (hasToken(answer) && !hasToken(denied)) ||
    (goesTo(answer) !== '' && goesTo(answer) !== goesTo(denied)) ||
    (asksForPassword(denied) && !asksForPassword(answer))
  );
}
