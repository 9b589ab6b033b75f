import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFull } from '@sortie/testing/runner/test-size.ts';
import { type HostileSite, hostileSite, pieces, senderTo } from '@sortie/testing/targets/hostile-sites.ts';
import fc from 'fast-check';
import { type GatheredEvidence, toEvidence } from '../evidence/evidence.ts';
import { gatherSite } from '../evidence/gather-site.ts';
import { isMissing } from '../evidence/missing.ts';
import { ScanResult } from '../protocol/scan-result.ts';
import { judgeSite } from '../scan/run-scan.ts';
import { toArtifacts } from './define-passive-check.ts';
import { loadPassiveChecks } from './load-checks.ts';
import { runCheck } from './run-checks.ts';

const SITES = isFull ? 8_000 : 200;
const CHARACTERS = isFull ? 300_000 : 12_000;
const FILE_CHARACTERS = isFull ? 65_536 : 4_096;
const SEED = 20_261_115;
/** Far more CPU time than any check needs. The time on the clock would count what else the machine does. */
const MOST_CPU_MS = 1_500;

/**
 * TLS, certificate, DNS and e-mail checks have their own tests with hostile servers; these sites offer neither TLS nor
 * DNS.
 */
const others = new Set(['transport', 'certificate', 'dns', 'email']);
const checks = (await loadPassiveChecks()).filter(({ group }) => !others.has(group));
const probes = checks.flatMap((check) => check.probes ?? []);

/** Runs each check by itself, because `runChecks` would catch an error. */
function runEach(evidence: GatheredEvidence, onFailed: (checkId: string) => void = () => {}): void {
  for (const check of checks) {
    if (check.needs.some((name) => isMissing(evidence[name]))) continue;
    const before = process.threadCpuUsage();
    if (runCheck(check, evidence).length > 0) onFailed(check.id);
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1_000;
    assert.ok(took < MOST_CPU_MS, `${check.id} took ${Math.round(took)} ms of CPU time`);
  }
}

describe('a hostile site', () => {
  it('breaks neither a collector nor a check', async () => {
    const failed = new Set<string>();
    let judged = 0;
    let sites = 0;
    async function visit(site: HostileSite): Promise<void> {
      sites++;
      const artifacts = await gatherSite(senderTo(site), site.url, probes);
      if (!('mainPage' in artifacts)) return;
      // Compares only some sites, because the comparison takes longer than everything else.
      if (sites % 20 === 0) assert.deepEqual(JSON.parse(JSON.stringify(artifacts)), artifacts);
      const evidence = toEvidence(artifacts);
      runEach(evidence, (checkId) => failed.add(checkId));
      const result = ScanResult.parse(judgeSite(evidence, checks));
      if ('findings' in result) judged++;
    }
    await fc.assert(fc.asyncProperty(hostileSite, visit), { numRuns: SITES, seed: SEED });
    console.log(`${sites} sites, ${judged} of them judged, ${failed.size} of ${checks.length} checks failed somewhere`);
    assert.ok(judged > SITES / 4, 'too few were judged');
    assert.ok(failed.size > checks.length / 2, 'too few checks had anything to find');
  });

  it('does not keep a check busy with the same over and over again', () => {
    for (const piece of pieces) {
      const file = { body: piece.repeat(FILE_CHARACTERS / piece.length) };
      const files = Object.fromEntries(probes.map(({ path, method = 'GET' }) => [`${method} ${path}`, file]));
      const header = piece.replace(/[\0\r\n]/g, ' ').repeat(8_000 / piece.length);
      const headers = { 'content-security-policy': header, 'set-cookie': header, 'permissions-policy': header };
      const scripts = { '/a.js': piece.repeat(CHARACTERS / piece.length) };
      const sourceMaps = [{ sources: Array.from({ length: 200 }, () => piece.repeat(300 / piece.length)) }];
      const beside = { files, trace: file, elsewhere: { status: 404, ...file }, scripts, sourceMaps };
      const given = { body: piece.repeat(CHARACTERS / piece.length), headers, ...beside };
      runEach(toEvidence(toArtifacts(given, probes)));
    }
  });
});
