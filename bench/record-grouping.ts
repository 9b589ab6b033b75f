/**
 * Records the proofs of runs whose findings have known causes, for the test of grouping:
 * `node bench/record-grouping.ts`, or with a saved run of the range as argument.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { answerKey } from '@sortie/range';
import { loadActiveChecks } from '../packages/engine/src/active/load-checks.ts';
import { parametersOf } from '../packages/engine/src/crawl/inventory/inventory.ts';
import type { PentestFinding } from '../packages/engine/src/protocol/finding.ts';
import { pentestOrder, playPentest } from '../packages/testing/src/engine/pentest-orders.ts';
import { havingMet } from '../packages/testing/src/engine/range-runs.ts';
import { recordProof } from '../packages/testing/src/engine/recorded-proofs.ts';
import { groupingSites, startGroupingSite } from '../packages/testing/src/targets/grouping-sites.ts';
import { compare } from './pentest-truth.ts';

const folder = new URL('../packages/engine/src/pentest/testing/recorded-runs/', import.meta.url);
const write = (name: string, proofs: unknown) =>
  writeFile(new URL(`${name}.json`, folder), `${JSON.stringify(proofs, null, 2)}\n`);

for (const [name, site] of Object.entries(groupingSites)) {
  const { server, origin } = await startGroupingSite(site);
  const inventory = site.paths.map((path) => ({
    ...{ method: 'GET' as const, url: origin + path, seenAs: null, contentType: 'text/html' },
    parameters: parametersOf(origin + path),
  }));
  const { steps } = await playPentest(pentestOrder(origin, havingMet(origin, inventory)));
  server.close();
  const findings = steps.flatMap((step) => step.findings);
  const causeOf = ({ checkId, affectedUrl }: PentestFinding) => {
    const cause = site.causeAt(new URL(affectedUrl ?? '').pathname);
    return name === 'files' ? cause : `${checkId} ${cause}`;
  };
  await write(
    name,
    findings.map((each) => recordProof(each, causeOf(each), `${origin}/`)),
  );
  console.log(name, findings.length);
}

const [range] = process.argv.slice(2);
if (range !== undefined) {
  const { findings }: { findings: PentestFinding[] } = JSON.parse(await readFile(range, 'utf8'));
  // What responses show by themselves is not grouped by a proof.
  const ids = new Set((await loadActiveChecks()).map(({ id }) => id));
  // Each flaw of the range has code of its own.
  const proofs = findings
    .filter(({ checkId }) => ids.has(checkId ?? ''))
    .map((each) => {
      const { found } = compare([each], answerKey, 'MAXIMUM');
      const flaw = found.find(({ parameter }) => [parameter].flat().includes(each.parameter ?? '')) ?? found[0];
      return recordProof(each, flaw?.id ?? each.fingerprint, new URL('/', each.affectedUrl ?? '').href);
    });
  await write('range', proofs);
  console.log('range', proofs.length);
}
