import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '@sortie/testing/database/database.ts';
import { createTestFolder, type TestFolder } from '@sortie/testing/server/data-folder.ts';
import { type MailServer, startMailServer } from '@sortie/testing/targets/mail-server.ts';
import { addMember, createAccount, createUser, inviteMember, revokeInvitation } from '../accounts/accounts.ts';
import { openAdmin } from '../admin/admin.ts';
import { listAudit } from '../audit/audit.ts';
import { defaultCatalogue } from '../billing/catalogue.ts';
import { inTransaction } from '../db/database.ts';
import { createLog } from '../platform/log.ts';
import { createSecret } from '../platform/secret.ts';
import { loadServiceSecrets, type ServiceKey } from '../secrets/service-secrets.ts';
import { createTransport, mailKeyOf, prepareMail, queueInvitation, requestReset, sendDueMail } from './mail.ts';

const PASSWORD = 'the password of the mail server';

let test: TestDatabase;
let folder: TestFolder;
let mailServer: MailServer;
let fingerprintKey: ServiceKey;
before(async () => {
  [test, folder, mailServer] = await Promise.all([
    createTestDatabase({ connections: 4 }),
    createTestFolder(),
    startMailServer(),
  ]);
  await mkdir(folder.data);
  const variables = { SORTIE_FINGERPRINT_KEY: undefined, SORTIE_VAULT_KEY: undefined };
  ({ fingerprintKey } = await loadServiceSecrets({ dataDir: folder.data, databaseUrl: undefined, variables }));
});
after(async () => {
  await mailServer.close();
  await test.drop();
  await folder.remove();
});
beforeEach(async () => {
  mailServer.mails.length = 0;
  await test.database.pool.query('delete from mail');
});

const prepare = () => prepareMail(test.database, mailKeyOf(fingerprintKey));
async function send(key = mailKeyOf(fingerprintKey)) {
  const { hostname, port } = new URL(mailServer.url);
  const login = { user: 'sortie', password: createSecret(PASSWORD) };
  const from = 'Sortie <sortie@example.com>';
  const transport = createTransport({ host: hostname, port: Number(port), tls: 'optional', login, from });
  await sendDueMail(test.database, { key, transport, log: createLog('error') });
}
const rows = async () => (await test.database.pool.query('select * from mail order by created_at')).rows;
const only = async () => {
  const all = await rows();
  assert.equal(all.length, 1);
  return all[0];
};
const makeDue = () => test.database.pool.query('update mail set due_at = clock_timestamp()');
let users = 0;
async function requestForUser(): Promise<string> {
  const email = `user-${users++}@example.com`;
  await inTransaction(test.database, (tx) => createUser(tx, { email, name: 'Ada', actor: 'operator' }));
  await requestReset(test.database, email);
  await prepare();
  return email;
}

describe('a mail', () => {
  it('is sealed while it waits, and only its address and state stay when it was sent', async () => {
    const email = await requestForUser();
    const waiting = await only();
    assert.doesNotMatch(JSON.stringify(waiting) + waiting.sealed.toString('latin1'), /reset-password|http/);
    await send();
    const { state, sealed, recipient, attempts } = await only();
    assert.deepEqual(
      { state, sealed, recipient, attempts },
      { state: 'SENT', sealed: null, recipient: email, attempts: 1 },
    );
    assert.match(mailServer.mails[0]?.text ?? '', /^http:\/\/localhost:4800\/reset-password#\w{32}$/m);
    assert.ok(mailServer.passwords.includes(PASSWORD));
  });

  it('is sent once, although several nodes send at once', async () => {
    for (let count = 0; count < 5; count++) await requestForUser();
    await Promise.all([send(), send(), send(), send()]);
    assert.equal(mailServer.mails.length, 5);
    assert.equal(new Set(mailServer.mails.map(({ to }) => to[0])).size, 5);
  });

  it('is tried again when the server refuses it for now, later each time, and the failure quotes nothing', async () => {
    const email = await requestForUser();
    for (const minutes of [1, 2, 4]) {
      mailServer.refusals.push(`450 4.2.1 later, ${email}`);
      await makeDue();
      const before = Date.now();
      await send();
      const { state, due_at, failure } = await only();
      assert.equal(state, 'WAITING');
      assert.ok(Math.abs(due_at - before - minutes * 60_000) < 30_000, `${due_at}`);
      assert.match(failure, /450/);
      assert.doesNotMatch(failure, /later|@/);
    }
    await send();
    assert.equal(mailServer.mails.length, 0, 'not before it is due');
    await makeDue();
    await send();
    assert.deepEqual([(await only()).state, mailServer.mails.length], ['SENT', 1]);
  });

  it('ends when the server refuses it for good', async () => {
    await requestForUser();
    mailServer.refusals.push('550 5.1.1 no such mailbox');
    await send();
    const { state, sealed } = await only();
    assert.deepEqual([state, sealed], ['REFUSED', null]);
  });

  it('waits while the server is away, and ends with its link', async () => {
    await requestForUser();
    await test.database.pool.query(`update mail set expires_at = clock_timestamp()`);
    await send();
    assert.equal(mailServer.mails.length, 0);
    await prepare();
    const { state, sealed } = await only();
    assert.deepEqual([state, sealed], ['EXPIRED', null]);
  });

  it('that another key has sealed is not sent', async () => {
    await requestForUser();
    const { fingerprintKey: other } = await loadServiceSecrets({
      dataDir: '',
      databaseUrl: 'given',
      variables: {
        SORTIE_FINGERPRINT_KEY: createSecret('ab'.repeat(32)),
        SORTIE_VAULT_KEY: createSecret('cd'.repeat(32)),
      },
    });
    await send(mailKeyOf(other));
    assert.deepEqual([(await only()).state, mailServer.mails.length], ['REFUSED', 0]);
  });

  it('to nobody is forgotten', async () => {
    await requestReset(test.database, 'nobody@example.com');
    await prepare();
    assert.deepEqual(await rows(), []);
  });
});

describe('the mail of an invitation', () => {
  it('is not sent once the invitation was revoked, and contains no link that its sender has chosen', async () => {
    const by = await inTransaction(test.database, async (tx) => {
      const owner = await createUser(tx, {
        email: 'owner@example.com',
        name: 'See http://evil.example',
        actor: 'operator',
      });
      const { id: accountId } = await createAccount(
        tx,
        { name: 'www.evil.example\nX', kind: 'organization', plan: 'free', actor: owner.id },
        defaultCatalogue,
      );
      await addMember(tx, { accountId, userId: owner.id, role: 'OWNER', allowance: null, actor: owner.id });
      return { accountId, actor: owner.id, actorRole: 'OWNER' as const };
    });
    const invite = (email: string) =>
      inTransaction(test.database, async (tx) => {
        const { invitation, link } = await inviteMember(tx, { ...by, email, role: 'MEMBER' });
        const names = { account: 'www.evil.example\nX', invitedBy: 'See http://evil.example' };
        await queueInvitation(tx, mailKeyOf(fingerprintKey), { invitation, link, ...names });
        return invitation.id;
      });
    const revoked = await invite('revoked@example.com');
    await invite('invited@example.com');
    await inTransaction(test.database, (tx) => revokeInvitation(tx, { ...by, invitationId: revoked }));
    await send();
    assert.deepEqual(
      mailServer.mails.map(({ to }) => to),
      [['invited@example.com']],
    );
    const text = mailServer.mails[0]?.text ?? '';
    assert.match(text, /invites you to the account "www\. evil\. example X" as member/);
    assert.doesNotMatch(text, /http:\/\/evil|evil\.example/);
  });
});

describe('admin mail list', () => {
  it('shows the text of mails that wait, and records who has read it', async () => {
    const admin = openAdmin({ connection: test.connection, catalogue: defaultCatalogue, dataDir: folder.data });
    await requestForUser();
    await send();
    const email = await requestForUser();
    const { mails } = await admin.mail.list({});
    await admin.close();
    assert.deepEqual(
      mails.map(({ state, recipient, text }) => [state, recipient === email, text !== null]),
      [
        ['WAITING', true, true],
        ['SENT', false, false],
      ],
    );
    assert.match(mails[0]?.text ?? '', /\/reset-password#\w{32}$/m);
    const entries = await listAudit(test.database.queries, { action: 'mail.read', limit: 10 });
    assert.deepEqual(
      entries.map(({ actor, subject, details }) => ({ actor, subject, details })),
      [{ actor: 'operator', subject: mails[0]?.id, details: { kind: 'PASSWORD_RESET' } }],
    );
  });
});
