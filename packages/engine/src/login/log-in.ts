import type { Exchange } from '../http/exchange/exchange.ts';
import { isSame } from '../oracle/compare.ts';
import type { EngineCredential } from '../protocol/messages.ts';
import { enter, type LoginTools } from './enter.ts';
import { readInstructions } from './find/instructions.ts';
import { placesIn } from './find/login-places.ts';
import { type Apis, apisOf } from './find/read-api.ts';
import { type Entry, failure, type LoginFailure } from './proof/failure.ts';
import { identityOf, obstacleTo, wrongTwin } from './proof/identity.ts';
import { listenTo } from './proof/login-answers.ts';
import { proveByAnswer } from './proof/prove-by-answer.ts';
import { type LoginProof, placesOfAccount, proveLogin } from './proof/prove-login.ts';
import { createTries, TOO_MANY, type Tries } from './proof/tries.ts';
import type { Candidate } from './session/login-request.ts';
import { createSession, type Identity, type OpenSession, type Session } from './session/session.ts';
import { type Attachment, takesToken } from './session/token-argument.ts';
import { findGuarded } from './ways/basic-login.ts';
import { requestClientToken } from './ways/client-credentials.ts';
import { describedReads } from './ways/described-login.ts';

export interface LoggedIn {
  session: Session;
  proof: LoginProof;
  /** The mode that worked, reused for the next login. */
  mode: EngineCredential['mode'];
  /**
   * JSON that the target sent during the login, which identifies the account. Used for lookups only; must not be
   * persisted.
   */
  told: unknown[];
  /** Response on which the login ended. Must not be persisted. */
  arrival: Exchange | undefined;
}

/**
 * Logs a test account in and proves the login with a page that differs from what an anonymous visitor sees. All logins
 * of an account share its `tries`.
 */
export async function logIn(
  credential: EngineCredential,
  tools: LoginTools,
  tries: Tries = createTries(),
): Promise<LoggedIn | LoginFailure> {
  const obstacle = obstacleTo(credential, tools.clock.now());
  if (obstacle) return obstacle;
  const identity = await identify(credential, tools);
  if ('reason' in identity) return identity;
  const { sender, scope, redactor, targetUrl, knownTokens } = tools;
  const watched = tries.watch(sender, credential);
  const heard = listenTo(watched.sender);
  const session = createSession({
    sender: heard.sender,
    scope,
    redactor,
    name: credential.name,
    identity,
    knownTokens,
  });
  const apis = apisOf(session, targetUrl, placesIn(credential.instructions, targetUrl));
  const withApis = { ...tools, apis, tries };
  const entry = credential.kind === 'FORM_LOGIN' ? await enter(session, credential, withApis) : NOTHING_LEFT;
  const told = heard.stop();
  watched.stop();
  if ('reason' in entry) return tries.isSpent() ? failure(entry.code, `${entry.reason} ${TOO_MANY}`) : entry;
  const proof = await prove(session, credential, entry, withApis);
  if (!proof) return notProved([...entry.candidates.map(urlOf), targetUrl]);
  if ('reason' in proof) return proof;
  tries.succeeded();
  return { session, proof, mode: entry.mode ?? credential.mode, told, arrival: entry.arrival };
}

const NOTHING_LEFT: Entry = { candidates: [], bases: [] };

async function identify(credential: EngineCredential, tools: LoginTools): Promise<Identity | LoginFailure> {
  const { origin } = new URL(tools.targetUrl);
  const { tokenUrl } = credential;
  if (tokenUrl === null) return { origin, ...identityOf(credential, tools.redactor) };
  const token = await requestClientToken({ ...credential, tokenUrl }, tools);
  return 'reason' in token ? token : { origin, headers: token.headers, query: [] };
}

/** Resolves to undefined if no page differs between the account and an anonymous visitor. */
async function prove(
  session: OpenSession,
  credential: EngineCredential,
  { candidates, bases, alternatives = [], resubmit }: Entry,
  tools: LoginTools & { apis: Apis; tries: Tries },
): Promise<LoginProof | LoginFailure | undefined> {
  const { targetUrl, visitor } = tools;
  const proving = { session, visitor, names: namesOf(credential) };
  if (credential.kind === 'BASIC_AUTH') {
    const named = placesIn(credential.instructions, targetUrl);
    return proveOnce(proving, (await findGuarded(visitor, targetUrl, named))?.url ?? targetUrl);
  }
  const first = [...candidates, targetUrl, new URL('/', targetUrl).href];
  const among = (places: readonly Candidate[]) => proveByTokens(proving, session, places, alternatives);
  let proof = await among(first);
  if (!proof) {
    const around = [
      ...bases,
      new URL('.', targetUrl).href,
      new URL('/api/', targetUrl).href,
      new URL('/', targetUrl).href,
    ];
    const start = candidates.find((each) => typeof each === 'string') ?? targetUrl;
    proof = await among(await placesOfAccount(session, start, [...new Set(around)]));
  }
  // The front page of an API tells nothing, but any operation that it describes may.
  const told = readInstructions(credential.instructions).header?.name;
  proof ??= await among(describedReads(await tools.apis.described(), told));
  proof ??= await among(describedReads(await tools.apis.graphql(), told));
  if (!proof && resubmit) {
    const newVisitor = createSession({ ...tools, name: null });
    return proveByAnswer(resubmit, { session, newVisitor, pass: credential.pass, tries: tools.tries });
  }
  return proof && (await isShownToAnybody(proof, credential, tools)) ? NOT_ACCEPTED : proof;
}

const MOST_GUARDED = 3;

/** Tries other ways to send the token only where the target refuses the usual one. */
async function proveByTokens(
  proving: Parameters<typeof proveLogin>[0],
  session: OpenSession,
  places: readonly Candidate[],
  alternatives: readonly Attachment[],
): Promise<LoginProof | undefined> {
  const guarded: Candidate[] = [];
  let proof = await proveLogin(proving, places, guarded);
  if (proof || guarded.length === 0 || alternatives.length === 0) return proof;
  const own = session.attach({ headers: [] });
  for (const attachment of alternatives) {
    const { argument } = attachment;
    session.attach(attachment);
    const taking = argument ? guarded.filter((asked) => takesToken(asked, argument)) : guarded;
    proof = await proveLogin(proving, taking.slice(0, MOST_GUARDED));
    if (proof) return proof;
  }
  session.attach(own);
  return undefined;
}

const urlOf = (candidate: Candidate) => (typeof candidate === 'string' ? candidate : candidate.url);

/** Requests no other URL: with Basic authentication, each request with a wrong password counts as a failed login. */
async function proveOnce(proving: Parameters<typeof proveLogin>[0], url: string) {
  const { response } = await proving.session.send({ method: 'GET', url });
  if (response?.status !== 401) return proveLogin(proving, [url]);
  return failure('USER_OR_PASSWORD', `${url} returned status 401. Check user and password.`);
}

const NOT_ACCEPTED = failure(
  'USER_OR_PASSWORD',
  'The target responds to it as to an invalid one. Check user and pass.',
);

/**
 * Resolves to whether an invalid credential gets the same response: some targets respond differently to missing and to
 * wrong credentials, which alone proves no login.
 */
async function isShownToAnybody(proof: LoginProof, credential: EngineCredential, tools: LoginTools): Promise<boolean> {
  const twin = wrongTwin(credential);
  if (!twin || twin.pass === credential.pass) return false;
  const { sender, scope, redactor, targetUrl, visitor, knownTokens } = tools;
  const identity = { origin: new URL(targetUrl).origin, ...identityOf(twin, redactor) };
  const session = createSession({ sender, scope, redactor, name: null, identity, knownTokens });
  const ofTwin = await proveLogin({ session, visitor, names: [] }, [proof.asked]);
  return ofTwin !== undefined && (ofTwin.by === 'STATUS' || isSame(ofTwin.inside.answer, proof.inside.answer));
}

/** Returns the names that pages may show for the account; none for tokens, cookies and API keys. */
export function namesOf({ kind, user }: EngineCredential): string[] {
  if (kind !== 'FORM_LOGIN' && kind !== 'BASIC_AUTH') return [];
  return [user, user.replace(/@.*$/s, '')].filter((name) => name.length >= SHORTEST_NAME);
}

const SHORTEST_NAME = 4;
const MOST_NAMED = 3;

function notProved(looked: readonly string[]): LoginFailure {
  const pages = [...new Set(looked)].slice(0, MOST_NAMED).join(', ');
  return failure(
    'NOT_PROVED',
    `${pages} and nearby pages look the same with and without this account. ` +
      'Give a targetUrl that looks different to logged-in users, or write in the instructions how the login is sent and ' +
      'in which header or GraphQL argument its token is, such as: POST /api/login {"login": "{user}", "password": "{pass}"}, then ' +
      'X-Auth-Token: {token}.',
  );
}
