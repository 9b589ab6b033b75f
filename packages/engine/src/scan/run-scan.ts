import { setTimeout as sleep } from 'node:timers/promises';
import { severities } from '@sortie/contract';
import { MOST_REQUESTS } from '../evidence/content.ts';
import { type Artifacts, type GatheredEvidence, toEvidence, toTlsEvidence } from '../evidence/evidence.ts';
import { gatherSite, type SiteSender } from '../evidence/gather-site.ts';
import { blocked, type GatheringFailure } from '../evidence/gathering-failure.ts';
import { OLDER } from '../evidence/missing.ts';
import type { TlsSite } from '../evidence/tls-site.ts';
import type { Watch } from '../evidence/watch.ts';
import { crash } from '../faults/crash.ts';
import type { SenderLimits } from '../http/limits/limits.ts';
import type { PassiveCheck } from '../passive/define-passive-check.ts';
import { loadPassiveChecks } from '../passive/load-checks.ts';
import { type CheckRuns, runChecks } from '../passive/run-checks.ts';
import { judge } from '../passive/score.ts';
import type { EngineScript } from '../protocol/engine-script.ts';
import type { ScanOrder } from '../protocol/messages.ts';
import type { ScanResult } from '../protocol/scan-result.ts';
import type { DnsClient } from '../target/dns/client.ts';

/** Network access of a scan. The caller closes the sender. */
export interface ScanTools {
  sender: SiteSender;
  watch?: Watch;
  /** Without it, DNS checks have no evidence. */
  dns?: DnsClient;
}

/** All evidence that a result is computed from. */
export type Gathered = Artifacts | TlsSite | GatheringFailure;

/** Limits of one scan. */
export const scanLimits = {
  requests: MOST_REQUESTS,
  sockets: 40,
  bytes: 20_000_000,
  untilMs: 60_000,
  // A scan is limited by its budget, not by a rate.
  perSecond: 10_000,
  atOnce: 6,
  bodyBytes: 2_000_000,
  totalMs: 10_000,
  connectMs: 5_000,
} as const satisfies SenderLimits;

const NOT_SCANNED: ScanResult = {
  failure: {
    code: 'NOT_SCANNED',
    message: 'Nothing was scanned: the script of this scan has no result.',
  },
};
/** Keeps the result within one message, whatever characters the findings contain. */
const MAX_FINDINGS = 300;

/**
 * Loaded before any order is read: the engine must not start without the checks, and its user may not be able to read
 * files later.
 */
const passiveChecks = await loadPassiveChecks();
/** Most severe first, so that a scan that is cut short has covered the worst. */
const probes = passiveChecks
  .toSorted((left, right) => severities.indexOf(left.severity) - severities.indexOf(right.severity))
  .flatMap((check) => check.probes ?? []);

/** Resolves to the result of a scan: the scripted one in tests of the service, otherwise that of the site. */
export async function runScan({ url, script, attempt }: ScanOrder, tools: ScanTools): Promise<ScanResult> {
  if (script) return playScan(script, attempt);
  return judgeGathered(await gather(url, tools));
}

export const gather = (url: string, { sender, watch, dns }: ScanTools): Promise<Gathered> =>
  gatherSite(sender, url, probes, { watch, dns });

/** Returns the result for what was gathered of a site, or for the failure to gather it. */
export function judgeGathered(site: Gathered): ScanResult {
  if ('code' in site) return { failure: site };
  if ('mainPage' in site) return judgeSite(toEvidence(site));
  return toResult(runChecks(passiveChecks, toTlsEvidence(site), { missing: site.noPage }));
}

async function playScan({ scan }: EngineScript, attempt: number): Promise<ScanResult> {
  if (!scan) return NOT_SCANNED;
  await sleep(scan.milliseconds);
  if (scan.crash && attempt <= scan.crash.times) await crash(scan.crash.how);
  return scan.result;
}

/** Returns the results of the checks for the evidence of a site. */
export function judgeSite(evidence: GatheredEvidence, checks = passiveChecks): ScanResult {
  const runs = runChecks(checks, evidence);
  if (hasUnseenGroup(runs, checks)) return { failure: tooLittle(runs, checks.length) };
  return toResult(runs);
}

function toResult(runs: CheckRuns): ScanResult {
  const { score, grade, findings } = judge(runs.found);
  return {
    score,
    grade,
    checks: countOf(runs),
    notRun: [...runs.notRun, ...runs.explained],
    findings: mostCostly(findings).map(({ group: _, ...finding }) => finding),
  };
}

/** Keeps the order. Findings that cost points are always included. */
function mostCostly<Finding extends { scoreImpact: number }>(findings: readonly Finding[]): Finding[] {
  const kept = new Set(findings.toSorted((left, right) => right.scoreImpact - left.scoreImpact).slice(0, MAX_FINDINGS));
  return findings.filter((finding) => kept.has(finding));
}

const countOf = ({ passed, failed, notApplicable, notRun, explained }: CheckRuns) => ({
  passed: passed.length,
  failed: failed.length,
  notApplicable: notApplicable.length,
  notRun: notRun.length + explained.length,
});

/** Whether most checks of a whole group have no evidence. */
function hasUnseenGroup({ notRun }: CheckRuns, checks: readonly PassiveCheck[]): boolean {
  // An older version scored the site without these, too.
  const unseen = new Set(notRun.filter(({ reason }) => reason !== OLDER.missing).map(({ checkId }) => checkId));
  const groups = Map.groupBy(checks, ({ group }) => group);
  // DNS and email checks depend on name servers: missing responses are no fault of the site, and are reported per
  // check.
  for (const group of ['dns', 'email'] as const) groups.delete(group);
  return [...groups.values()].some(
    (some) => some.length > 1 && some.filter(({ id }) => unseen.has(id)).length > some.length * 0.75,
  );
}

/** A score would reward the site for checks that did not run. */
function tooLittle({ notRun }: CheckRuns, checks: number) {
  const ran = `Only ${checks - notRun.length} of ${checks} checks could be run, too few for a score`;
  return blocked(`${ran}. ${notRun[0]?.reason ?? ''}`);
}
