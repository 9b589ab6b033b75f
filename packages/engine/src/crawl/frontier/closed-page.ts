import { parametersOf } from '../inventory/inventory.ts';

/** Statuses of pages that do not exist. */
export const ABSENT = new Set([404, 410]);
const CLOSED = new Set([401, 403, 407, ...ABSENT]);
const LOGIN_PATH = /log[_-]?in|sign[_-]?in|\/auth|\/sso/i;

/** Pages that this visitor may not access are left to one who may: tests as this visitor would see nothing of them. */
export function isClosed(url: string, status: number, next: string | undefined): boolean {
  if (CLOSED.has(status)) return true;
  if (next === undefined || status < 300 || status >= 400) return false;
  const { pathname } = new URL(next);
  const isAskedFor = parametersOf(url).some(({ value }) => value.includes(pathname));
  return LOGIN_PATH.test(pathname) && !LOGIN_PATH.test(new URL(url).pathname) && !isAskedFor;
}
