import type { Answer } from '../../evidence/ask.ts';
import { defineExposureCheck, readJson } from '../../exposure-check.ts';

const isPrivate = (key: unknown) => typeof key === 'object' && key !== null && 'd' in key && typeof key.d === 'string';

function privateKey({ body }: Answer): string | undefined {
  const json = readJson(body);
  if (typeof json !== 'object' || json === null || !('keys' in json) || !Array.isArray(json.keys)) return undefined;
  return json.keys.some(isPrivate) ? 'the field d of a private key' : undefined;
}

export default defineExposureCheck({
  id: 'jwks-private',
  severity: 'CRITICAL',
  cwe: 522,
  title: 'The site publishes the private key that signs its tokens',
  why: 'With the private part of the key anybody can sign a token for any user.',
  fix: 'Publish only the public fields (kty, use, kid, n, e or crv, x, y), and replace the key at once.',
  references: ['https://www.rfc-editor.org/rfc/rfc7517#section-9.2'],
  files: [{ path: '/.well-known/jwks.json', signature: privateKey }],
  examples: [
    {
      name: 'a private key',
      given: {
        files: { '/.well-known/jwks.json': { body: '{"keys": [{"kty": "RSA", "n": "x", "e": "AQAB", "d": "y"}]}' } },
      },
      fails: 1,
    },
    { name: 'nothing there', given: {}, fails: 0 },
    {
      name: 'public keys, as it should be',
      given: { files: { '/.well-known/jwks.json': { body: '{"keys": [{"kty": "RSA", "n": "x", "e": "AQAB"}]}' } } },
      fails: 0,
    },
    { name: 'not JSON', given: { files: { '/.well-known/jwks.json': { body: '"keys" "d":' } } }, fails: 0 },
  ],
});
