import { definePassiveCheck } from '../../check.ts';
import { httpsUrl } from '../../evidence/tls/https.ts';

export default definePassiveCheck({
  id: 'cert-revoked',
  group: 'certificate',
  severity: 'CRITICAL',
  cwe: 299,
  title: 'The certificate has been revoked',
  why: 'Its issuer no longer vouches for it, most often because the key is in wrong hands.',
  fix: 'Make a new key, get a new certificate for it, and find out why the old one was revoked.',
  references: ['https://www.rfc-editor.org/rfc/rfc6960'],
  needs: ['session'],

  *run({ session }) {
    if (session?.staple !== 'REVOKED') return;
    yield {
      evidence: `The stapled OCSP response says that ${session.certificate.subject} is revoked`,
      url: httpsUrl(session),
    };
  },

  examples: [
    { name: 'a stapled answer that says so', given: { https: { staple: 'REVOKED' } }, fails: 1 },
    { name: 'a stapled answer that says it is good', given: { https: { staple: 'GOOD' } }, fails: 0 },
    { name: 'an issuer that does not know it', given: { https: { staple: 'UNKNOWN' } }, fails: 0 },
    { name: 'a good certificate', given: {}, fails: 0 },
  ],
});
