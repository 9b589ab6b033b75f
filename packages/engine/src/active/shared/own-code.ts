import { createHash } from 'node:crypto';
import { effectOf } from '../../crawl/effect/judge.ts';
import type { InventoryItem, Parameter } from '../../crawl/inventory/inventory.ts';
import type { Asking, Known } from '../define-active-check.ts';
import type { PlannedRequest } from '../experiment.ts';
import type { PointRequest } from '../insertion-point.ts';
import { inBody, isOneTime, loggingIn, type OwnAccounts, plannedRegistration, waysToRegister } from './own-account.ts';
import { nearestOf, ownLoginsAt } from './own-password.ts';
import { plannedIn } from './own-session.ts';
import { byTokenOf } from './own-token.ts';
import { requestWithAll } from './stored-marks.ts';

/** A request that takes a coupon code which the target itself shows, and how accounts of the run log in to send it. */
export interface OwnCode {
  own: OwnAccounts;
  scheme?: string;
  item: InventoryItem;
  field: Parameter;
}

const COUPON = '(?:coupon|voucher|promo(?:tion)?|discount|rebate|gift[_-]?(?:card|code))';
const COUPON_FIELD = new RegExp(`(?:^|[/_-])${COUPON}s?(?:[_-]?(?:code|number|no|key))?$`, 'i');
const OF_COUPONS = new RegExp(`(?:^|[/_-])${COUPON}s?(?=$|[/_-])`, 'i');
const CODE = /(?:^|[/_-])code$/i;
const SHORTEST = 4;

/** Returns the field of a request that takes a coupon code, if an example of a code is known. */
export function codeFieldOf(item: InventoryItem): Parameter | undefined {
  const { method, url, operation, effect = effectOf({ method, url }) } = item;
  if (method !== 'POST' || operation !== undefined || effect !== 'changes') return undefined;
  const isOfCoupons = OF_COUPONS.test(new URL(url).pathname);
  const fields = inBody(item);
  const codes = fields.filter(({ name }) => COUPON_FIELD.test(name) || (isOfCoupons && CODE.test(name)));
  const [code] = codes;
  // Other fields may name things of others.
  const isAlone = codes.length === 1 && fields.length <= 2 && !fields.some(isOneTime);
  return code && isAlone && code.value.length >= SHORTEST && code.value.length <= 40 ? code : undefined;
}

export const takesCode = (item: InventoryItem, known: Known) =>
  codeFieldOf(item) !== undefined && waysToRegister(item, known).registrations.length > 0;

/** Resolves to how the nearest accounts of the run send the code; none where no account can log in. */
export async function ownCodesAt(item: InventoryItem, word: string, asking: Asking): Promise<OwnCode[]> {
  const field = codeFieldOf(item);
  const own = nearestOf(await ownLoginsAt(new URL(item.url), word, asking), item.url);
  if (!field || !own || folderOf(own.login.url) !== folderOf(item.url)) return [];
  const { scheme } = own;
  return [{ own, item, field, ...(scheme !== undefined && { scheme }) }];
}

/** A login further away may be that of other users. */
const folderOf = (url: string) => new URL(url).pathname.split('/').slice(0, -1).join('/');

/** Plans an account of the run with its login, and requests with codes in its session. */
export function planWithCodes({ own, scheme, item, field }: OwnCode, { key, word, password }: Planning) {
  const send = (code: string): PointRequest => requestWithAll(item, [[field, code]]);
  return {
    registered: plannedRegistration(own, word, password),
    login: plannedIn(key, 'login', loggingIn(own, word, password), { isControl: true }),
    trying(label: string, code: string, isControl = false): PlannedRequest {
      const request = send(code);
      const written = scheme === undefined ? {} : { written: byTokenOf(`${key}Login`, request, scheme) };
      return { ...plannedIn(key, label, request, { isControl, ...written }), payload: code };
    },
  };
}

interface Planning {
  /** Name of the session. The plan has its login as `<key>Login`. */
  key: string;
  word: string;
  password: string;
}

/** Returns a random code of the same form: letters for letters, digits for digits. */
export function codeLike(code: string, seed: string): string {
  const bytes = createHash('sha512').update(seed).digest();
  const from = (alphabet: string, index: number) =>
    alphabet[(bytes[index % bytes.length] ?? 0) % alphabet.length] ?? '';
  return [...code]
    .map((each, index) => {
      if (/\d/.test(each)) return from('0123456789', index);
      if (/[a-z]/.test(each)) return from('bcdfghjkmnpqrstvwxz', index);
      return /[A-Z]/.test(each) ? from('BCDFGHJKMNPQRSTVWXZ', index) : each;
    })
    .join('');
}
