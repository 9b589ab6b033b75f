import { isIP } from 'node:net';
import type { z } from 'zod';
import { StartupError } from '../errors/startup-error.ts';
import { type Environment, type Flags, RateLimitVariables, TimeVariables, type Variables } from './variables.ts';

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Refuses plain HTTP on a reachable address, because every request carries an API key. */
export function refusePlainExposure(host: string, tls: object | undefined, behindProxy: number | undefined): void {
  if (isLoopback(host) || tls || behindProxy !== undefined) return;
  throw new StartupError(
    `API keys would travel unencrypted: --host ${host} is reachable from other machines. Give --tls-cert and ` +
      '--tls-key, or --behind-proxy N if N proxies in front of the server terminate TLS.',
  );
}

/** Refuses changed limits and times in `live`, because the contract promises them; tests may change them. */
export function refuseChangedPromises(variables: z.output<typeof Variables>, environment: Environment): void {
  const names = Object.keys({ ...RateLimitVariables, ...TimeVariables }) as (keyof typeof variables)[];
  const changed = names.find((name) => variables[name] !== undefined);
  if (changed !== undefined && environment !== 'test') {
    throw new StartupError(`${changed} can only be changed in environment test. Unset it.`);
  }
}

/**
 * Requires a contact in `live`, because owners of targets that are scanned without consent must be able to reach the
 * operator.
 */
export function requireContact(contact: string | undefined, { environment, role }: z.output<typeof Flags>): void {
  if (contact !== undefined || environment === 'test' || role === 'api') return;
  throw new StartupError(
    'SORTIE_CONTACT is not set: in environment live, every request to a target names a contact. Set it to an e-mail address or a URL.',
  );
}

interface Links {
  publicUrl: string | undefined;
  mail: object | null;
  oidc: object | null;
}

/**
 * Requires the public address for links in mails and for the redirect from the provider, because a guessed one would
 * mislead people.
 */
export function requirePublicUrl(
  { publicUrl, mail, oidc }: Links,
  { environment, role }: z.output<typeof Flags>,
): void {
  const needs = oidc ? 'single sign-on' : mail ? 'mails' : undefined;
  if (publicUrl !== undefined || needs === undefined || environment === 'test' || role === 'worker') return;
  throw new StartupError(
    `SORTIE_PUBLIC_URL is not set: in environment live, ${needs} must lead people to the dashboard. Set it to the origin ` +
      'under which browsers reach it, such as https://sortie.example.com.',
  );
}
