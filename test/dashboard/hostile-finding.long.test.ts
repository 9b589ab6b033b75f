import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createPeople, type People } from '@sortie/testing/dashboard/people.ts';
import { createRetestedRun } from '@sortie/testing/dashboard/retested-run.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const RIGHT_TO_LEFT = '\u202e';
const ISOLATE = '\u2067';

/** Runs `hit` wherever a page would take it for markup, a script, an address, a template or Markdown. */
const hostile = (field: string): string =>
  [
    `"'><script>hit('${field}')</script>`,
    `<img src=x onerror="hit('${field}')"><svg onload=hit('${field}')><iframe srcdoc="<script>parent.hit()</script>">`,
    `<a href="javascript:hit('${field}')">${field}</a> [${field}](javascript:hit('${field}')) \`<b onclick=hit()>\``,
    `\${hit('${field}')} {{constructor.constructor("hit('${field}')")()}} ${RIGHT_TO_LEFT}gnp.${ISOLATE}exe`,
  ].join(' ');

const references = [
  "javascript:hit('reference')",
  "JaVaScRiPt:hit('reference')",
  "java\nscript:hit('reference')",
  "data:text/html,<script>opener.hit('reference')</script>",
  'vbscript:hit',
  `https://reference.example/"onmouseover="hit('reference')"`,
];

/** As long as the service takes texts from an engine. */
const long = { text: 'A'.repeat(18_000), step: 'A'.repeat(4_000), name: 'A'.repeat(1_000) };

let world: World;
let people: People;
let ada: Person;
let run: string;
let findingId: string;

before(async () => {
  world = await createWorld();
  people = await createPeople(world);
  ada = await visitDashboard(world.server.baseUrl);
  await ada.page.addInitScript('globalThis.hits = []; globalThis.hit = (field) => { globalThis.hits.push(field); };');
  ada.page.on('dialog', (dialog) => {
    ada.faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  ada.page.on('popup', (popup) => ada.faults.push(`window: ${popup.url()}`));
  await ada.signUp('hostile@example.com');
  await world.admin.member.add({ account: people.accountId, user: 'hostile@example.com', role: 'OWNER' });
  const created = await createRetestedRun(world, people, 'http://127.0.0.1:9');
  run = `/accounts/${people.accountId}/runs/${created.runId}`;
  findingId = created.findingIds[0] ?? assert.fail('no finding');
  await spoil(created.runId);
});
after(async () => {
  await closeBrowser();
  await world.end();
});

/** Gives a finding a hostile text in every field, as a target could. */
async function spoil(runId: string): Promise<void> {
  const { queries } = world.testDatabase.database;
  const url = `https://shop.example/${encodeURIComponent(hostile('path'))}?q=${hostile('affectedUrl')}`;
  await queries
    .updateTable('pentest_finding')
    .set({
      ...{ title: hostile('title'), description: `${hostile('description')}\n${long.text}`, impact: hostile('impact') },
      ...{ remediation: hostile('remediation'), steps_to_reproduce: [hostile('step'), long.step], references },
      ...{ affected_url: url, method: hostile('method'), parameter: hostile('parameter'), check_id: hostile('check') },
      ...{ cvss_vector: hostile('cvss'), cvss4_vector: hostile('cvss4'), cvss_score: '9.9' },
      places: JSON.stringify(
        ['one', 'two'].map((name) => ({
          ...{ url: url + name, method: hostile('place'), parameter: long.name, location: 'query' },
          ...{ accounts: [hostile('account')], fingerprints: [name] },
        })),
      ),
    })
    .where('id', '=', findingId)
    .execute();
  const request = `GET /${hostile('request')} HTTP/1.1\r\nhost: 127.0.0.1:9\r\ncookie: '; $(hit) ; '\r\n\r\n`;
  const marked = { start: 0, end: 90 };
  await queries
    .insertInto('evidence')
    .values({
      ...{ pentest_id: runId, fingerprint: findingId, position: 0, label: hostile('label'), request },
      ...{ response: `HTTP/1.1 200 OK\r\n\r\n</pre></textarea>${hostile('response')}${long.text}` },
      highlights: JSON.stringify({ request: [marked], response: [marked, { start: -1, end: 2 ** 40 }] }),
      ...{ is_cut: true, is_control: false, is_decisive: true, is_repeatable: true },
    })
    .execute();
}

/** What a page must never contain, however a text was taken. */
const planted = [
  'main script, main iframe, main object, main embed, main form[action], main base, main meta',
  'img, [onerror], [onload], [onclick], [onmouseover], [srcdoc]',
  'a[href^="javascript" i], a[href^="data" i], a[href^="vbscript" i]',
].join(', ');

async function assertInert(): Promise<void> {
  const { page } = ada;
  assert.deepEqual(await page.evaluate('globalThis.hits'), [], page.url());
  const found = await page.locator(planted).evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML));
  assert.deepEqual(found, [], page.url());
  const text = (await page.locator('body').textContent()) ?? '';
  assert.ok(!/[\u202a-\u202e\u2066-\u2069]/.test(text), `${page.url()} shows text in another order`);
  assert.deepEqual(ada.faults, [], page.url());
}

describe('a finding whose every field is hostile', () => {
  it('is listed as text', async () => {
    const { page } = ada;
    for (const path of [run, `/accounts/${people.accountId}/findings`]) {
      await ada.open(path);
      await page.getByRole('link', { name: "<script>hit('title')</script>" }).waitFor();
      await assertInert();
      await ada.assertAccessible();
    }
    await ada.open(`/accounts/${people.accountId}`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByRole('region', { name: 'Needs you' }).waitFor();
    await assertInert();
  });

  it('is shown as text, in every field', async () => {
    const { page } = ada;
    await ada.open(`${run}/findings/${findingId}`);
    await page.getByRole('heading', { level: 1, name: "<script>hit('title')</script>" }).waitFor();
    await page.locator('mark').first().waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    for (const field of [
      ...['title', 'description', 'impact', 'remediation', 'step', 'affectedUrl', 'method', 'parameter', 'check'],
      ...['cvss', 'cvss4', 'place', 'account', 'request', 'response', 'label'],
    ]) {
      assert.ok(text.includes(`<script>hit('${field}')</script>`), field);
    }
    await assertInert();
    await ada.assertAccessible();
  });

  it('leads to http and https only, in a window that cannot reach this one', async () => {
    const links = await ada.page
      .locator('main a')
      .evaluateAll((anchors) => anchors.map((each) => [each.getAttribute('href'), each.getAttribute('rel')]));
    const outside = links.filter(([href]) => !href?.startsWith('/'));
    assert.deepEqual(
      outside.map(([href]) => new URL(href ?? '').host),
      ['reference.example'],
    );
    assert.ok(outside.every(([, rel]) => rel === 'noopener noreferrer'));
    for (const reference of references.slice(0, 5)) {
      await ada.page.getByText(reference, { exact: true }).first().waitFor();
    }
  });

  it('stays text in notes, and its list is saved as CSV', async () => {
    const { page } = ada;
    const note = `${hostile('note').replaceAll(RIGHT_TO_LEFT, '').replaceAll(ISOLATE, '')}`;
    await page.getByLabel('Note').fill(note);
    await page.getByRole('button', { name: 'Add note' }).click();
    const history = page.getByRole('list', { name: 'History, newest first' });
    const refusal = page.getByRole('main').getByRole('alert');
    await history.or(refusal).getByText("hit('note')").or(refusal).first().waitFor();
    assert.deepEqual(await refusal.allTextContents(), []);
    await history.getByText("hit('note')").waitFor();
    await page.reload();
    await page.getByRole('list', { name: 'History, newest first' }).getByText("hit('note')").waitFor();
    await assertInert();
    await ada.open(`/accounts/${people.accountId}/findings`);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    assert.match(saved.suggestedFilename(), /^sortie-findings\.csv$/);
    await assertInert();
  });
});
