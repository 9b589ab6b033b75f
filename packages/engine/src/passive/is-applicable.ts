import type { PartialEvidence, ScanEvidence } from '../evidence/evidence.ts';
import { isMissing } from '../evidence/missing.ts';
import type { PassiveCheck } from './define-passive-check.ts';

type EmptyTests = { [Name in keyof ScanEvidence]?: (value: ScanEvidence[Name], evidence: PartialEvidence) => boolean };

const isNoPage = ({ mainDocument }: PartialEvidence) =>
  mainDocument !== undefined && !isMissing(mainDocument) && !mainDocument.isHtml;

/** Whether evidence that was collected contains nothing a check could judge. */
const isEmpty: EmptyTests = {
  tls: (tls) => tls?.spoken.length === 0,
  cookies: (cookies) => cookies.length === 0,
  plainHttp: ({ hops }) => hops.length === 0,
  sourceMaps: (maps) => maps.length === 0,
  page: (_page, evidence) => isNoPage(evidence),
  policies: (_policies, evidence) => isNoPage(evidence),
};

/**
 * Returns whether the site has what the check is about: TLS, a certificate, cookies, a CSP, an HTML page, an HTTP port,
 * a domain with mail servers. Without it, a check that finds nothing has not passed.
 */
export function isApplicable({ group, needs }: PassiveCheck, evidence: PartialEvidence): boolean {
  if (needs.some((name) => evidence[name] === null)) return false;
  if (group === 'csp' && hasNoPolicy(evidence)) return false;
  // The main document always exists, so the other evidence decides.
  const others = needs.filter((name) => name !== 'mainDocument');
  return others.length === 0 || !others.every((name) => isEmptyIn(evidence, name));
}

function isEmptyIn<Name extends keyof ScanEvidence>(evidence: PartialEvidence, name: Name): boolean {
  const value = evidence[name];
  const test: EmptyTests[Name] = isEmpty[name];
  return test !== undefined && value !== undefined && !isMissing(value) && test(value as ScanEvidence[Name], evidence);
}

function hasNoPolicy({ policies }: PartialEvidence): boolean {
  if (policies === undefined || isMissing(policies)) return false;
  return policies.enforced.length === 0 && policies.reportOnly.length === 0;
}
