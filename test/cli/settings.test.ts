import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CliOptions, emptyFolder, runCli } from '@sortie/testing/cli/cli.ts';
import {
  refusal,
  type Script,
  type ScriptedService,
  startScriptedService,
} from '@sortie/testing/cli/scripted-service.ts';

let service: ScriptedService;
const folders: string[] = [];
before(async () => {
  service = await startScriptedService();
});
after(async () => {
  await service.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const KEY = 'srt_test_abcdefghijkl_secretsecretsecret7Q2k';

const balance: Script = ({ headers }) =>
  headers.authorization === `Bearer ${KEY}`
    ? {
        body: {
          available: 7,
          held: 0,
          plan: 0,
          purchased: 7,
          nextExpiry: null,
          keyBudget: null,
          memberAllowance: null,
        },
      }
    : refusal(401, 'UNAUTHORIZED');

/** Somebody at home in an empty folder. */
function person() {
  const cwd = emptyFolder();
  folders.push(cwd);
  const userFile = path.join(cwd, 'sortie', 'config.yml');
  const sortie = (args: readonly string[], { env = {}, ...options }: CliOptions = {}) =>
    runCli(args, { cwd, env: { XDG_CONFIG_HOME: cwd, ...env }, ...options });
  return { cwd, userFile, sortie };
}

describe('sortie login', { concurrency: 2 }, () => {
  it('stores a valid key for one address, for its owner alone, and uses it from then on', async () => {
    const { userFile, sortie } = person();
    const { baseUrl } = service.play(balance);
    const { exitCode, stdout, stderr } = await sortie(['login', '--base-url', baseUrl], { input: `${KEY}\n` });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /^Logged in to http:.* with the key …7Q2k, stored in .*config\.yml\n$/);
    assert.equal(statSync(userFile).mode & 0o777, 0o600);
    assert.match((await sortie(['credits'])).stdout, /^Available +7 /);
    const elsewhere = service.play(balance);
    const other = await sortie(['credits', '--base-url', elsewhere.baseUrl]);
    assert.deepEqual([other.exitCode, elsewhere.asked.length], [4, 0]);
    assert.match(other.stderr, /\[NO_API_KEY\]\n {2}Run "npx sortie login"/);
    const listed = await sortie(['config', 'list']);
    assert.match(listed.stdout, /^apiKey +…7Q2k {2}\(.*config\.yml\)$/m);
    assert.ok(!(listed.stdout + stdout + stderr).includes('secret7Q2k'));
    chmodSync(userFile, 0o644);
    const open = await sortie(['credits']);
    assert.equal(open.exitCode, 2);
    assert.match(open.stderr, /accessible to other users\. Run: chmod 600 /);
  });

  it('does not store a key that the service does not know, or that is none', async () => {
    const { userFile, sortie } = person();
    const { baseUrl } = service.play(balance);
    const wrong = await sortie(['login', '--base-url', baseUrl, '--json'], { input: 'srt_test_other' });
    assert.deepEqual([wrong.exitCode, JSON.parse(wrong.stdout).code], [4, 'UNAUTHORIZED']);
    const none = await sortie(['login', '--base-url', baseUrl], { input: '' });
    assert.equal(none.exitCode, 2);
    assert.throws(() => statSync(userFile));
  });
});

describe('sortie login in the browser', { concurrency: 3 }, () => {
  const started = {
    deviceCode: 'the device code',
    userCode: 'WDJB-MJHT',
    verificationUrl: 'https://sortie.example/device',
    expiresInSeconds: 600,
    intervalSeconds: 0.01,
  };
  /** A service whose person decides between two requests for the outcome. */
  const decides =
    (...outcomes: object[]): Script =>
    (asked, before) => {
      if (asked.path === '/api/device-logins') return { status: 201, body: started };
      if (asked.path !== '/api/device-logins/poll') return balance(asked, before);
      const nothing = { state: 'PENDING', key: null, account: null };
      return { body: outcomes[before] ?? nothing };
    };
  const approved = { state: 'APPROVED', key: KEY, account: { id: 'acc_1', name: 'Acme' } };

  it('prints address and code, waits for the approval and stores the key', async () => {
    const { userFile, sortie } = person();
    const { baseUrl, asked } = service.play(decides({ state: 'PENDING' }, { state: 'PENDING' }, approved));
    const { exitCode, stdout, stderr } = await sortie(['login', '--browser', '--base-url', baseUrl, '--quiet']);
    assert.equal(exitCode, 0, stderr);
    assert.match(stderr, /^Open https:\/\/sortie\.example\/device in a browser and enter the code WDJB-MJHT$/m);
    assert.match(stdout, /^Logged in to http:.* with the key …7Q2k/);
    assert.ok(!(stdout + stderr).includes('the device code') && !(stdout + stderr).includes(KEY));
    assert.equal(statSync(userFile).mode & 0o777, 0o600);
    const polls = asked.filter(({ path }) => path.endsWith('/poll'));
    assert.deepEqual([polls.length, polls[0]?.body], [3, { deviceCode: 'the device code' }]);
    assert.match(JSON.stringify(asked[0]?.body), /^\{"name":"sortie on .+"\}$/);
    assert.match((await sortie(['credits'])).stdout, /^Available +7 /);
  });

  it('stores nothing when the person denies or is late, and says so', async () => {
    for (const [state, why] of [
      ['DENIED', /denied in the browser/],
      ['EXPIRED', /in time/],
    ] as const) {
      const { userFile, sortie } = person();
      const { baseUrl } = service.play(decides({ state }));
      const { exitCode, stdout } = await sortie(['login', '--browser', '--base-url', baseUrl, '--json']);
      assert.deepEqual([exitCode, JSON.parse(stdout).code], [4, state]);
      assert.match(JSON.parse(stdout).message, why);
      assert.throws(() => statSync(userFile));
    }
  });

  it('is refused for the address of a project, whose page may be passed off as that of another service', async () => {
    const { cwd, sortie } = person();
    const { baseUrl, asked } = service.play(decides(approved));
    writeFileSync(path.join(cwd, 'sortie.yml'), `baseUrl: ${baseUrl}\n`);
    const { exitCode, stderr } = await sortie(['login', '--browser']);
    assert.deepEqual([exitCode, asked.length], [2, 0], stderr);
  });

  it('says what to do with a service that has no such sign-in', async () => {
    const { sortie } = person();
    const { baseUrl } = service.play(() => refusal(404, 'NOT_FOUND'));
    const { exitCode, stderr } = await sortie(['login', '--browser', '--base-url', baseUrl]);
    assert.equal(exitCode, 5);
    assert.match(stderr, /login --paste/);
  });
});

describe('sortie logout', () => {
  it('revokes the key first if asked, and keeps it when that fails', async () => {
    const { sortie } = person();
    let isDown = true;
    const { baseUrl, asked } = service.play((one, before) => {
      if (one.path !== '/api/keys/revoke') return balance(one, before);
      return isDown ? refusal(500, 'INTERNAL_ERROR') : { body: { revoked: true } };
    });
    await sortie(['login', '--base-url', baseUrl], { input: KEY });
    const failed = await sortie(['logout', '--revoke']);
    assert.equal(failed.exitCode, 8, failed.stderr);
    assert.equal((await sortie(['credits'])).exitCode, 0);
    isDown = false;
    const { stdout, stderr } = await sortie(['logout', '--revoke', '--json']);
    assert.deepEqual([JSON.parse(stdout).revoked, JSON.parse(stdout).removed], [true, true], stderr);
    assert.deepEqual(asked.at(-1)?.body, { key: KEY });
    assert.ok(!(stdout + stderr + failed.stderr).includes(KEY));
  });

  it('removes the stored key of one address, and leaves other addresses and settings alone', async () => {
    const { userFile, sortie } = person();
    const [here, there] = [service.play(balance), service.play(balance)];
    for (const { baseUrl } of [there, here]) await sortie(['login', '--base-url', baseUrl], { input: KEY });
    const { exitCode, stdout, stderr } = await sortie(['logout']);
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /^Logged out of http:.*: API key removed from .*config\.yml\n$/);
    assert.match(stderr, /The key is still valid/);
    assert.equal((await sortie(['credits'])).exitCode, 4);
    assert.equal((await sortie(['credits', '--base-url', there.baseUrl])).exitCode, 0);
    assert.equal(statSync(userFile).mode & 0o777, 0o600);
    const again = await sortie(['logout', '--json'], { env: { SORTIE_API_KEY: KEY } });
    assert.equal(JSON.parse(again.stdout).removed, false);
    assert.match(again.stderr, /SORTIE_API_KEY is still set/);
  });
});

describe('settings', { concurrency: 2 }, () => {
  it('come from flags, then the environment, then the project, then the user', async () => {
    const { cwd, userFile, sortie } = person();
    const get = async (env: Record<string, string> = {}) => {
      const { stdout } = await sortie(['config', 'get', 'baseUrl', '--json'], { env });
      const { value, source } = JSON.parse(stdout).settings.baseUrl;
      return [value, source];
    };
    assert.deepEqual(await get(), ['http://127.0.0.1:4800', 'default']);
    await sortie(['config', 'set', 'baseUrl', 'http://user.example/']);
    assert.deepEqual(await get(), ['http://user.example', userFile]);
    writeFileSync(path.join(cwd, 'sortie.yml'), '# ours\nbaseUrl: http://project.example\n');
    assert.deepEqual(await get(), ['http://project.example', 'sortie.yml']);
    const env = { SORTIE_BASE_URL: 'http://environment.example/below/' };
    assert.deepEqual(await get(env), ['http://environment.example/below', 'SORTIE_BASE_URL']);
    const { baseUrl, asked } = service.play(balance);
    await sortie(['credits', '--base-url', baseUrl], { env: { ...env, SORTIE_API_KEY: KEY } });
    assert.equal(asked.length, 1);
    assert.equal((await sortie(['config', 'set', 'gate.failOn', 'low', '--project'])).exitCode, 0);
    const project = readFileSync(path.join(cwd, 'sortie.yml'), 'utf8');
    assert.equal(project, '# ours\nbaseUrl: http://project.example\ngate:\n  failOn: low\n');
    assert.equal((await sortie(['config', 'get', 'gate.failOn'])).stdout, 'low\n');
    assert.equal((await sortie(['config', 'unset', 'gate.failOn', '--project'])).exitCode, 0);
    assert.equal((await sortie(['config', 'get', 'gate.failOn'])).exitCode, 2);
    assert.match((await sortie(['config', 'path'])).stdout, new RegExp(`^user +${userFile}\nproject +sortie\\.yml\n$`));
  });

  for (const [name, text] of Object.entries({
    'an API key': `apiKey: ${KEY}\n`,
    'a password': 'credentials:\n  - { name: a, user: b, pass: c }\n',
    'a key under another name': `target: https://a.example/?${KEY}\n`,
  })) {
    it(`of a project must not hold ${name}`, async () => {
      const { cwd, sortie } = person();
      writeFileSync(path.join(cwd, 'sortie.yml'), text);
      const { exitCode, stderr } = await sortie(['credits']);
      assert.equal(exitCode, 2);
      assert.match(stderr, /^error: sortie\.yml must not contain keys or passwords/);
      assert.ok(!stderr.includes(KEY));
    });
  }

  it('that nobody knows are refused, and so is what is no YAML', async () => {
    const { cwd, sortie } = person();
    writeFileSync(path.join(cwd, 'sortie.yml'), 'tarket: https://a.example/\n');
    assert.match((await sortie(['credits'])).stderr, /tarket is not a setting\. Settings: baseUrl, target/);
    writeFileSync(path.join(cwd, 'sortie.yml'), 'target: [\n');
    const broken = await sortie(['credits', '--json']);
    assert.deepEqual([broken.exitCode, JSON.parse(broken.stdout).schema], [2, 'sortie.error/1']);
  });

  it('that send the key over a network without encryption are warned about', async () => {
    const { sortie } = person();
    const { baseUrl } = service.play(balance);
    // It leads to this machine as well, but nobody can tell by its looks.
    const env = { SORTIE_BASE_URL: baseUrl.replace('127.0.0.1', '0.0.0.0'), SORTIE_API_KEY: KEY };
    const { exitCode, stderr } = await sortie(['credits'], { env });
    assert.deepEqual(
      [exitCode, stderr],
      [0, 'Warning: the API key is sent unencrypted, because the base URL is http://. Use https://.\n'],
    );
  });

  it('name a file that holds the key', async () => {
    const { cwd, sortie } = person();
    const { baseUrl } = service.play(balance);
    mkdirSync(path.join(cwd, 'secrets'));
    const file = path.join(cwd, 'secrets', 'key');
    writeFileSync(file, `${KEY}\n`);
    const env = { SORTIE_BASE_URL: baseUrl, SORTIE_API_KEY_FILE: file };
    assert.equal((await sortie(['credits'], { env })).exitCode, 0);
    const { exitCode, stderr } = await sortie(['credits', '--api-key-file', '-', '--debug'], { env, input: KEY });
    assert.equal(exitCode, 0);
    assert.match(stderr, /^debug: GET http:.*\/v1\/credits\/balance 200 in \d+ ms/);
    assert.ok(!stderr.includes(KEY));
  });
});

describe('an address that only the project names', { concurrency: 2 }, () => {
  function strange() {
    const { cwd, sortie } = person();
    const { baseUrl, asked } = service.play(balance);
    writeFileSync(path.join(cwd, 'sortie.yml'), `baseUrl: ${baseUrl}\n`);
    writeFileSync(path.join(cwd, 'key'), KEY);
    return { cwd, sortie, baseUrl, asked };
  }
  const given = { SORTIE_API_KEY: KEY };

  for (const [name, args, options] of [
    ['SORTIE_API_KEY', ['credits'], { env: given }],
    ['SORTIE_API_KEY_FILE', ['credits'], { env: { SORTIE_API_KEY_FILE: 'key' } }],
    ['--api-key-file', ['credits', '--api-key-file', 'key'], {}],
    ['SORTIE_API_KEY', ['api', 'GET', '/v1/credits/balance'], { env: given }],
  ] as const) {
    it(`gets no key of ${name} by "sortie ${args.join(' ')}"`, async () => {
      const { sortie, asked } = strange();
      const { exitCode, stderr } = await sortie(args, options);
      assert.deepEqual([exitCode, asked.length], [2, 0], stderr);
      assert.match(
        stderr,
        new RegExp(`^error: The API key from ${name} is not sent to http:.*--base-url or SORTIE_BASE_URL`),
      );
    });
  }

  it('gets no key that is piped into login', async () => {
    const { sortie, asked, baseUrl } = strange();
    for (const more of [[], ['--api-key-file', 'key']]) {
      const { exitCode, stderr } = await sortie(['login', ...more], { input: KEY });
      assert.deepEqual([exitCode, asked.length], [2, 0], stderr);
    }
    assert.equal((await sortie(['login', '--base-url', baseUrl], { input: KEY })).exitCode, 0);
  });

  it('gets the key when somebody names it as well, or has stored that very key for it', async () => {
    const { cwd, sortie, baseUrl } = strange();
    assert.equal((await sortie(['credits'], { env: { ...given, SORTIE_BASE_URL: baseUrl } })).exitCode, 0);
    mkdirSync(path.join(cwd, 'sortie'));
    const stored = (key: string) =>
      writeFileSync(path.join(cwd, 'sortie', 'config.yml'), `keys:\n  ${baseUrl}: ${key}\n`, { mode: 0o600 });
    stored('srt_test_another');
    assert.equal((await sortie(['credits'], { env: given })).exitCode, 2);
    stored(KEY);
    assert.equal((await sortie(['credits'], { env: given })).exitCode, 0);
    assert.equal((await sortie(['credits'])).exitCode, 0);
  });

  it('is nobody else than the one that would be asked without the project', async () => {
    const { cwd, sortie, baseUrl } = strange();
    mkdirSync(path.join(cwd, 'sortie'));
    writeFileSync(path.join(cwd, 'sortie', 'config.yml'), `baseUrl: ${baseUrl}/\n`);
    assert.equal((await sortie(['credits'], { env: given })).exitCode, 0);
  });
});

describe('sortie credentials validate', () => {
  it('judges a file as the service would, and never shows a value', async () => {
    const { cwd, sortie } = person();
    const good =
      '- { name: admin, user: root@example.com, pass: hunter2 }\n- { name: api, kind: API_KEY, user: X-Key, pass: k }\n';
    writeFileSync(path.join(cwd, 'good.yml'), good);
    const fine = await sortie(['credentials', 'validate', 'good.yml']);
    assert.deepEqual([fine.exitCode, fine.stdout], [0, '2 valid\n  admin  FORM_LOGIN\n  api  API_KEY\n']);
    const bad = [
      { name: 'a b', user: 'u', pass: 'hunter2' },
      { name: 'x', kind: 'COOKIE', mode: 'json', user: 'u', pass: 'hunter2', tokenUrl: 'hunter2' },
    ];
    const { exitCode, stdout } = await sortie(['credentials', 'validate', '-', '--json'], {
      input: JSON.stringify(bad),
    });
    assert.equal(exitCode, 2);
    const { schema, isValid, problems } = JSON.parse(stdout);
    assert.deepEqual([schema, isValid], ['sortie.credentials/1', false]);
    assert.ok(problems.some(({ field }: { field: string }) => field === 'credentials[0].name'));
    assert.ok(problems.some(({ field }: { field: string }) => field === 'credentials[1].tokenUrl'));
    assert.ok(!stdout.includes('hunter2'));
    for (const input of ['- pass: *hunter2\n', '- pass: "hunter2\n', 'pass: hunter2: no\n']) {
      const broken = await sortie(['credentials', 'validate', '-'], { input });
      assert.equal(broken.exitCode, 2, broken.stderr);
      assert.ok(!(broken.stdout + broken.stderr).includes('hunter2'), broken.stderr);
    }
  });
});
