import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { endpoints, errorCodesOf } from '@sortie/contract';
import { FromEngine } from '@sortie/engine';
import { stories } from './stories.ts';
import type { Act } from './story.ts';

const documentation = path.resolve(import.meta.dirname, '../../../../docs/sandbox.md');

function toMessage(act: Act): unknown {
  if (act.act === 'judge') return { type: 'scanned', scanId: 'scn_1', result: act.result, egress: [] };
  if (act.act === 'end') {
    const { outcome, untested, coverage } = act;
    return { type: 'over', outcome, summary: 'Simulated.', untested, coverage };
  }
  if (act.act !== 'work') return { type: 'ready' };
  const { phase, requests, findings } = act;
  return { type: 'step', name: `${phase}/1`, phase, requests, modelMicrodollars: 0, findings };
}

describe('the stories of the sandbox', () => {
  it('are those of the documentation', () => {
    const rows = readFileSync(documentation, 'utf8').matchAll(/^\| `([a-z0-9-]+)` \|/gm);
    assert.deepEqual([...rows].map(([, name]) => name).sort(), Object.keys(stories).sort());
  });

  for (const [name, { refusal, failure, pentest, scan }] of Object.entries(stories)) {
    it(`${name} can be played`, () => {
      assert.match(name, /^[a-z0-9-]+$/);
      assert.ok(pentest || scan);
      assert.ok(!refusal || !failure);
      const isRefusedForGood = refusal !== undefined && refusal.forMs === undefined;
      for (const acts of [pentest, scan]) assert.ok(!acts || acts.length > 0 === !isRefusedForGood);
      for (const act of [...(pentest ?? []), ...(scan ?? [])]) FromEngine.parse(toMessage(act));
    });

    it(`${name} answers what its endpoints may answer`, () => {
      const kinds = [...(pentest ? [endpoints.startPentest] : []), ...(scan ? [endpoints.startScan] : [])];
      for (const endpoint of kinds) {
        if (refusal) assert.ok(errorCodesOf(endpoint).includes(refusal.code), `${endpoint.path} ${refusal.code}`);
      }
    });
  }
});
