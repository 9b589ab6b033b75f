import { isIP } from 'node:net';
import { parseAllowList } from '@sortie/engine';
import { z } from 'zod';
import { createSecret } from '../platform/secret.ts';

/** Parses a setting of digits only: no sign, no exponent, at most nine digits. */
export function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.int().min(min, error).max(max, error));
}

export const count = whole(0, 999_999_999);
export const positive = whole(1, 999_999_999);
export const port = whole(0, 65_535);
export const text = z.string().min(1, 'must not be empty');

/** Requires a host in the URL itself; the driver would also accept one in a query parameter. */
function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address) && URL.canParse(address.replace('@/', '@localhost/'));
}

export const secret = z.string().transform(createSecret);

const HOST_WITH_PORT = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/;

/** Host names or addresses, each with a port if it is not the default one. */
export const hostList = z
  .string()
  .transform((text) => text.split(',').map((host) => host.trim().toLowerCase()))
  .refine((hosts) => hosts.every((host) => HOST_WITH_PORT.test(host) && URL.parse(`http://${host}/`)?.host === host), {
    error: 'must be hosts separated by commas, such as login.example.com or 127.0.0.1:8080',
  });

const splitList = (text: string) => text.split(',').map((entry) => entry.trim());

function isAllowList(entries: string[]): boolean {
  try {
    parseAllowList(entries);
    return true;
  } catch {
    return false;
  }
}

export const addressRanges = z.string().transform(splitList).refine(isAllowList, {
  error: 'must be address ranges separated by commas, such as 10.0.0.0/8 or 127.0.0.1/32:8080',
});

/** An IPv6 address must have no port. */
const isNameServer = (entry: string) => isIP(entry) !== 0 || isIP(entry.replace(/:\d{1,5}$/, '')) === 4;

export const nameServers = z
  .string()
  .transform(splitList)
  .refine((entries) => entries.every(isNameServer), {
    error: 'must be addresses of name servers separated by commas, such as 9.9.9.9 or 127.0.0.1:5353',
  });

const isOrigin = (text: string) => /^https?:\/\//.test(text) && URL.parse(text)?.origin === text;

export const publicUrl = z
  .string()
  .transform((text) => text.replace(/\/$/, ''))
  .refine(isOrigin, 'must be an origin without a path, such as https://sortie.example.com');

/** Ids of vault keys, as printed by the server. */
export const keyIds = z
  .string()
  .transform(splitList)
  .refine(
    (ids) => ids.every((id) => /^[0-9a-f]{16}$/.test(id)),
    'must be ids of vault keys (16 hex digits each) separated by commas',
  );

export const databaseUrl = z
  .string()
  .refine(isPostgresAddress, 'must look like postgres://user:password@host:5432/database');
