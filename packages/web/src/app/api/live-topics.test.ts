import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isConcerned } from './live-topics.ts';

const accountId = 'acc_1';

describe('a change', () => {
  it('of a run concerns that run and the lists of runs, no other run', () => {
    const changes = [{ topic: 'runs' as const, id: 'pen_1' }];
    assert.ok(isConcerned(['getPentest', { accountId, id: 'pen_1' }, {}], changes));
    assert.ok(isConcerned(['listPentests', { accountId }, {}, 'all'], changes));
    assert.ok(!isConcerned(['getPentest', { accountId, id: 'pen_2' }, {}], changes));
    assert.ok(!isConcerned(['listScans', { accountId }, {}], changes));
  });

  it('of the progress of a run concerns no list of runs', () => {
    const changes = [{ topic: 'progress' as const, id: 'pen_1' }];
    assert.ok(!isConcerned(['listPentests', { accountId }, {}, 'all'], changes));
    assert.ok(isConcerned(['listPentestFindings', { accountId, id: 'pen_1' }, {}, 'all'], changes));
  });

  it('of what the person may see concerns everything', () => {
    assert.ok(isConcerned(['listLevels', { accountId }, {}], [{ topic: 'access', id: null }]));
  });

  it('that this page does not know concerns nothing', () => {
    assert.ok(!isConcerned(['listKeys', { accountId }, {}], [{ topic: 'weather' as 'keys', id: null }]));
  });
});
