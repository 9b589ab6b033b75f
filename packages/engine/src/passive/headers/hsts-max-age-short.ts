import { definePassiveCheck } from '../../check.ts';
import { hstsOf, isPreloaded } from '../../evidence/hsts.ts';

/** 180 days. */
const SHORTEST_SECONDS = 15_552_000;

const sent = (value: string) => ({ headers: { 'strict-transport-security': value } });

export default definePassiveCheck({
  id: 'hsts-max-age-short',
  group: 'headers',
  severity: 'LOW',
  cwe: 319,
  title: 'Browsers soon forget to come by https only',
  why: 'After max-age seconds without a visit the protection of Strict-Transport-Security is over, and the next visit may begin on plain http. A max-age of 0 ends it at once.',
  fix: 'Send Strict-Transport-Security with a max-age of half a year or more; max-age=31536000, one year, is usual.',
  recipe: { header: ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'] },
  references: ['https://www.rfc-editor.org/rfc/rfc6797#section-6.1.1'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const hsts = hstsOf(mainDocument);
    if (hsts.state !== 'VALID' || hsts.maxAge >= SHORTEST_SECONDS || isPreloaded(mainDocument.url.hostname)) return;
    const evidence = mainDocument.headerLines('strict-transport-security');
    // Worse than short: it takes the protection away from those who had it.
    yield hsts.maxAge === 0 ? { evidence, severity: 'MEDIUM' } : { evidence };
  },

  examples: [
    { name: 'a day', given: sent('max-age=86400'), fails: 1 },
    { name: 'a second less than 180 days', given: sent('max-age=15551999; includeSubDomains'), fails: 1 },
    { name: 'switched off', given: sent('max-age=0'), fails: 1, severity: 'MEDIUM' },
    {
      name: 'the first of two',
      given: { headers: { 'strict-transport-security': ['max-age=60', 'max-age=31536000'] } },
      fails: 1,
    },
    { name: '180 days', given: sent('max-age=15552000'), fails: 0 },
    { name: 'a quoted year', given: sent('max-age="31536000"'), fails: 0 },
    { name: 'one that cannot be read, which another check judges', given: sent('max-age=soon'), fails: 0 },
    { name: 'a suffix that browsers know', given: { ...sent('max-age=60'), url: 'https://site.dev/' }, fails: 0 },
    { name: 'plain http', given: { ...sent('max-age=60'), url: 'http://site.example/' }, fails: 0 },
  ],
});
