import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { emptyFolder, type RunningCli, runCli, startCli } from '@sortie/testing/cli/cli.ts';
import { closeBrowser, type Person, visitDashboard } from '@sortie/testing/dashboard/browse.ts';
import { waitFor } from '@sortie/testing/server/up.ts';
import { createWorld, type World } from '@sortie/testing/world/world.ts';

let world: World;
let ada: Person;
let home: string;
before(async () => {
  world = await createWorld();
  ada = await visitDashboard(world.server.baseUrl);
  await ada.signUp('ada@example.com');
  home = emptyFolder();
});
after(async () => {
  await closeBrowser();
  await world.end();
  rmSync(home, { recursive: true });
});

const env = () => ({ XDG_CONFIG_HOME: home });
const button = (name: string) => ada.page.getByRole('button', { name, exact: true });

/** Starts `sortie login`, and resolves with it and the code that it shows. */
async function login(): Promise<{ cli: RunningCli; code: string }> {
  const cli = startCli(['login', '--browser', '--base-url', world.server.baseUrl], { env: env(), cwd: home });
  const shown = () => /\/device in a browser and enter the code (\S+)/.exec(cli.stderr())?.[1];
  await waitFor(() => shown() !== undefined, { what: () => `the code: ${cli.stderr()}` });
  return { cli, code: shown() ?? assert.fail() };
}

async function enter(code: string) {
  await ada.open('/device');
  await ada.page.getByLabel('Code').fill(code);
  await button('Continue').click();
  await ada.page.getByRole('heading', { name: 'Give this program an API key?' }).waitFor();
}

describe('sortie login', () => {
  it('gets a key that the person approves in the browser, and logout revokes it', async () => {
    const { cli, code } = await login();
    await ada.open('/device');
    await ada.page.getByRole('heading', { name: 'Connect a program' }).waitFor();
    await ada.assertAccessible();
    await ada.page.getByLabel('Code').fill('XXXX-XXXX');
    await button('Continue').click();
    await ada.page.getByText('No program waits with this code.').waitFor();
    await enter(code.toLowerCase());
    await ada.page.getByText(/sortie on .+ asks from 127\.0\.0\.1/).waitFor();
    await ada.assertAccessible();
    await ada.page.getByLabel('pentests:write').uncheck();
    await button('Approve').click();
    await ada.page.getByRole('heading', { name: 'Approved' }).waitFor();
    const { exitCode, stdout } = await cli.finished;
    assert.equal(exitCode, 0, cli.stderr());
    assert.match(stdout, /^Logged in to http/);
    const whoami = JSON.parse((await runCli(['whoami', '--json'], { env: env(), cwd: home })).stdout);
    assert.deepEqual(whoami.permissions, ['credits:read', 'scans:read', 'scans:write', 'pentests:read']);
    assert.equal((await runCli(['logout', '--revoke'], { env: env(), cwd: home })).exitCode, 0);
    const { rows } = await world.testDatabase.database.pool.query('select revoked_at from api_key');
    assert.deepEqual(
      rows.map(({ revoked_at }) => revoked_at !== null),
      [true],
    );
  });

  it('ends when the person denies', async () => {
    const { cli, code } = await login();
    await enter(code);
    await button('Deny').click();
    await ada.page.getByRole('heading', { name: 'Denied' }).waitFor();
    assert.equal((await cli.finished).exitCode, 4);
    assert.match(cli.stderr(), /denied in the browser/);
  });

  it('leads through a sign-in that is too old and back, on a phone too', async () => {
    const { cli, code } = await login();
    await world.testDatabase.database.pool.query(
      `update identity.session set "createdAt" = now() - interval '16 minutes'`,
    );
    await ada.page.setViewportSize({ width: 390, height: 800 });
    await ada.open('/device');
    await ada.page.getByLabel('Code').fill(code);
    await button('Continue').click();
    await ada.page.getByRole('link', { name: 'Sign in again' }).click();
    await ada.page.getByLabel('E-mail').fill('ada@example.com');
    await ada.page.getByLabel('Password').first().fill('a password of the tests');
    await button('Sign in').click();
    await ada.page.waitForURL(/\/device$/);
    await enter(code);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    assert.equal(await ada.page.evaluate(overflow), 0);
    await button('Approve').click();
    assert.equal((await cli.finished).exitCode, 0);
    assert.deepEqual(ada.faults, []);
  });
});
