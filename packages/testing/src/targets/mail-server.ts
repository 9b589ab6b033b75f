import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and text, decoded. */
  text: string;
}

export interface MailServer {
  /** For SORTIE_SMTP_URL. */
  url: string;
  /** The mails that were accepted. */
  mails: ReceivedMail[];
  /** The passwords that clients have sent. */
  passwords: string[];
  /** Answers the next recipients with these lines, such as `450 later`, instead of accepting them. */
  refusals: string[];
  close(): Promise<void>;
}

/** A mail server on loopback that speaks as much SMTP as a client without TLS needs (RFC 5321, RFC 4954). */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const passwords: string[] = [];
  const refusals: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(socket, { mails, passwords, refusals });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    passwords,
    refusals,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(socket: Socket, { mails, passwords, refusals }: Pick<MailServer, 'mails' | 'passwords' | 'refusals'>) {
  let mail: ReceivedMail = { from: '', to: [], text: '' };
  let content: string[] | undefined;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 mail.test ESMTP');
  createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (content) {
      if (line !== '.') return content.push(line.replace(/^\./, ''));
      mails.push({ ...mail, text: decode(content.join('\n')) });
      content = undefined;
      return say('250 accepted');
    }
    const [, verb = ''] = /^(\w+)/.exec(line.toUpperCase()) ?? [];
    if (verb === 'EHLO') return say('250-mail.test\r\n250-8BITMIME\r\n250 AUTH PLAIN');
    if (verb === 'AUTH') {
      passwords.push(
        Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')[2] ?? '',
      );
      return say('235 welcome');
    }
    if (verb === 'MAIL') mail = { from: addressIn(line), to: [], text: '' };
    if (verb === 'RCPT') {
      const refusal = refusals.shift();
      if (refusal !== undefined) return say(refusal);
      mail.to.push(addressIn(line));
    }
    if (verb === 'DATA') {
      content = [];
      return say('354 go on');
    }
    return say(verb === 'QUIT' ? '221 bye' : '250 fine');
  });
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

/** Undoes the quoted-printable encoding, which long lines have. */
const decode = (text: string) =>
  /quoted-printable/i.test(text)
    ? text
        .replace(/=\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
