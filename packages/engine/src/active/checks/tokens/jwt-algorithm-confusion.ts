import { createPublicKey, generateKeyPairSync, type JsonWebKey, sign, verify } from 'node:crypto';
import { readJson, textOf } from '../../../oracle/private-content.ts';
import type { Asking, Known, Site } from '../../define-active-check.ts';
import { tokenLab } from '../../labs/tokens.ts';
import { readsOnly } from '../../shared/accounts.ts';
import { hmacOf, type Jwt, writeJwt } from '../../shared/jwt.ts';
import { defineTokenCheck } from '../../shared/token-check.ts';

const PLACES = ['/.well-known/jwks.json', '/jwks.json', '/.well-known/openid-configuration/jwks'];
const FILES = ['/jwt.pub', '/public.pem', '/public.key', '/keys/jwt.pub', '/keys/public.pem'];
const KEY_FILE = /\.(?:pub|pem|crt|cer)$/i;
const MOST_FILES = 5;
const PEM = /-----BEGIN (?:RSA )?PUBLIC KEY-----[\w\s+/=]{100,4000}-----END (?:RSA )?PUBLIC KEY-----/;

/** Possible file contents of a key: a server that uses it as an HMAC secret uses every byte. */
function spellings(pem: string): string[] {
  const trimmed = pem.trim();
  return [`${trimmed}\n`, trimmed, `${trimmed.replaceAll('\n', '\r\n')}\r\n`];
}

function pemsOfSet(text: string, kid: unknown): string[] {
  const set = readJson(text);
  const keys = typeof set === 'object' && set !== null && 'keys' in set && Array.isArray(set.keys) ? set.keys : [];
  const chosen = keys.filter((key: JsonWebKey) => key?.kty === 'RSA' && (kid === undefined || key.kid === kid));
  return chosen.slice(0, 1).flatMap((key: JsonWebKey) => {
    try {
      return [createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()];
    } catch {
      return [];
    }
  });
}

const textAt = async (url: string, { ask }: Asking) => textOf(await ask({ method: 'GET', url }, null));

/** Returns key files that the site links or lists. */
function filesAt({ origin }: Site, { inventory }: Known): string[] {
  const open = inventory.filter(
    (item) => item.method === 'GET' && item.url.startsWith(`${origin}/`) && readsOnly(item),
  );
  const paths = open.map(({ url }) => url.slice(origin.length).replace(/[?#].*$/s, ''));
  return [...new Set(paths.filter((path) => KEY_FILE.test(path)))].slice(0, MOST_FILES);
}

async function publicKeysOf({ header }: Jwt, site: Site, asking: Asking): Promise<string[]> {
  for (const path of [...PLACES, ...filesAt(site, asking.known), ...FILES]) {
    // Requests each URL once for all tokens.
    const text = await asking.memory.once(textAt, site.origin + path, asking);
    const pems = PLACES.includes(path) ? pemsOfSet(text, header.kid) : (PEM.exec(text)?.slice(0, 1) ?? []);
    if (pems.length > 0) return pems.flatMap(spellings);
  }
  return [];
}

export default defineTokenCheck<string>({
  id: 'jwt-algorithm-confusion',
  title: 'JWT algorithm confusion: public key is accepted as HMAC secret',
  cwe: 347,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N',
  impact: 'An attacker signs a token for any account with the public key, and acts as that user.',
  asvs: '9.1.2',
  why: "The token chooses the algorithm. With HS256 the target uses its public key as the HMAC secret, and the public key is known to everyone. An attacker signs tokens for any account. A token signed this way returned the account's data; a token with an invalid signature was refused.",
  fix: 'Pass the expected algorithm to the verification function (algorithms: ["RS256"]) and reject all others. Use separate keys for separate algorithms.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_for_Java_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/06-Session_Management_Testing/10-Testing_JSON_Web_Tokens',
    'https://cwe.mitre.org/data/definitions/347.html',
  ],
  ways: [''],
  waysFor: async (jwt, site, asking) => (/^[RPE]S/.test(String(jwt.header.alg)) ? publicKeysOf(jwt, site, asking) : []),
  maxRequests: 160,
  forgery: () => 'alg set to HS256 in the header, signed with the public key in PEM form as the secret',
  forge: ({ header, claims }, pem) =>
    writeJwt({ ...header, alg: 'HS256' }, claims, (signed) => hmacOf('HS256', pem, signed) ?? ''),
  control: ({ header, claims }, _pem, { word }) =>
    writeJwt({ ...header, alg: 'HS256' }, claims, (signed) => hmacOf('HS256', word, signed) ?? ''),
  lab() {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const isByOwner = ({ signed, signature }: Jwt) =>
      verify('sha256', Buffer.from(signed), publicKey, Buffer.from(signature, 'base64url'));
    const write = (sub: string) =>
      writeJwt({ alg: 'RS256', kid: '1' }, { sub }, (signed) =>
        sign('sha256', Buffer.from(signed), privateKey).toString('base64url'),
      );
    const lab = tokenLab(write, {
      vulnerable: (jwt) =>
        jwt.header.alg === 'HS256' ? hmacOf('HS256', pem, jwt.signed) === jwt.signature : isByOwner(jwt),
      safe: (jwt) => jwt.header.alg === 'RS256' && isByOwner(jwt),
    });
    const keys = { body: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1' }] }) };
    return {
      ...lab,
      vulnerable: (request) => (request.path === PLACES[0] ? keys : lab.vulnerable(request)),
      safe: (request) => (request.path === PLACES[0] ? keys : lab.safe(request)),
    };
  },
});
