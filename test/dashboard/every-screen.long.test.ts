import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { createTarget, grantCredits, start } from '@sortie/testing/world/starts.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

const read = (file: string) => readFileSync(new URL(`../../packages/web/src/app/${file}`, import.meta.url), 'utf8');
const pathsIn = (file: string) => [...read(file).matchAll(/\bpath: '([^']*)'/g)].map(([, path = '']) => path);

let world: World;
let ada: Person;
/** What stands for the parameters of paths. */
let ids: Record<string, string>;

before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('every-screen@example.com');
  const { id: accountId } = await world.admin.account.create({ name: 'Acme', kind: 'organization', plan: 'team' });
  await world.admin.member.add({ account: accountId, user: 'every-screen@example.com', role: 'OWNER' });
  await grantCredits(world.admin, { accountId }, 50_000);
  const member = await world.createMember({ accountId });
  const target = await createTarget(world.admin, member, 'https://sandbox.example/');
  const { baseUrl } = world.server;
  const asked = { ...target, targetUrl: 'https://released-findings.sandbox.example/', depth: 'LEAD' };
  const run = await start(baseUrl, '/v1/pentests', member, asked);
  const scan = await start(baseUrl, '/v1/scans', member, { url: 'https://scan-findings.sandbox.example/' });
  assert.deepEqual([run.status, scan.status], [201, 201], run.text + scan.text);
  ids = {
    accountId,
    runId: String(run.body?.id),
    scanId: String(scan.body?.id),
    verificationId: target.verificationId,
  };
  await open('scans/$scanId');
  await ada.page.getByRole('img', { name: /^Score / }).waitFor();
  await open('runs/$runId');
  await ada.page.getByText('15 findings').waitFor();
  const link = ada.page.locator('tbody a[href*="/findings/"]').first();
  ids.findingId = (await link.getAttribute('href'))?.split('/').at(-1) ?? assert.fail('no finding');
});
after(async () => {
  assert.deepEqual(ada.faults, []);
  await closeBrowser();
  await world.end();
});

const fill = (path: string) => path.replace(/\$(\w+)/g, (_, name: string) => ids[name] ?? assert.fail(name));
const open = (path: string) => ada.open(path.startsWith('/') ? path : fill(`/accounts/$accountId/${path}`));

/** The heading of each screen, by its path in the router. */
const screens: Record<string, string | RegExp> = {
  '/sign-in': 'Sign in to Sortie',
  '/sign-up': 'Sign up for Sortie',
  '/sign-in/code': 'Enter the code of your app',
  '/sign-in/link': 'Sign in with your link',
  '/reset-password': 'Set your password',
  '/forgot-password': 'Forgot your password?',
  '/invitation': 'Your invitation',
  '/device': 'Connect a program',
  '/accounts/$accountId': 'Home',
  runs: 'Runs',
  'runs/new': 'New run',
  'runs/$runId': /^Run on /,
  'runs/$runId/findings/$findingId': /./,
  findings: 'Findings',
  targets: 'Targets',
  'targets/$verificationId': 'https://sandbox.example',
  scans: 'Scans',
  'scans/$scanId': /^Scan of /,
  credits: 'Credits',
  settings: 'Settings',
};
/** They lead to others. */
const forwarding = ['/', '/to/$', 'settings/$tab'];

describe('every screen', () => {
  it('is in this list', () => {
    const paths = [...new Set(pathsIn('router.tsx'))].filter((path) => !forwarding.includes(path));
    assert.deepEqual(paths.toSorted(), Object.keys(screens).toSorted());
  });

  for (const [path, name] of Object.entries(screens)) {
    it(`${path} is accessible and fits a phone, in light and in dark`, async () => {
      const { page } = ada;
      await open(path === '/accounts/$accountId' ? fill(path) : path);
      await page.getByRole('heading', { name, level: 1 }).first().waitFor();
      await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
      await ada.assertAccessible();
    });
  }

  for (const tab of pathsIn('pages/settings/tabs.ts')) {
    it(`settings/${tab} is accessible and fits a phone, in light and in dark`, async () => {
      await open(`settings/${tab}`);
      await ada.page.getByRole('tab', { selected: true }).waitFor();
      await ada.page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' });
      await ada.assertAccessible();
    });
  }
});
