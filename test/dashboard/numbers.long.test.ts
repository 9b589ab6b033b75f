import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { readPdf } from '@sortie/testing/reports/read-pdf.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type Member, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
let member: Member;
let released: string;
let rejected: string;

before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('numbers@example.com');
  const { id: accountId } = await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' });
  await world.admin.member.add({ account: accountId, user: 'numbers@example.com', role: 'OWNER' });
  await grantCredits(world.admin, { accountId }, 50_000);
  member = await world.createMember({ accountId, role: 'MEMBER' });
  const target = await createTarget(world.admin, { accountId }, 'https://sandbox.example/');
  await world.admin.target.assign({ id: target.verificationId, user: member.userId });
  const play = async (story: string, depth: string) => {
    const body = { ...target, targetUrl: `https://${story}.sandbox.example/`, depth };
    const { status, body: run, text } = await start(world.server.baseUrl, '/v1/pentests', member, body);
    assert.equal(status, 201, text);
    return String(run?.id);
  };
  released = await play('released-findings', 'LEAD');
  rejected = await play('review-pending', 'STANDARD');
  await open(`runs/${rejected}`);
  await ada.page.getByText('Testing finished, report in review').waitFor();
  const { id: reviewer } = await world.admin.user.create({ email: 'reviewer@example.com', staff: 'REVIEWER' });
  const reject = `update report_review set state = 'REJECTED', decided_at = service_now(), reviewer_id = $2
    where pentest_id = $1`;
  await sql(reject, rejected, reviewer);
  await open(`runs/${released}`);
  await ada.page.getByText('Report released').waitFor();
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const open = (path: string) => ada.open(`/accounts/${member.accountId}/${path}`);
const sql = (text: string, ...values: unknown[]) => world.testDatabase.database.pool.query(text, values);

async function download(button: string): Promise<Buffer> {
  const saved = ada.page.waitForEvent('download');
  await ada.page.getByRole('button', { name: button }).click();
  return readFile(await (await saved).path());
}

describe('a number', () => {
  it('of held credits leads to the runs that hold them', async () => {
    const { page } = ada;
    await open('credits');
    await page.getByRole('img', { name: /^Credits charged by month: / }).waitFor();
    await ada.assertAccessible();
    const held = page.locator('a[href$="runs?credits=held"]');
    assert.match((await held.textContent()) ?? '', /^Held[1-9]/);
    await held.click();
    await page.getByText('1 of 2 runs').waitFor();
    await page.getByRole('link', { name: 'https://review-pending.sandbox.example/' }).waitFor();
  });

  it('of charged credits leads to the operations of the run', async () => {
    const { page } = ada;
    await open(`runs/${released}`);
    await page.locator(`a[href*="credits?q=${released}"]`).click();
    await page.getByRole('heading', { name: 'Credits', exact: true }).waitFor();
    await page.getByText(/^\d+ of \d+ records$/).waitFor();
    for (const row of await page.locator('tbody tr[data-index]').all()) {
      assert.equal(await row.getByRole('link', { name: released }).count(), 1);
    }
  });

  it('of assigned targets leads to these targets', async () => {
    const { page } = ada;
    await createTarget(world.admin, member, 'https://other.example.test/');
    await open('settings/members');
    await page.locator(`a[href$="targets?member=${member.userId}"]`).click();
    await page.getByText('1 of 2 targets').waitFor();
    await page.getByRole('link', { name: 'https://sandbox.example' }).waitFor();
  });

  it('of credits that a key used leads to the operations of its runs', async () => {
    const { page } = ada;
    await open('settings/keys');
    await page.locator(`a[href*="credits?key=${member.apiKeyId}"]`).click();
    await page.getByText(/^[1-9]\d* of \d+ records$/).waitFor();
  });
});

describe('a report', () => {
  it('that the reviewer rejected is shown as such to the people of the account', async () => {
    const { page } = ada;
    await open('runs');
    const row = page.getByRole('row', { name: /review-pending/ });
    await row.getByText('Testing finished, report rejected by the reviewer').waitFor();
    await ada.assertAccessible();
    await row.getByRole('link').first().click();
    await page.getByText(/^The reviewer rejected the report on /).waitFor();
    await ada.assertAccessible();
  });

  it('is downloaded as a PDF that can be read', async () => {
    const { page } = ada;
    await open(`runs/${released}`);
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /^PDF/ }).click();
    const file = await saved;
    assert.match(file.suggestedFilename(), new RegExp(`^${released}-.*\\.pdf$`));
    const text = (await readPdf(await readFile(await file.path()))).toString();
    assert.match(text, /^%PDF-/);
    assert.ok(text.includes('released-findings.sandbox.example'));
  });
});

describe('a run that works', () => {
  it('shows what it has tested so far', async () => {
    const { page } = ada;
    const state = {
      coverage: [{ method: 'GET', url: 'https://shop.example/', as: null, cells: [[0, 1, 1]] }],
      coverageTerms: { groups: ['injection'], reasons: [], omitted: 0 },
      stopped: null,
    };
    const text = `update pentest set status = 'WEB_TEST', completed_at = null, engine_state = $2 where id = $1`;
    await sql(text, released, JSON.stringify(state));
    await open(`runs/${released}`);
    const coverage = page.locator('#coverage-so-far');
    await coverage.getByRole('row', { name: /Injection.*has not reached these tests/ }).waitFor();
    await ada.assertAccessible();
    await sql(`update pentest set status = 'COMPLETED', completed_at = service_now() where id = $1`, released);
    await coverage.waitFor({ state: 'detached' });
  });
});

describe('the audit log', () => {
  it('is sorted, filtered by time, and saved with every entry that matches', async () => {
    const { page } = ada;
    for (let number = 0; number < 60; number++) {
      await world.admin.member.setAllowance({
        account: member.accountId,
        user: member.userId,
        allowance: String(number + 1),
      });
    }
    await open('settings/audit?action=member.allowance-set');
    await page.getByRole('row', { name: /to: 60/ }).waitFor();
    await ada.assertAccessible();
    await page.getByRole('combobox', { name: 'Order' }).click();
    await page.getByRole('option', { name: 'Oldest first' }).click();
    await page
      .locator('tbody tr')
      .first()
      .getByText(/to: 1$/)
      .waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('row', { name: /to: 60/ }).waitFor();
    const lines = (await download('CSV')).toString().trim().split('\r\n');
    assert.equal(lines.length, 61);
    assert.match(lines[1] ?? '', /to: 1"?$/);
    await page.getByLabel('Before (UTC)').fill('2020-01-01');
    await page.getByText('Nothing has happened that matches the filter.').waitFor();
    assert.match(page.url(), /to=2020-01-01/);
    assert.deepEqual(ada.faults, []);
  });
});
