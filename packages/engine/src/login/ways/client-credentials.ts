import { z } from 'zod';
import type { Exchange, Headers } from '../../http/exchange/exchange.ts';
import type { Sender } from '../../http/exchange/sender.ts';
import type { Clock } from '../../http/limits/clock.ts';
import type { Redactor } from '../../http/record/redactor.ts';
import type { EngineCredential } from '../../protocol/messages.ts';
import { failure, type LoginFailure } from '../proof/failure.ts';
import { readJson } from '../session/tokens.ts';

type Client = Pick<EngineCredential, 'user' | 'pass' | 'scope' | 'audience'> & { tokenUrl: string };

interface ClientTools {
  sender: Pick<Sender, 'send'>;
  redactor: Redactor;
  clock: Pick<Clock, 'now'>;
}

const TokenAnswer = z.object({
  access_token: z.string().min(1).max(20_000),
  token_type: z.string().optional(),
  expires_in: z.coerce.number().positive().optional().catch(undefined),
});
const Refusal = z.object({ error: z.string().max(100) });

/** Assumed lifetime if the response has no `expires_in`. */
const USUAL_SECONDS = 300;
/** Fraction of its lifetime for which a token is used. */
const SHARE_OF_TIME = 0.8;

export interface ClientToken {
  /** Resolves to the headers for the next request. Renews the token shortly before it expires. */
  headers(): Promise<Headers>;
}

/**
 * Requests a token with the OAuth 2.0 client credentials grant (RFC 6749 §4.4). The token URL receives no other
 * requests.
 */
export async function requestClientToken(client: Client, tools: ClientTools): Promise<ClientToken | LoginFailure> {
  const first = await askForToken(client, tools);
  if ('reason' in first) return first;
  let current = first;
  let asking: Promise<void> | undefined;

  async function renew(): Promise<void> {
    const next = await askForToken(client, tools);
    // If renewal fails, the old token may still be valid; the target's responses show if it is not.
    current = 'reason' in next ? { ...current, renewAt: tools.clock.now() + USUAL_SECONDS * 1_000 } : next;
  }
  return {
    async headers() {
      if (tools.clock.now() >= current.renewAt) {
        asking ??= renew().finally(() => {
          asking = undefined;
        });
        await asking;
      }
      return [['Authorization', `Bearer ${current.token}`]];
    },
  };
}

interface Token {
  token: string;
  renewAt: number;
}

async function askForToken(client: Client, tools: ClientTools): Promise<Token | LoginFailure> {
  const { redactor, clock } = tools;
  const askedAt = clock.now();
  const inHeader = await ask(client, tools, true);
  // RFC 6749 §2.3.1 requires servers to support HTTP Basic, but some accept the credentials only in the body.
  const isRefused = inHeader.response?.status === 401 || /invalid_client|invalid_request/.test(errorOf(inHeader));
  const answer = isRefused ? await ask(client, tools, false) : inHeader;
  if (answer.failure) return failure('NO_ANSWER', `The token URL did not respond: ${answer.failure.message}`);
  const status = answer.response?.status ?? 0;
  const { data } = TokenAnswer.safeParse(readJson(answer.response?.body.toString() ?? ''));
  if (status !== 200 || !data) {
    const code = status >= 500 ? 'NO_ANSWER' : 'USER_OR_PASSWORD';
    const said = errorOf(answer);
    return failure(
      code,
      `The token URL returned status ${status}${said && ` and "${said}"`}, but no token. ${WHAT_TO_CHECK}`,
    );
  }
  if (!/^bearer$/i.test(data.token_type ?? 'bearer')) {
    return failure(
      'NOT_POSSIBLE',
      `The token URL issued a token of type "${data.token_type}". Only "Bearer" is supported.`,
    );
  }
  redactor.learnToken(data.access_token);
  const seconds = data.expires_in ?? USUAL_SECONDS;
  return { token: data.access_token, renewAt: askedAt + seconds * SHARE_OF_TIME * 1_000 };
}

const WHAT_TO_CHECK = 'Check user (the client id), pass (its secret), tokenUrl, scope and audience.';

function errorOf({ response }: Exchange): string {
  return Refusal.safeParse(readJson(response?.body.toString() ?? '')).data?.error ?? '';
}

function ask(
  { user, pass, scope, audience, tokenUrl }: Client,
  { sender, redactor }: ClientTools,
  isInHeader: boolean,
): Promise<Exchange> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== null) form.set('scope', scope);
  if (audience !== null) form.set('audience', audience);
  const headers: [string, string][] = [
    ['Content-Type', 'application/x-www-form-urlencoded'],
    ['Accept', 'application/json'],
  ];
  if (isInHeader) {
    const encoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
    const basic = Buffer.from(`${encoded(user)}:${encoded(pass)}`).toString('base64');
    redactor.learn(basic);
    headers.push(['Authorization', `Basic ${basic}`]);
  } else {
    form.set('client_id', user);
    form.set('client_secret', pass);
  }
  return sender.send({ method: 'POST', url: tokenUrl, headers, body: form.toString(), purpose: 'token' });
}
