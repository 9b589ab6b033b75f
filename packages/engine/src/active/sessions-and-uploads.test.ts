import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Given, judge, nonce } from '@sortie/testing/engine/judging.ts';
import type { InventoryItem, Parameter } from '../crawl/inventory/inventory.ts';
import sessions from './checks/login/predictable-session-id.ts';
import users from './checks/login/user-enumeration.ts';
import uploads from './checks/uploads/unrestricted-file-upload.ts';

const file: Parameter = { location: 'multipart', name: 'picture', value: 'test' };
const item: InventoryItem = {
  method: 'POST',
  url: 'http://shop.test/pictures',
  parameters: [file, { location: 'fileName', name: 'picture', value: 'test.txt' }],
  seenAs: 'alice',
  contentType: '',
};

describe('a file that was sent', () => {
  const variant = (kind: 'program' | 'page') => ({ kind, place: 'http://shop.test/files/NAME', file });
  const verdict = (kind: 'program' | 'page', open: Given, beside: { other?: Given } = {}) =>
    judge(uploads, { subject: item, variant: variant(kind) }, { upload: {}, open, other: { status: 404 }, ...beside });
  const computed = `${nonce.word} ${nonce.numbers[0] * nonce.numbers[1]}`;

  it('is a program where it has computed something, and nothing beside it has', () => {
    assert.equal(verdict('program', { body: computed }), 'PROVED');
    assert.equal(verdict('program', { body: computed }, { other: { body: computed } }), 'REFUTED');
    assert.equal(verdict('program', { body: `${nonce.word} <?php echo 4321 * 8765; ?>` }), 'REFUTED');
    assert.equal(verdict('program', { body: computed }, { other: undefined }), 'VOID');
    assert.equal(verdict('program', { body: computed }, { other: { isUnanswered: true } }), 'VOID');
  });

  it('is a page where its script has called, and nothing is known without a browser', () => {
    assert.equal(verdict('page', { calls: [nonce.word] }), 'PROVED');
    assert.equal(verdict('page', { calls: ['another word'] }), 'REFUTED');
    assert.equal(verdict('page', { body: nonce.word }), 'VOID');
  });

  it('is sent under a name and with a content that are new each time, and is replaced in the end', () => {
    const plan = uploads.proof.plan(item, variant('program'), nonce, { accounts: [] });
    assert.deepEqual(Object.keys(plan ?? {}), ['upload', 'other', 'open', 'replace']);
    assert.match(String(plan?.upload.request.body), new RegExp(`filename="${nonce.word}.php"[^]*echo 4321 \\* 8765;`));
    assert.equal(plan?.open.request.url, `http://shop.test/files/${nonce.word}.php`);
    assert.match(String(plan?.replace?.request.body), new RegExp(`filename="${nonce.word}.php"[^]*\r\n\r\ntest\r\n`));
    assert.ok(plan?.replace?.change?.isCleanUp && plan.upload.change.leavesTraces);
  });
});

describe('a cookie that counts', () => {
  const verdict = (...values: (string | undefined)[]) => {
    const given = ['first', 'second', 'third', 'fourth'].map((round, index): [string, Given] => [
      round,
      values[index] === undefined ? undefined : { headers: { 'Set-Cookie': `sid=${values[index]}; Path=/` } },
    ]);
    return judge(sessions, { subject: item, variant: 'sid' }, Object.fromEntries(given));
  };

  it('is likely to be guessed with the same step each time, and not with others', () => {
    assert.equal(verdict('7', '8', '9', '10'), 'LIKELY');
    assert.equal(verdict('7', '10', '13', '16'), 'LIKELY');
    assert.equal(verdict('7', '8', '9', '11'), 'REFUTED');
    assert.equal(verdict('7', '7', '7', '7'), 'REFUTED');
    assert.equal(verdict('7', '8', 'x', '10'), 'REFUTED');
    assert.equal(verdict('7', '8', '9', undefined), 'VOID');
  });
});

describe('whether somebody has an account', () => {
  const parameter: Parameter = { location: 'query', name: 'email', value: '' };
  const subject = { item: { ...item, method: 'GET' as const, parameters: [parameter] }, parameter };
  const found = { body: '{"question":"Your first pet?"}' };
  const none = { body: '{}' };
  const verdict = (changes: Partial<Record<'random' | 'own' | 'another' | 'ownAgain' | 'third', Given>>) =>
    judge(
      users,
      { subject, variant: 'name' },
      { random: none, own: found, another: none, ownAgain: found, third: none, ...changes },
    );

  it('is told where names that nobody has are all answered alike, and the account is not', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ third: found }), 'REFUTED');
    assert.equal(verdict({ ownAgain: { body: '{}' } }), 'REFUTED');
    assert.equal(verdict({ own: { status: 429 }, ownAgain: { status: 429 } }), 'VOID');
    assert.equal(verdict({ another: undefined }), 'VOID');
  });

  it('is asked only of what reads, and takes a name', () => {
    const known = { inventory: [], accounts: [{ name: 'alice', marks: ['alice@shop.test'] }] };
    assert.ok(users.appliesTo(subject, known));
    assert.ok(!users.appliesTo({ ...subject, item: { ...subject.item, method: 'POST' } }, known));
    assert.ok(!users.appliesTo({ ...subject, parameter: { ...parameter, name: 'mailbox' } }, known));
  });
});
