import { definePassiveCheck } from '../../define-passive-check.ts';

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
  title: 'Basic authentication or Digest over unencrypted HTTP',
  why: 'The site requests HTTP authentication over plain HTTP. With Basic the browser sends the password in cleartext with every request, with Digest as a hash that can be cracked offline. An attacker on the network path captures the credentials and signs in as the user. The evidence shows the WWW-Authenticate challenge.',
  fix: 'Redirect HTTP to HTTPS before authenticating, and send the WWW-Authenticate challenge over HTTPS only. Change passwords that were already sent over HTTP.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/04-Authentication_Testing/01-Testing_for_Credentials_Transported_over_an_Encrypted_Channel',
    'https://www.rfc-editor.org/rfc/rfc7617#section-4',
    'https://www.rfc-editor.org/rfc/rfc7616#section-5',
    'https://cwe.mitre.org/data/definitions/522.html',
  ],
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
    { name: 'Basic among several schemes', given: asks('Negotiate, Basic realm="staff"'), fails: 1 },
    { name: 'over HTTPS', given: asks('Basic realm="staff"', 'https://site.example/'), fails: 0 },
    {
      name: 'after a redirect to HTTPS',
      given: { ...asks('Basic realm="staff"', 'https://site.example/'), before: [{ url: 'http://site.example/' }] },
      fails: 0,
    },
    { name: 'Bearer', given: asks('Bearer realm="basic"'), fails: 0 },
    { name: 'no challenge', given: { url: 'http://site.example/' }, fails: 0 },
  ],
});
