import { z } from 'zod';
import { StartupError } from '../errors/startup-error.ts';
import { readGivenSecret } from './given-secret.ts';
import { createSecret, type Secret } from './secret.ts';

/** The provider of single sign-on (OpenID Connect). */
export interface OidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: Secret;
  /** The provider's name on the sign-in page. */
  label: string;
  /** Domains of the e-mail addresses that may sign in; empty allows all. */
  domains: readonly string[];
  /** Whether the first sign-in of an unknown person creates a user. */
  createsUsers: boolean;
}

/** Returns whether the URL is https, or http on loopback, where nobody can intercept it. */
export const isSafeProviderUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.hash) return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname))
  );
};

const DOMAIN = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/;

const domains = z
  .string()
  .transform((text) => text.split(',').map((domain) => domain.trim().toLowerCase()))
  .refine((all) => all.every((domain) => DOMAIN.test(domain)), {
    error: 'must be domains of e-mail addresses separated by commas, such as example.com',
  });

export const OidcVariables = {
  SORTIE_OIDC_ISSUER: z
    .string()
    .refine(
      (text) => isSafeProviderUrl(text) && !text.includes('?'),
      'must be an https URL such as https://login.example.com/',
    )
    .optional(),
  SORTIE_OIDC_CLIENT_ID: z.string().optional(),
  SORTIE_OIDC_CLIENT_SECRET: z.string().transform(createSecret).optional(),
  SORTIE_OIDC_CLIENT_SECRET_FILE: z.string().optional(),
  SORTIE_OIDC_LABEL: z
    .string()
    .regex(/^[^\p{Cc}]{1,40}$/u, 'must be 1 to 40 printable characters')
    .optional(),
  SORTIE_OIDC_DOMAINS: domains.optional(),
  SORTIE_OIDC_CREATES_USERS: z.enum(['yes', 'no'], 'must be yes or no').optional(),
};

/** Returns the settings of single sign-on; null without it. */
export function readOidc(variables: z.output<z.ZodObject<typeof OidcVariables>>): OidcSettings | null {
  const { SORTIE_OIDC_ISSUER: issuer, SORTIE_OIDC_CLIENT_ID: clientId } = variables;
  const clientSecret = readGivenSecret({
    name: 'SORTIE_OIDC_CLIENT_SECRET',
    value: variables.SORTIE_OIDC_CLIENT_SECRET,
    file: variables.SORTIE_OIDC_CLIENT_SECRET_FILE,
  });
  if (issuer === undefined) {
    const others = Object.keys(OidcVariables).filter((name) => variables[name as keyof typeof variables] !== undefined);
    if (others.length === 0) return null;
    throw new StartupError(`SORTIE_OIDC_ISSUER is not set, but ${others[0]} is. Set it, or unset the others.`);
  }
  if (clientId === undefined || clientSecret === undefined) {
    const missing = clientId === undefined ? 'SORTIE_OIDC_CLIENT_ID' : 'SORTIE_OIDC_CLIENT_SECRET_FILE';
    throw new StartupError(
      `${missing} is not set: single sign-on needs it. Take it from the registration at the provider.`,
    );
  }
  return {
    issuer,
    clientId,
    clientSecret,
    label: variables.SORTIE_OIDC_LABEL ?? 'single sign-on',
    domains: variables.SORTIE_OIDC_DOMAINS ?? [],
    createsUsers: variables.SORTIE_OIDC_CREATES_USERS === 'yes',
  };
}
