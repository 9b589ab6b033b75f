import type { Evidence, PartialEvidence } from '../evidence/evidence.ts';
import { isMissing } from '../evidence/missing.ts';
import type { PassiveCheck } from './define-passive-check.ts';

type EmptyTests = { [Name in keyof Evidence]?: (value: Evidence[Name], evidence: PartialEvidence) => boolean };

const isNoPage = ({ mainDocument }: PartialEvidence) =>
  mainDocument !== undefined && !isMissing(mainDocument) && !mainDocument.isHtml;

/** When evidence that was gathered holds nothing that a check could judge. */
const isEmpty: EmptyTests = {
  tls: (tls) => tls?.spoken.length === 0,
  cookies: (cookies) => cookies.length === 0,
  plainHttp: ({ hops }) => hops.length === 0,
  sourceMaps: (maps) => maps.length === 0,
  page: (_page, evidence) => isNoPage(evidence),
  policies: (_policies, evidence) => isNoPage(evidence),
};

/**
 * Whether the site has what the check is about: TLS, a certificate, cookies, a Content-Security-Policy, an HTML page, a
 * port for plain http, a domain with mail servers. A check that found nothing on a site without it has not passed.
 */
export function isApplicable({ group, needs }: PassiveCheck, evidence: PartialEvidence): boolean {
  if (needs.some((name) => evidence[name] === null)) return false;
  if (group === 'csp' && hasNoPolicy(evidence)) return false;
  // The main document is always there; what else the check looks at decides.
  const others = needs.filter((name) => name !== 'mainDocument');
  return others.length === 0 || !others.every((name) => isEmptyIn(evidence, name));
}

function isEmptyIn<Name extends keyof Evidence>(evidence: PartialEvidence, name: Name): boolean {
  const value = evidence[name];
  const test: EmptyTests[Name] = isEmpty[name];
  return test !== undefined && value !== undefined && !isMissing(value) && test(value as Evidence[Name], evidence);
}

function hasNoPolicy({ policies }: PartialEvidence): boolean {
  if (policies === undefined || isMissing(policies)) return false;
  return policies.enforced.length === 0 && policies.reportOnly.length === 0;
}
