import type { PartialEvidence, ScanEvidence } from '../evidence/evidence.ts';
import { isMissing, type Missing } from '../evidence/missing.ts';
import { keyOf } from '../evidence/probes/files.ts';
import type { ScanFinding } from '../protocol/finding.ts';
import { linesFor } from './config-snippets.ts';
import type { PassiveCheck, Seen } from './define-passive-check.ts';
import { isApplicable } from './is-applicable.ts';
import type { Group } from './score.ts';

/** A finding before its score impact is known. */
export type UnscoredFinding = Omit<ScanFinding, 'scoreImpact'> & { group: Group };

export interface CheckRuns {
  passed: string[];
  failed: string[];
  /** Checks for something the site does not have. */
  notApplicable: string[];
  /** Checks that could not run, with the reason. */
  notRun: { checkId: string; reason: string }[];
  /** Failures that the failure of another check explains. */
  explained: { checkId: string; reason: string }[];
  found: UnscoredFinding[];
}

/** Limits the findings of one check, for example on a site that sets a thousand cookies. */
const MAX_FINDINGS_OF_CHECK = 20;
const MAX_EVIDENCE = 1_000;
const MAX_URL = 2_000;
const MAX_REASON = 500;
const NOT_ASKED: Missing = { missing: 'Not requested in this scan.' };

/**
 * Runs every check on its part of the evidence. A check that throws counts as not run, since it says nothing about the
 * site. `absent` is the reason reported for evidence that does not exist.
 */
export function runChecks(
  checks: readonly PassiveCheck[],
  evidence: PartialEvidence,
  absent: Missing = NOT_ASKED,
): CheckRuns {
  const runs: CheckRuns = { passed: [], failed: [], notApplicable: [], notRun: [], explained: [], found: [] };
  for (const check of checks) {
    const { found, missing } = tryCheck(check, evidence, absent);
    if (missing !== undefined) runs.notRun.push({ checkId: check.id, reason: missing.slice(0, MAX_REASON) });
    else if (found.length > 0) runs.failed.push(check.id);
    else runs[isApplicable(check, evidence) ? 'passed' : 'notApplicable'].push(check.id);
    runs.found.push(...found);
  }
  return withoutSuppressed(runs, checks);
}

interface Ran {
  found: UnscoredFinding[];
  /** Reason why the check says nothing about the site. */
  missing?: string | undefined;
}

function tryCheck(check: PassiveCheck, evidence: PartialEvidence, absent: Missing): Ran {
  try {
    const missing = check.needs.map((name) => (evidence[name] === undefined ? absent : evidence[name])).find(isMissing);
    if (missing) return { found: [], ...missing };
    const found = runCheck(check, evidence);
    return found.length > 0 ? { found } : { found, ...unanswered(check, evidence) };
  } catch (error) {
    return { found: [], missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the first missing input. A check that could not see all of its input has not passed. */
function unanswered({ needs, probes = [] }: PassiveCheck, evidence: PartialEvidence): Missing | undefined {
  const files = evidence.files === undefined || isMissing(evidence.files) ? {} : evidence.files;
  const answers = probes.map((probe) => files[keyOf(probe)] ?? NOT_ASKED);
  const lists: unknown[] = needs.map((name) => evidence[name]).filter((value) => Array.isArray(value));
  return [...answers, ...lists.flat()].find(isMissing);
}

/** Removes failures that another failure explains, so that they do not count twice. */
function withoutSuppressed(runs: CheckRuns, checks: readonly PassiveCheck[]): CheckRuns {
  const failed = new Set(runs.failed);
  const explained = new Map<string, string>();
  for (const { id, suppressedBy = [] } of checks) {
    const cause = failed.has(id) ? suppressedBy.find((one) => failed.has(one)) : undefined;
    if (cause !== undefined) explained.set(id, cause);
  }
  return {
    ...runs,
    failed: runs.failed.filter((id) => !explained.has(id)),
    explained: [...explained].map(([checkId, cause]) => ({ checkId, reason: `Already explained by ${cause}.` })),
    found: runs.found.filter(({ checkId }) => !explained.has(checkId)),
  };
}

/** Runs one check on evidence that contains everything it needs. */
export function runCheck(check: PassiveCheck, evidence: PartialEvidence): UnscoredFinding[] {
  const needed = Object.fromEntries(check.needs.map((name) => [name, evidence[name]])) as unknown as ScanEvidence;
  const found: UnscoredFinding[] = [];
  for (const seen of check.run(needed)) {
    found.push(toFound(check, seen, evidence));
    if (found.length === MAX_FINDINGS_OF_CHECK) break;
  }
  return found;
}

function toFound(check: PassiveCheck, seen: Seen, { mainDocument }: PartialEvidence): UnscoredFinding {
  const page = isMissing(mainDocument) ? undefined : mainDocument;
  const lines = check.recipe && page ? linesFor(check.recipe, page.headers) : [];
  return {
    checkId: check.id,
    group: check.group,
    title: check.title,
    description: check.why,
    severity: seen.severity ?? check.severity,
    confidence: seen.confidence ?? check.confidence ?? 'FIRM',
    category: check.group,
    affectedUrl: (seen.url ?? page?.url.href)?.slice(0, MAX_URL) ?? null,
    evidence: seen.evidence.slice(0, MAX_EVIDENCE),
    remediation: [check.fix, ...lines].join('\n'),
    cwe: check.cwe,
    references: [...check.references],
  };
}
