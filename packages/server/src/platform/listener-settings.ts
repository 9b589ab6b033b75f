import { isIP } from 'node:net';
import { z } from 'zod';
import { StartupError } from '../errors/startup-error.ts';

/** Where the server listens for callbacks, and how targets reach it. */
export interface ListenerSettings {
  /** URL of the listener for targets, without a trailing slash. */
  url: string;
  /** The DNS zone whose names resolve to the listener; null without one. */
  zone: string | null;
  http: { host: string; port: number };
  dns: { host: string; port: number; zone: string; address: string } | null;
}

const MOST_PORT = 65_535;

/** `address:port`, as `[::]:80` for IPv6. */
function readPlace(text: string): { host: string; port: number } | undefined {
  const [, v6, v4, port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = v6 ?? v4 ?? '';
  return isIP(host) !== 0 && Number(port) <= MOST_PORT ? { host, port: Number(port) } : undefined;
}

const place = z.string().transform((text, context) => {
  const read = readPlace(text);
  if (read) return read;
  context.addIssue({ code: 'custom', message: 'must be an address with a port, such as 0.0.0.0:80' });
  return z.NEVER;
});

const ZONE = /^(?=.{1,180}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

export const ListenerVariables = {
  SORTIE_LISTENER_URL: z
    .string()
    .refine((text) => /^http:\/\/[^/?#@]+\/?$/.test(text) && URL.canParse(text), {
      error: 'must look like http://203.0.113.7:8080, without a path',
    })
    .transform((text) => new URL(text).origin)
    .optional(),
  SORTIE_LISTENER_HTTP: place.default({ host: '0.0.0.0', port: 4803 }),
  SORTIE_LISTENER_ZONE: z.string().toLowerCase().regex(ZONE, 'must be a zone such as calls.example.com').optional(),
  SORTIE_LISTENER_DNS: place.default({ host: '0.0.0.0', port: 53 }),
  SORTIE_LISTENER_ADDRESS: z
    .string()
    .refine((text) => isIP(text) !== 0, 'must be the public address of this node')
    .optional(),
};

/** Returns the settings of the callback listener; null if this node has none. */
export function readListener(variables: z.output<z.ZodObject<typeof ListenerVariables>>): ListenerSettings | null {
  const { SORTIE_LISTENER_URL: url, SORTIE_LISTENER_ZONE: zone = null, SORTIE_LISTENER_HTTP: http } = variables;
  if (url === undefined) {
    if (zone !== null)
      throw new StartupError(
        'SORTIE_LISTENER_ZONE needs SORTIE_LISTENER_URL, which is not set. Set it to the URL at which targets reach the listener.',
      );
    return null;
  }
  if (zone === null) return { url, zone, http, dns: null };
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const address = variables.SORTIE_LISTENER_ADDRESS ?? (isIP(host) === 0 ? undefined : host);
  if (address === undefined) {
    throw new StartupError(
      'SORTIE_LISTENER_ZONE needs SORTIE_LISTENER_ADDRESS, which is not set. Set it to the public IP address of this node.',
    );
  }
  return { url, zone, http, dns: { ...variables.SORTIE_LISTENER_DNS, zone, address } };
}
