import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { observed } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem, Parameter } from '../crawl/inventory/inventory.ts';
import check from './checks/access/author-spoofing.ts';
import type { Known } from './define-active-check.ts';
import { answersTo } from './experiment.ts';
import { writerIn } from './shared/written-by.ts';

const owner: Parameter = { location: 'json', name: '/authorId', value: '1', type: 'number' };
const text: Parameter = { location: 'json', name: '/comment', value: 'Good' };
const item: InventoryItem = {
  method: 'POST',
  url: 'http://shop.test/comments',
  parameters: [owner, text],
  seenAs: 'alice',
  contentType: '',
  body: { type: 'application/json', text: '{"authorId":1,"comment":"Good"}' },
};
const known: Known = {
  inventory: [item],
  accounts: [
    { name: 'alice', marks: [], user: 'alice@shop.test', id: '23' },
    { name: 'bob', marks: [], user: 'bob@shop.test', id: '24' },
  ],
};
const nonce = { word: 'sword', numbers: [1, 2, 3] as const };
const written = { owner, text, isNamed: true };

/** Judges the check with these bodies as read back for the first and the second entry. */
function judge(first: object, second: object, variant = written) {
  const bodies = Object.entries({ own: {}, first, forged: {}, second });
  const observations = new Map(bodies.map(([key, body]) => [key, observed({ body: JSON.stringify(body) })]));
  const plan = check.proof.plan(item, variant, nonce, known);
  const answers = plan && answersTo(plan, observations);
  assert.ok(answers);
  return check.proof.judge(answers, variant, nonce, item, known);
}

describe('something in the name of another account', () => {
  it('is written with what the account is numbered by', () => {
    const plan = check.proof.plan(item, written, nonce, known);
    assert.deepEqual(
      Object.values(plan ?? {}).flatMap((planned) => planned?.request.body ?? []),
      ['{"authorId":23,"comment":"sworda"}', '{"authorId":24,"comment":"swordb"}'],
    );
  });

  it('is proved where it is kept so, and only then', () => {
    const own = { data: { id: 7, authorId: 23, comment: 'sworda' } };
    const forged = { data: { id: 8, authorId: 24, comment: 'swordb' } };
    assert.equal(judge(own, forged), 'PROVED');
    assert.equal(judge(own, { data: { ...forged.data, authorId: 23 } }), 'REFUTED');
    assert.equal(judge({ data: { ...own.data, authorId: 24 } }, forged), 'REFUTED');
    assert.equal(judge(own, { error: 'not yours' }), 'REFUTED');
  });

  it('is only likely where the account may be whom it is meant for', () => {
    const variant = { ...written, owner: { ...owner, name: '/userId' } };
    assert.equal(judge({ userId: 23, comment: 'sworda' }, { userId: 24, comment: 'swordb' }, variant), 'LIKELY');
  });

  it('is not tried where nothing says who the accounts are', () => {
    const accounts = known.accounts.map(({ name }) => ({ name, marks: [] }));
    assert.equal(check.appliesTo(item, known), true);
    assert.equal(check.appliesTo(item, { ...known, accounts }), false);
    assert.equal(check.appliesTo(item, { ...known, accounts: known.accounts.slice(0, 1) }), false);
  });

  it('is found among others of its kind', () => {
    const list = JSON.stringify({
      data: [
        { by: 'a', text: 'one' },
        { by: 'b', text: 'sword two' },
      ],
    });
    assert.equal(writerIn(list, 'sword', 'by'), 'b');
    assert.equal(writerIn(list, 'sword', 'author'), undefined);
    assert.equal(writerIn('no JSON', 'sword', 'by'), undefined);
  });
});
