import type { PassiveCheck, Seen } from '../check.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { ScanFinding } from '../finding.ts';
import type { Group } from '../score.ts';

/** A finding before it is known what it costs. */
export type Found = Omit<ScanFinding, 'scoreImpact'> & { group: Group };

export interface CheckRuns {
  passed: string[];
  failed: string[];
  notRun: { checkId: string; reason: string }[];
  found: Found[];
}

/** A site that sets a thousand cookies must not fill the report with one check. */
const MAX_FINDINGS_OF_CHECK = 20;
const MAX_EVIDENCE = 1_000;
const MAX_URL = 2_000;
const MAX_REASON = 500;

/** Runs every check on its part of the evidence. One that throws says nothing about the site: it was not run. */
export function runChecks(checks: readonly PassiveCheck[], evidence: Evidence): CheckRuns {
  const runs: CheckRuns = { passed: [], failed: [], notRun: [], found: [] };
  for (const check of checks) {
    try {
      const findings = runCheck(check, evidence);
      runs[findings.length > 0 ? 'failed' : 'passed'].push(check.id);
      runs.found.push(...findings);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      runs.notRun.push({ checkId: check.id, reason: reason.slice(0, MAX_REASON) });
    }
  }
  return runs;
}

export function runCheck(check: PassiveCheck, evidence: Evidence): Found[] {
  const needed = Object.fromEntries(check.needs.map((name) => [name, evidence[name]])) as unknown as Evidence;
  const found: Found[] = [];
  for (const seen of check.run(needed)) {
    found.push(toFound(check, seen, evidence.mainDocument.url.href));
    if (found.length === MAX_FINDINGS_OF_CHECK) break;
  }
  return found;
}

function toFound(check: PassiveCheck, seen: Seen, mainUrl: string): Found {
  return {
    checkId: check.id,
    group: check.group,
    title: check.title,
    description: check.why,
    severity: seen.severity ?? check.severity,
    confidence: seen.confidence ?? check.confidence ?? 'FIRM',
    category: check.group,
    affectedUrl: (seen.url ?? mainUrl).slice(0, MAX_URL),
    evidence: seen.evidence.slice(0, MAX_EVIDENCE),
    remediation: check.fix,
    cwe: check.cwe,
    references: [...check.references],
  };
}
