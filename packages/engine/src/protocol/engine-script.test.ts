import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EngineScript } from './engine-script.ts';
import { FromEngine } from './messages.ts';

describe('a script', () => {
  it('needs nothing, and then does nothing', () => {
    assert.deepEqual(EngineScript.parse({}), {
      steps: [],
      outcome: 'COMPLETED',
      summary: 'A script was played; nothing was tested.',
    });
  });

  it('goes through the phases forward only', () => {
    const phases = (...names: string[]) => EngineScript.safeParse({ steps: names.map((phase) => ({ phase })) }).success;
    assert.ok(phases('VERIFYING', 'RECON', 'RECON', 'REPORTING'));
    assert.ok(!phases('RECON', 'VERIFYING'));
    assert.ok(!phases('COMPLETED'));
  });

  it('refuses what it does not know', () => {
    assert.ok(!EngineScript.safeParse({ step: [] }).success);
    assert.ok(!EngineScript.safeParse({ steps: [{ phase: 'RECON', crash: { how: 'slowly', times: 1 } }] }).success);
  });
});

describe('a message of the engine', () => {
  const step = { type: 'step', name: 'RECON/1', phase: 'RECON', requests: 1, modelMicrodollars: 0, findings: [] };

  it('is believed when it has the shape of one', () => {
    assert.ok(FromEngine.safeParse(step).success);
  });

  for (const [what, wrong] of Object.entries({
    'a negative number of requests': { ...step, requests: -1 },
    'a fraction of a request': { ...step, requests: 0.5 },
    'another phase': { ...step, phase: 'COMPLETED' },
    'a member that is not known': { ...step, charged: 0 },
    'a name with a slash too many': { ...step, name: 'RECON/1/2' },
    'an outcome of its own': { type: 'over', outcome: 'QUEUED', summary: 'x' },
    'no type': { name: 'RECON/1' },
  })) {
    it(`is not believed with ${what}`, () => assert.ok(!FromEngine.safeParse(wrong).success));
  }
});
