import { thoseThere } from '../../../evidence/missing.ts';
import { redacted } from '../../../evidence/page/redacted.ts';
import { findSecrets } from '../../../evidence/page/secrets.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const own = (body: string) => ({ scripts: { '/app.js': body } });
/** Generated, so that secret scanners do not match this file. */
const random = (length: number, letters = 'aZ3bY4cX5dW6eV7fU8') => letters.repeat(20).slice(0, length);
const pem = (lines: string) => `-----BEGIN RSA ${'PRIVATE'} KEY-----${lines}-----END RSA`;
const jwt = (role: string) =>
  ['{"alg":"HS256","typ":"JWT"}', `{"iss":"supabase","role":"${role}"}`]
    .map((part) => Buffer.from(part).toString('base64url'))
    .concat(random(43))
    .join('.');

export default definePassiveCheck({
  id: 'secret-in-page',
  group: 'content',
  severity: 'HIGH',
  cwe: 540,
  title: 'Secret or API key exposed in page or script',
  why: 'The page or one of its scripts contains a secret such as an API key, an access token, a private key or a database password. An attacker who reads it can use the service in the name of the site. The evidence gives the kind of secret and redacts its value; we do not test whether it is valid.',
  fix: 'Revoke the secret and issue a new one, since it is already public. Keep it on the server and let the page call an endpoint of your own that uses it.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/05-Review_Web_Page_Content_for_Information_Leakage',
    'https://cwe.mitre.org/data/definitions/540.html',
  ],
  needs: ['mainDocument', 'scripts'],

  *run({ mainDocument: { url, body }, scripts }) {
    const seen = new Set<string>();
    for (const text of [{ url: url.href, body }, ...thoseThere(scripts)]) {
      for (const { kind, severity, value } of findSecrets(text.body)) {
        if (!seen.has(value)) yield { url: text.url, severity, evidence: `${kind} ${redacted(value)} in ${text.url}` };
        seen.add(value);
      }
    }
  },

  examples: [
    { name: 'in a script', given: own(`const token="ghp_${random(36)}";`), fails: 1 },
    { name: 'in the page', given: { body: `<script>key="sk-proj-${random(60)}"</script>` }, fails: 1 },
    { name: 'in a comment', given: { body: `<!-- xoxb-482910573812-${random(24)} -->` }, fails: 1 },
    { name: 'same secret twice', given: { ...own(`glpat-${random(20)}`), body: `glpat-${random(20)}` }, fails: 1 },
    { name: 'Stripe live key', given: own(`sk_live_${random(24)}`), fails: 1, severity: 'CRITICAL' },
    { name: 'private key', given: own(pem(`\\n${random(64)}\\n${random(64)}\\n`)), fails: 1, severity: 'CRITICAL' },
    {
      name: 'AWS key ID with its secret',
      given: own(`{id:"AKIA${random(16, 'QWERTYUIOPASDFG2')}",secretKey:"${random(40)}"}`),
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: 'Supabase service role key', given: own(`"${jwt('service_role')}"`), fails: 1, severity: 'CRITICAL' },
    {
      name: 'OAuth client secret in JSON',
      given: { headers: { 'content-type': 'application/json' }, body: `{"client_secret":"${random(32)}"}` },
      fails: 1,
      severity: 'MEDIUM',
    },
    {
      name: 'database URL with a password',
      given: { body: `<script>window.env={"db":"postgres://shop:${random(12)}@db.shop.internal/shop"}</script>` },
      fails: 1,
    },
    {
      name: 'Stripe payment client secret, which is public by design',
      given: own(`{"client_secret":"pi_${random(24)}_secret_${random(24)}"}`),
      fails: 0,
    },
    {
      name: 'configuration key instead of a secret',
      given: own('{clientSecret:"settings.oauth.client.secret"}'),
      fails: 0,
    },
    { name: 'database URL of localhost', given: own('"mysql://root:password@localhost/x"'), fails: 0 },
    { name: 'Supabase anon key, which is public by design', given: own(`"${jwt('anon')}"`), fails: 0 },
    {
      name: 'AWS key ID alone, as in presigned URLs',
      given: own(`?X-Amz-Credential=AKIA${random(16, 'QWERTYUIOPASDFG2')}%2F20260101`),
      fails: 0,
    },
    {
      name: 'AWS documentation example',
      given: own('id="AKIAIOSFODNN7EXAMPLE" secret="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"'),
      fails: 0,
    },
    {
      name: 'keys that are public by design',
      given: own(`pk_live_${random(24)} AIza${random(35)} https://${random(32)}@o1.ingest.sentry.io/1 6L${random(38)}`),
      fails: 0,
    },
    { name: 'Stripe test key', given: own(`sk_test_${random(24)}`), fails: 0 },
    { name: 'placeholders', given: own(`ghp_${'x'.repeat(36)} sk_live_${'your_secret_key_goes_here'}`), fails: 0 },
    { name: 'PEM header in library code', given: own(pem('"+e+"')), fails: 0 },
    { name: 'public key', given: own(`-----BEGIN PUBLIC KEY-----\\n${random(64)}\\n${random(64)}`), fails: 0 },
    { name: 'no secret', given: {}, fails: 0 },
  ],
});
