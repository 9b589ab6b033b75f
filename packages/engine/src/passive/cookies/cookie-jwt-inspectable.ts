import { definePassiveCheck } from '../../check.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const set = (header: object, payload: object, signature = 'c2ln') => ({
  headers: { 'set-cookie': `access=${part(header)}.${part(payload)}.${signature}; Secure` },
});

export default definePassiveCheck({
  id: 'cookie-jwt-inspectable',
  group: 'cookies',
  severity: 'MEDIUM',
  cwe: 347,
  title: 'A token in a cookie is not signed, or never ends',
  why: 'Everybody can write a JSON Web Token with the algorithm none, so whoever accepts it accepts any name in it. One without exp stays valid for ever once it is stolen.',
  fix: 'Sign tokens, accept on the server only the one algorithm you use, and set exp to minutes or hours.',
  references: ['https://www.rfc-editor.org/rfc/rfc8725', 'https://www.rfc-editor.org/rfc/rfc7519#section-4.1.4'],
  needs: ['cookies'],

  *run({ cookies }) {
    for (const { name, url, jwt } of cookies) {
      if (!jwt) continue;
      const isUnsigned = jwt.algorithm.toLowerCase() === 'none';
      if (!isUnsigned && jwt.expires) continue;
      const facts = `algorithm ${jwt.algorithm}, ${jwt.expires ? 'with' : 'without'} exp`;
      yield { url, evidence: `set-cookie: ${name}=… (a token: ${facts})`, severity: isUnsigned ? 'HIGH' : 'MEDIUM' };
    }
  },

  examples: [
    { name: 'not signed', given: set({ alg: 'none' }, { sub: 'a', exp: 1 }, ''), fails: 1, severity: 'HIGH' },
    { name: 'not signed, in other letters', given: set({ alg: 'NonE' }, { exp: 1 }), fails: 1, severity: 'HIGH' },
    { name: 'without an end', given: set({ alg: 'HS256', typ: 'JWT' }, { sub: 'a' }), fails: 1 },
    { name: 'signed, with an end', given: set({ alg: 'ES256' }, { sub: 'a', exp: 1 }), fails: 0 },
    { name: 'three words with dots', given: { headers: { 'set-cookie': 'version=1.2.3' } }, fails: 0 },
    { name: 'JSON that is no token', given: set({ typ: 'x' }, { sub: 'a' }), fails: 0 },
    { name: 'no cookies', given: {}, fails: 0 },
  ],
});
