import { hstsOf, isPreloaded } from '../../../evidence/page/hsts.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** 180 days. */
const MIN_SECONDS = 15_552_000;

const sent = (value: string) => ({ headers: { 'strict-transport-security': value } });

export default definePassiveCheck({
  id: 'hsts-max-age-short',
  group: 'headers',
  severity: 'LOW',
  cwe: 319,
  title: 'HSTS max-age below 180 days',
  why: 'The max-age of the Strict-Transport-Security (HSTS) header is shorter than 180 days, or 0, which turns HSTS off. Once it has expired, the next visit can start on HTTP again, where an attacker on the network path can intercept it (SSL stripping). The evidence shows the header as sent.',
  fix: 'Send Strict-Transport-Security with a max-age of at least 15552000 (180 days); 31536000 (one year) is common. Increase it in steps if you are not sure that every page works over HTTPS.',
  recipe: { header: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] },
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Strict_Transport_Security_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/02-Configuration_and_Deployment_Management_Testing/07-Test_HTTP_Strict_Transport_Security',
    'https://www.rfc-editor.org/rfc/rfc6797#section-6.1.1',
    'https://cwe.mitre.org/data/definitions/319.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'VALID' || hsts.maxAge >= MIN_SECONDS || isPreloaded(mainDocument.url.hostname)) return;
    const evidence = mainDocument.headerLines('strict-transport-security');
    // max-age=0 also deletes HSTS in browsers that had stored it.
    yield hsts.maxAge === 0 ? { evidence, severity: 'MEDIUM' } : { evidence };
  },

  examples: [
    { name: 'one day', given: sent('max-age=86400'), fails: 1 },
    { name: 'one second below 180 days', given: sent('max-age=15551999; includeSubDomains'), fails: 1 },
    { name: 'max-age=0', given: sent('max-age=0'), fails: 1, severity: 'MEDIUM' },
    {
      name: 'first of two headers',
      given: { headers: { 'strict-transport-security': ['max-age=60', 'max-age=31536000'] } },
      fails: 1,
    },
    { name: '180 days', given: sent('max-age=15552000'), fails: 0 },
    { name: 'quoted value', given: sent('max-age="31536000"'), fails: 0 },
    { name: 'malformed header (hsts-invalid)', given: sent('max-age=soon'), fails: 0 },
    { name: 'preloaded TLD', given: { ...sent('max-age=60'), url: 'https://site.dev/' }, fails: 0 },
    { name: 'HTTP', given: { ...sent('max-age=60'), url: 'http://site.example/' }, fails: 0 },
  ],
});
