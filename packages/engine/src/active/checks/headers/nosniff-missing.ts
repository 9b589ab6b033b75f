import passive from '../../../passive/checks/headers/nosniff-missing.ts';
import { defineMissingHeader } from '../../shared/missing-header.ts';

export default defineMissingHeader({
  id: 'nosniff-missing',
  title: 'X-Content-Type-Options: nosniff header missing',
  cwe: 693,
  cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:N/VI:L/VA:N/SC:N/SI:N/SA:N',
  impact:
    'An attacker who can upload a file makes browsers run it as a script or style sheet, although it is served as another type.',
  asvs: '3.4.4',
  why: 'The pages do not send X-Content-Type-Options: nosniff, so browsers may ignore the declared type and guess one (MIME sniffing). An attacker who can upload a file can have it run as a script or style sheet of the site.',
  fix: passive.fix,
  references: passive.references,
  passive,
  missing: 'the header',
  sent: { 'x-content-type-options': 'nosniff' },
});
