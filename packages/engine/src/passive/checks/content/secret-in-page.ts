import { thoseThere } from '../../../evidence/missing.ts';
import { redacted } from '../../../evidence/page/redacted.ts';
import { findSecrets } from '../../../evidence/page/secrets.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const own = (body: string) => ({ scripts: { '/app.js': body } });
/** Made up here, so that none of them stands in this file. */
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
  title: 'The page or one of its scripts holds a secret',
  why: 'Everybody who opens the page can take it, and use it in the name of the site.',
  fix: 'Replace the secret at once, as it is known by now; keep it on the server, and let the page ask the server.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Secrets_Management_Cheat_Sheet.html',
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
    { name: 'the same twice', given: { ...own(`glpat-${random(20)}`), body: `glpat-${random(20)}` }, fails: 1 },
    { name: 'a live key', given: own(`sk_live_${random(24)}`), fails: 1, severity: 'CRITICAL' },
    { name: 'a private key', given: own(pem(`\\n${random(64)}\\n${random(64)}\\n`)), fails: 1, severity: 'CRITICAL' },
    {
      name: 'both halves of an AWS key',
      given: own(`{id:"AKIA${random(16, 'QWERTYUIOPASDFG2')}",secretKey:"${random(40)}"}`),
      fails: 1,
      severity: 'CRITICAL',
    },
    { name: 'a service key of Supabase', given: own(`"${jwt('service_role')}"`), fails: 1, severity: 'CRITICAL' },
    {
      name: 'the secret of a client in JSON',
      given: { headers: { 'content-type': 'application/json' }, body: `{"client_secret":"${random(32)}"}` },
      fails: 1,
      severity: 'MEDIUM',
    },
    {
      name: 'a database with its password in a script of the page',
      given: { body: `<script>window.env={"db":"postgres://shop:${random(12)}@db.shop.internal/shop"}</script>` },
      fails: 1,
    },
    {
      name: 'the client secret of a payment, which is made for browsers',
      given: own(`{"client_secret":"pi_${random(24)}_secret_${random(24)}"}`),
      fails: 0,
    },
    { name: 'a name for a secret', given: own('{clientSecret:"settings.oauth.client.secret"}'), fails: 0 },
    { name: 'a database of the own machine', given: own('"mysql://root:password@localhost/x"'), fails: 0 },
    { name: 'its public sister', given: own(`"${jwt('anon')}"`), fails: 0 },
    {
      name: 'half of an AWS key, as in signed links',
      given: own(`?X-Amz-Credential=AKIA${random(16, 'QWERTYUIOPASDFG2')}%2F20260101`),
      fails: 0,
    },
    {
      name: 'the example of AWS',
      given: own('id="AKIAIOSFODNN7EXAMPLE" secret="wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"'),
      fails: 0,
    },
    {
      name: 'keys that are made to be seen',
      given: own(`pk_live_${random(24)} AIza${random(35)} https://${random(32)}@o1.ingest.sentry.io/1 6L${random(38)}`),
      fails: 0,
    },
    { name: 'a key for tests', given: own(`sk_test_${random(24)}`), fails: 0 },
    { name: 'placeholders', given: own(`ghp_${'x'.repeat(36)} sk_live_${'your_secret_key_goes_here'}`), fails: 0 },
    { name: 'a library that knows how a key begins', given: own(pem('"+e+"')), fails: 0 },
    { name: 'a public key', given: own(`-----BEGIN PUBLIC KEY-----\\n${random(64)}\\n${random(64)}`), fails: 0 },
    { name: 'nothing', given: {}, fails: 0 },
  ],
});
