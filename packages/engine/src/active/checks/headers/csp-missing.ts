import passive from '../../../passive/checks/csp/csp-missing.ts';
import { defineMissingHeader } from '../../shared/missing-header.ts';

export default defineMissingHeader({
  id: 'csp-missing',
  title: 'Content-Security-Policy (CSP) missing',
  cwe: 693,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who finds an injection flaw runs any script in the session of a visitor, because nothing limits it.',
  asvs: '3.4.3',
  why: 'The pages send no enforced Content Security Policy, in neither a header nor a meta tag. A policy is the second layer of defence against cross-site scripting (XSS): without it, every script that an attacker injects runs.',
  fix: passive.fix,
  references: passive.references,
  passive,
  missing: 'an enforced policy',
  sent: { 'content-security-policy': "default-src 'self'" },
});
