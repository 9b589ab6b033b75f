import { definePassiveCheck } from '../../define-passive-check.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const set = (header: object, payload: object, signature = 'c2ln') => ({
  headers: { 'set-cookie': `access=${part(header)}.${part(payload)}.${signature}; Secure` },
});

export default definePassiveCheck({
  id: 'cookie-jwt-inspectable',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 347,
  title: 'JWT in cookie is unsigned or has no expiry',
  why: 'A cookie holds a JSON Web Token (JWT) that uses the algorithm none or has no exp claim. If the server accepts unsigned tokens, an attacker can forge one for any user. A token without exp stays valid indefinitely, so a stolen one gives lasting access. We decode the header and the claims of the token; we do not test whether the server accepts a forged one.',
  fix: 'Sign tokens with one algorithm such as ES256, and reject every other alg value on the server. Set exp to minutes or hours and renew the token while the session is in use.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/JSON_Web_Token_Cheat_Sheet.html',
    'https://www.rfc-editor.org/rfc/rfc8725',
    'https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4',
    'https://cwe.mitre.org/data/definitions/347.html',
  ],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, jwt } of cookies) {
      if (!jwt) continue;
      const isUnsigned = jwt.algorithm.toLowerCase() === 'none';
      if (!isUnsigned && jwt.expires) continue;
      const facts = `alg ${jwt.algorithm}, ${jwt.expires ? 'with' : 'without'} exp`;
      yield { url, evidence: `set-cookie: ${name}=… (JWT: ${facts})`, severity: isUnsigned ? 'HIGH' : 'MEDIUM' };
    }
  },

  examples: [
    { name: 'alg none', given: set({ alg: 'none' }, { sub: 'a', exp: 1 }, ''), fails: 1, severity: 'HIGH' },
    { name: 'alg none in mixed case', given: set({ alg: 'NonE' }, { exp: 1 }), fails: 1, severity: 'HIGH' },
    { name: 'no exp claim', given: set({ alg: 'HS256', typ: 'JWT' }, { sub: 'a' }), fails: 1 },
    { name: 'signed and with exp', given: set({ alg: 'ES256' }, { sub: 'a', exp: 1 }), fails: 0 },
    { name: 'dotted value that is not a JWT', given: { headers: { 'set-cookie': 'version=1.2.3' } }, fails: 0 },
    { name: 'JSON without alg', given: set({ typ: 'x' }, { sub: 'a' }), fails: 0 },
    { name: 'no cookies', given: {}, fails: 0 },
  ],
});
