import { z } from 'zod';
import { StartupError } from '../errors/startup-error.ts';
import { readGivenSecret } from './given-secret.ts';
import { createSecret, type Secret } from './secret.ts';

/** The mail server that delivers the mails of this service. */
export interface MailSettings {
  host: string;
  port: number;
  /** `implicit`: TLS from the first byte; `required`: STARTTLS or no mail; `optional`: STARTTLS if offered. */
  tls: 'implicit' | 'required' | 'optional';
  /** Null for a server that accepts mails without authentication. */
  login: { user: string; password: Secret } | null;
  /** The sender, for example `Sortie <sortie@example.com>`. */
  from: string;
}

const ADDRESS =
  /^(?:[^\p{Cc}<>@"]{0,100}<[^\s\p{Cc}<>@"]{1,64}@[^\s\p{Cc}<>@"]{1,253}>|[^\s\p{Cc}<>@"]{1,64}@[^\s\p{Cc}<>@"]{1,253})$/u;

const isMailServer = (text: string) =>
  /^smtps?:\/\//.test(text) && URL.canParse(text) && /^\/?$/.test(new URL(text).pathname) && !/[?#]/.test(text);

export const MailVariables = {
  SORTIE_SMTP_URL: z
    .string()
    .refine(isMailServer, 'must look like smtps://user@mail.example.com or smtp://user@mail.example.com:587')
    .refine((text) => !URL.parse(text)?.password, 'must have no password: set SORTIE_SMTP_PASSWORD_FILE instead')
    .optional(),
  SORTIE_SMTP_PASSWORD: z.string().transform(createSecret).optional(),
  SORTIE_SMTP_PASSWORD_FILE: z.string().optional(),
  SORTIE_MAIL_FROM: z.string().regex(ADDRESS, 'must be an address such as Sortie <sortie@example.com>').optional(),
};

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

/** Returns the settings of the mail server; null if this node sends no mails. */
export function readMail(variables: z.output<z.ZodObject<typeof MailVariables>>): MailSettings | null {
  const { SORTIE_SMTP_URL: given, SORTIE_MAIL_FROM: from } = variables;
  const password = readGivenSecret({
    name: 'SORTIE_SMTP_PASSWORD',
    value: variables.SORTIE_SMTP_PASSWORD,
    file: variables.SORTIE_SMTP_PASSWORD_FILE,
  });
  if (given === undefined) {
    if (password === undefined && from === undefined) return null;
    throw new StartupError('SORTIE_SMTP_URL is not set, but other settings of mails are. Set it, or unset the others.');
  }
  if (from === undefined) {
    throw new StartupError('SORTIE_MAIL_FROM is not set: mails need a sender. Set it to an address of your domain.');
  }
  const url = new URL(given);
  const user = decodeURIComponent(url.username);
  if ((user === '') !== (password === undefined)) {
    throw new StartupError(
      'The user in SORTIE_SMTP_URL and SORTIE_SMTP_PASSWORD go together. Give both, or neither if the mail server asks for none.',
    );
  }
  const isImplicit = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? (isImplicit ? 465 : 587) : Number(url.port),
    tls: isImplicit ? 'implicit' : isLoopback(url.hostname) ? 'optional' : 'required',
    login: password === undefined ? null : { user, password },
    from,
  };
}
