import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown>;

export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The person who signs in next; their claims, such as `sub`, `email` and `email_verified`. */
  person: Claims;
  /** How long ago, in seconds, the person has signed in there, unless the client asks for it again. */
  knownFor: number;
  /** The parameters of the latest request to sign in. */
  asked: URLSearchParams;
  /** What the provider does wrong. */
  faults: {
    /** Signs in again nobody whom it knows. */
    ignoresPrompt?: boolean;
    /** Changes the claims of the ID token. */
    claims?: (claims: Claims) => Claims;
    /** Signs with a key that is not published, or not at all. */
    signature?: 'other key' | 'none';
    /** Names another issuer in its metadata. */
    issuer?: string;
    /** Names a person only at the userinfo endpoint. */
    userinfoOnly?: boolean;
    /** Names another person there. */
    otherPerson?: boolean;
  };
  /** Requests to the token endpoint that were refused, with the reason. */
  refusals: string[];
  /** What a browser does: follows the address of the sign-in, and resolves with that of the callback. */
  signIn(url: string): Promise<string>;
  close(): Promise<void>;
}

interface Grant {
  challenge: string;
  redirectUri: string;
  nonce: string;
  person: Claims;
  authTime: number;
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An OpenID provider on loopback (OpenID Connect Core, RFC 7636): it signs in the given person without asking. */
export async function startOidcProvider(): Promise<OidcProvider> {
  const [key, otherKey] = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Claims>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: OidcProvider = {
    issuer,
    clientId: 'sortie',
    clientSecret: 'the secret: of 100% the client',
    person: {},
    knownFor: 0,
    asked: new URLSearchParams(),
    faults: {},
    refusals: [],
    async signIn(url) {
      const response = await fetch(url, { redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the provider answered ${response.status}: ${await response.text()}`);
      return location;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return void send({
          issuer: provider.faults.issuer ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/userinfo`,
        });
      case '/keys':
        return void send({
          keys: [{ ...key?.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }],
        });
      case '/authorize':
        return void response.writeHead(302, { location: authorize(url.searchParams) }).end();
      case '/token': {
        const refusal = await redeem(request, new URLSearchParams(await text(request)));
        if (typeof refusal !== 'string') return void send(refusal);
        provider.refusals.push(refusal);
        return void send({ error: 'invalid_grant' }, 400);
      }
      case '/userinfo': {
        const person = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
        return void send(
          { ...person, ...(provider.faults.otherPerson && { sub: 'another person' }) },
          person ? 200 : 401,
        );
      }
      default:
        return void send({}, 404);
    }
  }

  function authorize(query: URLSearchParams): string {
    const code = randomUUID();
    const get = (name: string) => query.get(name) ?? '';
    const isRight = get('response_type') === 'code' && get('client_id') === provider.clientId;
    if (!isRight || get('code_challenge_method') !== 'S256' || !get('scope').split(' ').includes('openid')) {
      throw new Error(`a request that a provider refuses: ${query}`);
    }
    const redirectUri = get('redirect_uri');
    provider.asked = query;
    const isAsked = get('prompt') === 'login' && !provider.faults.ignoresPrompt;
    grants.set(code, {
      challenge: get('code_challenge'),
      redirectUri,
      nonce: get('nonce'),
      person: provider.person,
      authTime: Math.floor(Date.now() / 1_000) - (isAsked ? 0 : provider.knownFor),
    });
    return `${redirectUri}?${new URLSearchParams({ code, state: get('state'), iss: issuer })}`;
  }

  /** Returns the tokens, or why there are none. */
  async function redeem({ headers }: IncomingMessage, body: URLSearchParams): Promise<string | object> {
    const [id = '', secret = ''] = Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':');
    const decode = (part: string) => new URLSearchParams(`part=${part}`).get('part');
    if (decode(id) !== provider.clientId || decode(secret) !== provider.clientSecret) return 'wrong client';
    const code = body.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    if (!grant) return 'unknown code';
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (challenge !== grant.challenge || body.get('redirect_uri') !== grant.redirectUri) return 'other client instance';
    const accessToken = randomUUID();
    tokens.set(accessToken, grant.person);
    return { id_token: createIdToken(grant), access_token: accessToken, token_type: 'Bearer', expires_in: 60 };
  }

  function createIdToken({ nonce, person, authTime }: Grant): string {
    const { claims: change = (claims) => claims, signature, userinfoOnly } = provider.faults;
    const now = Math.floor(Date.now() / 1_000);
    const own = userinfoOnly ? { sub: person.sub } : person;
    const standard = { iss: issuer, aud: provider.clientId, iat: now, exp: now + 300, nonce, auth_time: authTime };
    const claims = change({ ...standard, ...own });
    const head = signature === 'none' ? { alg: 'none' } : { alg: 'ES256', kid: 'one' };
    const content = `${base64url(head)}.${base64url(claims)}`;
    const signer = signature === 'other key' ? otherKey : key;
    if (signature === 'none' || !signer) return `${content}.`;
    const signed = sign('sha256', Buffer.from(content), { key: signer.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signed.toString('base64url')}`;
  }

  return provider;
}
