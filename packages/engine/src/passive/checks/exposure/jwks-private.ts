import type { ProbeAnswer } from '../../../evidence/probes/ask.ts';
import { defineExposureCheck, readJson } from '../../define-exposure-check.ts';

const isPrivate = (key: unknown) => typeof key === 'object' && key !== null && 'd' in key && typeof key.d === 'string';

function privateKey({ body }: ProbeAnswer): string | undefined {
  const json = readJson(body);
  if (typeof json !== 'object' || json === null || !('keys' in json) || !Array.isArray(json.keys)) return undefined;
  return json.keys.some(isPrivate) ? 'field d of a private key' : undefined;
}

export default defineExposureCheck({
  id: 'jwks-private',
  severity: 'CRITICAL',
  cwe: 522,
  title: 'JWKS endpoint exposes a private signing key',
  why: 'The JSON Web Key Set (JWKS) of the site contains the private part of a key. An attacker signs JSON Web Tokens (JWT) with it and signs in as any user. The evidence names the private field, never its value.',
  fix: 'Replace the key now, and publish only public fields (kty, use, kid and n, e or crv, x, y). Invalidate all tokens that were signed with the old key.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Key_Management_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc7517#section-9.2',
    'https://cwe.mitre.org/data/definitions/522.html',
  ],
  files: [{ path: '/.well-known/jwks.json', signature: privateKey }],
  examples: [
    {
      name: 'private key',
      given: {
        files: { '/.well-known/jwks.json': { body: '{"keys": [{"kty": "RSA", "n": "x", "e": "AQAB", "d": "y"}]}' } },
      },
      fails: 1,
    },
    { name: '404', given: {}, fails: 0 },
    {
      name: 'public keys only',
      given: { files: { '/.well-known/jwks.json': { body: '{"keys": [{"kty": "RSA", "n": "x", "e": "AQAB"}]}' } } },
      fails: 0,
    },
    { name: 'not JSON', given: { files: { '/.well-known/jwks.json': { body: '"keys" "d":' } } }, fails: 0 },
  ],
});
