import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Depth, depths } from '@sortie/contract';
import { type InventoryItem, methods } from '../crawl/inventory/inventory.ts';
import { mayTest } from './may-test.ts';

function may(
  risk: 'harmless' | 'intrusive',
  depth: Depth,
  changes: Partial<InventoryItem>,
  isForLogins = false,
): boolean {
  const item: InventoryItem = {
    method: 'GET',
    url: 'http://shop.test/a',
    parameters: [],
    seenAs: null,
    contentType: '',
    ...changes,
  };
  return mayTest({ risk, isForLogins }, { item }, depth);
}

describe('a request', () => {
  it('is tested at the cheapest level only if it reads and the check is harmless', () => {
    const tested = methods.filter((method) => may('harmless', 'LEAD', { method }));
    assert.deepEqual(tested, ['GET', 'HEAD', 'OPTIONS']);
    assert.ok(may('harmless', 'LEAD', { method: 'POST', effect: 'reads' }));
    assert.ok(!may('intrusive', 'LEAD', { seenAs: 'alice' }));
  });

  it('that writes is tested from the next level on, with traces only as an account, and later as anybody', () => {
    assert.ok(may('harmless', 'STANDARD', { method: 'POST' }));
    assert.ok(!may('intrusive', 'STANDARD', { method: 'POST' }));
    assert.ok(may('intrusive', 'STANDARD', { method: 'POST', seenAs: 'alice' }));
    assert.ok(may('intrusive', 'DEEP', { method: 'POST' }));
  });

  it('that registers an account of the run is tested as visitors do, from the next level on', () => {
    const item: InventoryItem = {
      method: 'POST',
      url: 'http://shop.test/register',
      parameters: [],
      seenAs: null,
      contentType: '',
    };
    const mayRegister = (depth: Depth, changes: Partial<InventoryItem> = {}, registersOwn = true) =>
      mayTest({ risk: 'intrusive', namesOwn: true, registersOwn }, { item: { ...item, ...changes } }, depth);
    assert.ok(mayRegister('STANDARD'));
    assert.ok(!mayRegister('STANDARD', {}, false));
    assert.ok(!mayRegister('LEAD'));
    assert.ok(!mayRegister('STANDARD', { effect: 'endangers' }));
  });

  it('that cannot be taken back is tested only on what is ours, at no level otherwise', () => {
    const grave = [{ method: 'DELETE' as const }, { url: 'http://shop.test/logout' }, { effect: 'endangers' as const }];
    for (const depth of depths) {
      for (const changes of grave) assert.ok(!may('harmless', depth, { ...changes, seenAs: 'alice' }));
    }
    assert.ok(may('intrusive', 'STANDARD', { method: 'DELETE', isOurs: true }));
    assert.ok(!may('intrusive', 'LEAD', { method: 'DELETE', isOurs: true }));
  });

  it('that changes what existed before is tested at no level and by nobody', () => {
    const others: Partial<InventoryItem>[] = [
      { method: 'PUT', url: 'http://shop.test/items/5' },
      { method: 'POST', parameters: [{ location: 'form', name: 'id', value: '5' }] },
      { method: 'POST', url: 'http://shop.test/forgot' },
    ];
    for (const depth of depths) {
      for (const changes of others) {
        assert.ok(!may('harmless', depth, changes));
        assert.ok(!may('intrusive', depth, { ...changes, seenAs: 'alice' }));
      }
    }
    assert.ok(may('intrusive', 'STANDARD', { method: 'PATCH', url: 'http://shop.test/me', seenAs: 'alice' }));
  });

  it('that writes gets no test values where they decide where something is written', () => {
    const item = {
      method: 'POST' as const,
      url: 'http://shop.test/a',
      parameters: [],
      seenAs: 'alice',
      contentType: '',
    };
    const at = (name: string, effect: 'reads' | 'changes') =>
      mayTest(
        { risk: 'harmless' },
        { item: { ...item, effect }, parameter: { location: 'form', name, value: 'x' } },
        'STANDARD',
      );
    assert.ok(!at('folder', 'changes'));
    assert.ok(at('folder', 'reads'));
    assert.ok(at('title', 'changes'));
  });

  it('that logs in is tested by nothing but what tests logins, from the level on that writes', () => {
    const login = { method: 'POST' as const, effect: 'logsIn' as const };
    for (const depth of depths) assert.ok(!may('harmless', depth, { ...login, seenAs: 'alice' }));
    assert.ok(may('intrusive', 'STANDARD', login, true));
    assert.ok(!may('intrusive', 'LEAD', login, true));
    assert.ok(!may('intrusive', 'STANDARD', { effect: 'endangers' }, true));
    // Creates a user, perhaps.
    assert.ok(!may('intrusive', 'STANDARD', { method: 'POST', source: 'openapi' }, true));
    assert.ok(may('intrusive', 'STANDARD', { method: 'POST', source: 'form', seenAs: 'alice' }, true));
  });
});
