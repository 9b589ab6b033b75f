import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Log } from '../platform/log.ts';
import type { OwnUsers } from '../platform/own-users.ts';
import { isolateEngine } from './engine-isolation.ts';

describe('the isolation of an engine', () => {
  it('is logged if it shares its user because no other is free', async () => {
    const warnings: string[] = [];
    const nothing = () => undefined;
    const log: Log = { debug: nothing, info: nothing, error: nothing, warn: (message) => void warnings.push(message) };
    const users: OwnUsers = { take: nothing, giveBack: nothing, release: nothing };
    const shared = isolateEngine({ user: undefined, users, log });
    await shared.clear();
    assert.equal(existsSync(shared.folder), false);
    assert.deepEqual(warnings, ['an engine shares its user with others: no separate user is free']);
    await isolateEngine({ user: undefined, log }).clear();
    assert.equal(warnings.length, 1);
  });
});
