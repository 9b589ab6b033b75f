import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createPeople, type People } from '@sortie/testing/dashboard/people.ts';
import { assertRefusedInDashboard, createVisitor, PASSWORD, type Visitor } from '@sortie/testing/http/visitor.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { type MailServer, startMailServer } from '@sortie/testing/targets/mail-server.ts';
import { type MailQueue, openMailQueue } from '@sortie/testing/world/mail-queue.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const MAIL_PASSWORD = 'the password of the mail server';

let world: World;
let people: People;
let mailServer: MailServer;
let queue: MailQueue;
before(async () => {
  mailServer = await startMailServer();
  world = await createWorld({
    env: {
      SORTIE_SMTP_URL: mailServer.url.replace('://', '://sortie@'),
      SORTIE_SMTP_PASSWORD: MAIL_PASSWORD,
      SORTIE_MAIL_FROM: 'Sortie <sortie@example.com>',
    },
  });
  people = await createPeople(world);
  queue = await openMailQueue(world.testDatabase.database, mailServer.url);
});
after(async () => {
  await world.end();
  await mailServer.close();
});
/** All tests have one address, whose requests are limited. */
beforeEach(async () => {
  await world.testDatabase.database.pool.query('delete from identity."rateLimit"');
  await world.testDatabase.database.pool.query('delete from rate_counter');
});

const visit = () => createVisitor(world.server.baseUrl);
const ask = (email: string, visitor = visit()) =>
  visitor.call('/api/password-reset', { method: 'POST', body: { email } });
const setPassword = (token: string, newPassword: string) =>
  visit().call('/api/auth/reset-password', { method: 'POST', body: { token, newPassword } });
const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email));
const tokensIn = ({ text }: { text: string }, page: string) =>
  [...text.matchAll(new RegExp(`http://localhost:\\d+/${page}#(\\w{32})$`, 'gm'))].map(([, token = '']) => token);
const rows = async (table: string) =>
  (await world.testDatabase.database.pool.query(`select row_to_json(t)::text as row from ${table} t`)).rows
    .map(({ row }) => row as string)
    .join('\n');

async function receiveToken(email: string, count = 1): Promise<string> {
  await queue.work();
  await waitFor(() => mailsTo(email).length >= count, { what: `mail ${count} to ${email}` });
  const [token] = tokensIn(mailsTo(email).at(-1) ?? assert.fail(), 'reset-password');
  return token ?? assert.fail('the mail has no link');
}

async function signUp(email: string): Promise<Visitor> {
  const visitor = visit();
  assert.equal((await visitor.signUp(email)).status, 200);
  return visitor;
}

describe('a password reset', () => {
  it('mails a link that sets a password once, and ends all sessions and other links', async () => {
    const ada = await signUp('ada@example.com');
    assert.deepEqual((await ask('Ada@Example.com')).body, { requested: true });
    const first = await receiveToken('ada@example.com');
    await ask('ada@example.com');
    const second = await receiveToken('ada@example.com', 2);
    const [mail] = mailsTo('ada@example.com');
    assert.deepEqual([mail?.from, mail?.to], ['sortie@example.com', ['ada@example.com']]);
    assert.equal((await setPassword(first, 'a password of their own')).status, 200);
    assertRefusedInDashboard(await ada.call('/api/me'), 'UNAUTHORIZED');
    for (const token of [first, second])
      assertRefusedInDashboard(await setPassword(token, PASSWORD), 'VALIDATION_ERROR');
    assertRefusedInDashboard(await visit().signIn('ada@example.com'), 'UNAUTHORIZED');
    assert.equal((await visit().signIn('ada@example.com', 'a password of their own')).status, 200);
    assert.match(await rows('audit_entry'), /"user\.password-reset"/);
  });

  it('ends a sign-in under way with the former password, also one that waits for its code', async () => {
    const { pool } = world.testDatabase.database;
    await pool.query(`
      create function identity.hold() returns trigger language plpgsql
        as $$ begin perform pg_advisory_xact_lock_shared(4242); return new; end $$;
      create trigger hold before insert on identity.session for each row execute function identity.hold()`);
    for (const hasCode of [false, true]) {
      const email = `race-${hasCode}@example.com`;
      await signUp(email);
      await ask(email);
      const token = await receiveToken(email);
      if (hasCode) await pool.query(`update identity."user" set "twoFactorEnabled" = true where email = $1`, [email]);
      const holder = await pool.connect();
      await holder.query('select pg_advisory_lock(4242)');
      const intruder = visit();
      const signIn = intruder.signIn(email);
      await waitFor(
        async () =>
          (await pool.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount === 1,
        { what: 'the sign-in to wait for its session' },
      );
      assert.equal((await setPassword(token, 'a password of their own')).status, 200);
      await holder.query('select pg_advisory_unlock(4242)');
      holder.release();
      assertRefusedInDashboard(await signIn, 'UNAUTHORIZED');
      assert.equal(intruder.cookie(), '');
      const { rows } = await pool.query(
        `select from identity.session where "userId" = (select id from identity."user" where email = $1)`,
        [email],
      );
      assert.deepEqual(rows, []);
      const later = await visit().signIn(email, 'a password of their own');
      assert.equal(later.status, 200, later.text);
    }
    await pool.query('drop trigger hold on identity.session');
  });

  it('answers alike for an unknown address, to which no mail goes', async () => {
    await signUp('known@example.com');
    const [known, unknown] = [await ask('known@example.com'), await ask('unknown@example.com')];
    assert.deepEqual([unknown.status, unknown.text], [known.status, known.text]);
    await receiveToken('known@example.com');
    assert.ok(!(await rows('mail')).includes('unknown@example.com'));
    assert.deepEqual(mailsTo('unknown@example.com'), []);
  });

  it('looks for the user after the answer, so that its time tells nothing', async () => {
    const { database } = world.testDatabase;
    await signUp('locked-row@example.com');
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('lock table identity."user" in access exclusive mode');
    const answers = await Promise.all([ask('locked-row@example.com'), ask('nobody-there@example.com')]);
    await client.query('rollback');
    client.release();
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
  });

  it('is refused from the fourth request for an address in an hour on, known or not', async () => {
    await signUp('often@example.com');
    for (const email of ['often@example.com', 'never@example.com']) {
      for (let count = 0; count < 3; count++) assert.equal((await ask(email)).status, 200);
      assertRefusedInDashboard(await ask(email.toUpperCase()), 'RATE_LIMITED');
    }
  });

  it('leaves no token in the log or the database, nor the password of the mail server', async () => {
    await signUp('traces@example.com');
    await ask('traces@example.com');
    const token = await receiveToken('traces@example.com');
    await waitFor(
      async () => /"SENT"/.test(await rows(`(select * from mail where recipient = 'traces@example.com')`)),
      {
        what: 'the mail to be marked as sent',
      },
    );
    const stored = [await rows('mail'), await rows('identity.verification'), await rows('audit_entry')].join('\n');
    for (const secret of [token, MAIL_PASSWORD]) assert.ok(!(stored + world.server.log()).includes(secret));
    const { rows: sealed } = await world.testDatabase.database.pool.query(
      `select sealed from mail where recipient = 'traces@example.com'`,
    );
    assert.deepEqual(sealed, [{ sealed: null }]);
  });
});

describe('an invitation', () => {
  const invite = (email: string) =>
    people.OWNER.call(`/api/accounts/${people.accountId}/invitations`, {
      method: 'POST',
      body: { email, role: 'MEMBER' },
    });

  it('is mailed, with a link that works', async () => {
    const { body, text } = await invite('guest@example.com');
    assert.equal(body?.isMailed, true, text);
    await queue.work();
    await waitFor(() => mailsTo('guest@example.com').length === 1, { what: 'the invitation' });
    const [mail] = mailsTo('guest@example.com');
    const [token] = tokensIn(mail ?? assert.fail(), 'invitation');
    const shown = await visit().call('/api/invitations/read', { method: 'POST', body: { token } });
    assert.equal(shown.body?.email, 'guest@example.com');
    assert.doesNotMatch(mail?.text ?? '', /^Subject:.*(?:Acme|Ada)/m);
  });

  it('is mailed to one address five times a day, by all inviters together, and then only shown to its sender', async () => {
    const others = await createPeople(world);
    const inviters = [people, others, people, others, people, others];
    const mailed: unknown[] = [];
    for (const [index, { OWNER, accountId }] of inviters.entries()) {
      const email = index % 2 === 0 ? 'flooded@example.com' : 'Flooded@Example.com';
      const path = `/api/accounts/${accountId}/invitations`;
      const { body, text } = await OWNER.call(path, { method: 'POST', body: { email, role: 'MEMBER' } });
      assert.match(String(body?.link), /#\w{32}$/, text);
      mailed.push(body?.isMailed);
    }
    assert.deepEqual(mailed, [true, true, true, true, true, false]);
    assert.equal((await rows('mail')).match(/flooded@example\.com/g)?.length, 5);
  });

  it('is refused to an account that has sent 200 within a day', async () => {
    await invite('one@example.com');
    const { rowCount } = await world.testDatabase.database.pool.query(
      `update rate_counter set requests = 200 where counter = $1`,
      [`invitations:${people.accountId}`],
    );
    assert.equal(rowCount, 1);
    const refused = await invite('two@example.com');
    assertRefusedInDashboard(refused, 'RATE_LIMITED');
    assert.ok(Number(refused.headers['retry-after']) > 86_000);
  });
});
