import type { MailSettings } from '../platform/mail-settings.ts';

interface Message {
  /** Id of the mail. The Message-ID derives from it, so that mail programs recognize a repeated delivery. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

type Delivery = { isSent: true } | { isSent: false; failure: string; isFinal: boolean };

export interface Transport {
  send(message: Message): Promise<Delivery>;
  /** Connects and authenticates without sending anything. Resolves to the failure, if any. */
  check(): Promise<string | undefined>;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** Creates the transport to the operator's mail server. Loads the mail library with the first mail. */
export function createTransport({ host, port, tls, login, from }: MailSettings): Transport {
  const domain = /@([^>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  async function connect() {
    const { createTransport: create } = await import('nodemailer');
    return create({
      host,
      port,
      secure: tls === 'implicit',
      requireTLS: tls === 'required',
      ...(login && { auth: { user: login.user, pass: login.password.reveal() } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // Mails contain text only, so the library must neither read files of this machine nor fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }
  return {
    async send({ id, to, subject, text }) {
      const transport = await connect();
      try {
        await transport.sendMail({
          from,
          // As an object, because a list of addresses in a text would send the mail to other people.
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'auto-submitted': 'auto-generated' },
        });
        return { isSent: true };
      } catch (error) {
        return { isSent: false, ...describeFailure(error) };
      } finally {
        transport.close();
      }
    },
    async check() {
      const transport = await connect();
      try {
        await transport.verify();
        return undefined;
      } catch (error) {
        return describeFailure(error).failure;
      } finally {
        transport.close();
      }
    },
  };
}

/**
 * Describes the failure by its codes, because the mail server's text may quote the mail. Only a refusal of this
 * recipient or this content is permanent; the operator can correct a wrong password.
 */
function describeFailure(error: unknown): { failure: string; isFinal: boolean } {
  const {
    code = 'unknown',
    responseCode,
    command = '',
  } = error as {
    code?: string;
    responseCode?: number;
    command?: string;
  };
  const failure = [code, responseCode, command && `at ${command}`].filter(Boolean).join(' ');
  const isFinal = ['EENVELOPE', 'EMESSAGE'].includes(code) && responseCode !== undefined && responseCode >= 500;
  return { failure, isFinal };
}
