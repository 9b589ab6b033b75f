import { definePassiveCheck } from '../../check.ts';

const PASSWORD_SCHEME = /(?:^|,)\s*(?:basic|digest)(?:\s|,|$)/i;

const asks = (scheme: string, url = 'http://site.example/') => ({
  url,
  status: 401,
  headers: { 'www-authenticate': scheme },
});

export default definePassiveCheck({
  id: 'basic-auth-over-http',
  group: 'headers',
  severity: 'HIGH',
  cwe: 522,
  title: 'The site asks for a password on plain http',
  why: 'With Basic authentication the browser sends the password readably with every request, with Digest in a form that can be guessed offline: anybody on the way can take it.',
  fix: 'Redirect plain http to https before asking, and send the WWW-Authenticate challenge on https only.',
  references: ['https://www.rfc-editor.org/rfc/rfc7617#section-4', 'https://www.rfc-editor.org/rfc/rfc7616#section-5'],
  needs: ['answers'],

  *run({ answers }) {
    for (const { url, status, headers, headerLines } of answers) {
      if (url.protocol !== 'http:' || status !== 401) continue;
      const asksForPassword = headers('www-authenticate').some((value) => PASSWORD_SCHEME.test(value));
      if (asksForPassword) yield { url: url.href, evidence: headerLines('www-authenticate') };
    }
  },

  examples: [
    { name: 'Basic', given: asks('Basic realm="staff"'), fails: 1 },
    { name: 'Digest', given: asks('digest realm="staff", nonce="1"'), fails: 1 },
    { name: 'one of two', given: asks('Negotiate, Basic realm="staff"'), fails: 1 },
    { name: 'on https', given: asks('Basic realm="staff"', 'https://site.example/'), fails: 0 },
    {
      name: 'after a redirect to https',
      given: { ...asks('Basic realm="staff"', 'https://site.example/'), before: [{ url: 'http://site.example/' }] },
      fails: 0,
    },
    { name: 'a token', given: asks('Bearer realm="basic"'), fails: 0 },
    { name: 'nothing is asked', given: { url: 'http://site.example/' }, fails: 0 },
  ],
});
