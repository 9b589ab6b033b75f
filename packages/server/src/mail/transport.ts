import type { MailSettings } from '../platform/mail-settings.ts';

interface Message {
  /** Id of the mail, of which the Message-ID is made, so that mail programs recognize a repetition. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

type Delivery = { isSent: true } | { isSent: false; failure: string; isFinal: boolean };

export interface Transport {
  send(message: Message): Promise<Delivery>;
  /** Connects and authenticates, and sends nothing. Resolves with what failed, if anything. */
  check(): Promise<string | undefined>;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/** Hands mails over to the operator's mail server. The library is loaded with the first one. */
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
      // A mail contains texts only, never a file of this machine or an address to fetch.
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
          // As an object: a list in the address would reach other people.
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
 * Names the failure by its codes: the words of the mail server may quote the mail. Only a refusal of this recipient or
 * of this content is final; a wrong password is the operator's to correct.
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
