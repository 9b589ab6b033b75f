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
  const OTHER = 'file next to it that was not uploaded';
  const variant = (kind: 'program' | 'page') => ({ kind, place: 'http://shop.test/files/NAME', file });
  const verdict = (kind: 'program' | 'page', opened: Given, beside: Record<string, Given> = {}) =>
    judge(
      uploads,
      { subject: item, variant: variant(kind) },
      {
        'uploaded file, requested': opened,
        [OTHER]: { status: 404 },
        ...beside,
      },
    );
  const computed = `${nonce.word} ${nonce.numbers[0] * nonce.numbers[1]}`;

  it('is a program where it has computed something, and nothing beside it has', () => {
    assert.equal(verdict('program', { body: computed }), 'PROVED');
    assert.equal(verdict('program', { body: computed }, { [OTHER]: { body: computed } }), 'REFUTED');
    assert.equal(verdict('program', { body: `${nonce.word} <?php echo 4321 * 8765; ?>` }), 'REFUTED');
    assert.equal(verdict('program', { body: computed }, { [OTHER]: undefined }), 'VOID');
  });

  it('is a page where its script has called, and nothing is known without a browser', () => {
    assert.equal(verdict('page', { calls: [nonce.word] }), 'PROVED');
    assert.equal(verdict('page', { calls: ['another word'] }), 'REFUTED');
    assert.equal(verdict('page', { body: nonce.word }), 'VOID');
  });

  it('is sent under a name and with a content that are new each time, and is replaced in the end', () => {
    const plan = uploads.proof.plan(item, variant('program'), nonce, { inventory: [], accounts: [] });
    const [sent, , opened, replaced] = plan.map(({ request }) => request);
    assert.match(String(sent?.body), new RegExp(`filename="${nonce.word}.php"[^]*echo 4321 \\* 8765;`));
    assert.equal(opened?.url, `http://shop.test/files/${nonce.word}.php`);
    assert.match(String(replaced?.body), new RegExp(`filename="${nonce.word}.php"[^]*\r\n\r\ntest\r\n`));
    assert.ok(plan.at(-1)?.change?.isCleanUp && plan[0]?.change?.leavesTraces);
  });
});

describe('a cookie that counts', () => {
  const verdict = (...values: (string | undefined)[]) => {
    const given = ['first', 'second', 'third', 'fourth'].map((round, index): [string, Given] => [
      `${round} time`,
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
  const verdict = (changes: Record<string, Given>) =>
    judge(
      users,
      { subject, variant: 'name' },
      {
        'random name': { body: '{}' },
        'test account': found,
        'another one': { body: '{}' },
        'test account, repeated': found,
        'a third one': { body: '{}' },
        ...changes,
      },
    );

  it('is told where names that nobody has are all answered alike, and the account is not', () => {
    assert.equal(verdict({}), 'PROVED');
    assert.equal(verdict({ 'a third one': found }), 'REFUTED');
    assert.equal(verdict({ 'test account, repeated': { body: '{}' } }), 'REFUTED');
    assert.equal(verdict({ 'test account': { status: 429 }, 'test account, repeated': { status: 429 } }), 'VOID');
    assert.equal(verdict({ 'another one': undefined }), 'VOID');
  });

  it('is asked only of what reads, and takes a name', () => {
    const known = { inventory: [], accounts: [{ name: 'alice', marks: ['alice@shop.test'] }] };
    assert.ok(users.appliesTo(subject, known));
    assert.ok(!users.appliesTo({ ...subject, item: { ...subject.item, method: 'POST' } }, known));
    assert.ok(!users.appliesTo({ ...subject, parameter: { ...parameter, name: 'mailbox' } }, known));
  });
});
