import type { Redactor } from '../http/redactor.ts';
import type { Sender } from '../http/sender.ts';
import type { EngineCredential } from '../messages.ts';
import type { Scope } from '../target/scope.ts';
import { logInByForm } from './form-login.ts';
import { type LoginProof, proveLogin } from './prove-login.ts';
import { createSession, type Identity, type Session } from './session.ts';

export interface LoggedIn {
  session: Session;
  proof: LoginProof;
}

/** Why an account could not be logged in, in words that its owner can act on. */
export interface LoginFailure {
  reason: string;
}

interface LoginOptions {
  sender: Pick<Sender, 'send'>;
  scope: Scope;
  redactor: Redactor;
  visitor: Session;
  targetUrl: string;
}

type Proof = Omit<Identity, 'origin'>;

const NOTHING: Proof = { headers: [], query: [] };

/** Logs a test account in, and proves it by a page that only the account sees so. */
export async function logIn(credential: EngineCredential, options: LoginOptions): Promise<LoggedIn | LoginFailure> {
  const { sender, scope, redactor, visitor, targetUrl } = options;
  const obstacle = obstacleTo(credential);
  if (obstacle !== undefined) return { reason: obstacle };
  const session = createSession({
    sender,
    scope,
    redactor,
    name: credential.name,
    identity: { origin: new URL(targetUrl).origin, ...identityOf(credential, redactor) },
  });
  const candidates = [targetUrl, new URL('/', targetUrl).href];
  if (credential.kind === 'FORM_LOGIN') {
    const answer = await logInByForm(session, targetUrl, credential);
    if ('reason' in answer) return answer;
    candidates.unshift(answer.landedAt);
  }
  const proof = await proveLogin({ session, visitor, candidates });
  if (proof) return { session, proof };
  return {
    reason:
      `${candidates.join(', ')} look the same with this account and without it. ` +
      'Check user and password, or give a targetUrl that shows whether somebody is logged in.',
  };
}

/** What this engine cannot do yet is said before anything is tried with it. */
function obstacleTo({ kind, mode, tokenUrl, totpSecret }: EngineCredential): string | undefined {
  if (kind === 'FORM_LOGIN' && (mode === 'json' || mode === 'browser')) {
    return `Logins with mode "${mode}" are not supported yet. Use mode "form" or "auto" with a plain HTML form.`;
  }
  if (totpSecret !== null) return 'Logins with a one-time code are not supported yet. Use an account without one.';
  if (tokenUrl !== null) return 'Tokens from a token URL are not supported yet. Give a token that lasts for the run.';
  return undefined;
}

function identityOf({ kind, location, user, pass }: EngineCredential, redactor: Redactor): Proof {
  switch (kind) {
    case 'FORM_LOGIN':
      return NOTHING;
    case 'BEARER_TOKEN':
      return { headers: [['Authorization', `Bearer ${pass}`]], query: [] };
    case 'BASIC_AUTH': {
      const token = Buffer.from(`${user}:${pass}`).toString('base64');
      redactor.learn(token);
      return { headers: [['Authorization', `Basic ${token}`]], query: [] };
    }
    case 'COOKIE':
      return { headers: [['Cookie', `${user}=${pass}`]], query: [] };
    case 'API_KEY':
      return location === 'query' ? { headers: [], query: [[user, pass]] } : { headers: [[user, pass]], query: [] };
  }
}
