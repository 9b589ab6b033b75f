import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { issue } from '@sortie/testing/targets/certificates.ts';
import { StartupError } from '../errors/startup-error.ts';
import { readConfig } from './config.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortie-config-'));
after(() => rmSync(folder, { recursive: true }));

const refuses = (flags: Parameters<typeof readConfig>[0], variables: NodeJS.ProcessEnv, message: RegExp) =>
  assert.throws(
    () => readConfig(flags, variables),
    (error: unknown) => error instanceof StartupError && message.test(error.message),
  );

describe('configuration', () => {
  it('lets all people sign up in test, and those who are invited in live', () => {
    const live = { environment: 'live', role: 'api' } as const;
    assert.equal(readConfig({}, {}).signUp, 'open');
    assert.equal(readConfig(live, {}).signUp, 'invitation');
    assert.equal(readConfig(live, { SORTIE_SIGN_UP: 'closed' }).signUp, 'closed');
    refuses({}, { SORTIE_SIGN_UP: 'yes' }, /^SORTIE_SIGN_UP must be open, invitation or closed/);
  });

  it('takes a mail server with its password in a variable or a file, never in the URL', () => {
    const url = 'smtps://ada%40example.com@mail.example.com';
    const from = { SORTIE_MAIL_FROM: 'Sortie <sortie@example.com>' };
    const file = path.join(folder, 'smtp-password');
    writeFileSync(file, 'canary password\n');
    const { mail } = readConfig({}, { SORTIE_SMTP_URL: url, SORTIE_SMTP_PASSWORD_FILE: file, ...from });
    assert.deepEqual([mail?.host, mail?.port, mail?.tls], ['mail.example.com', 465, 'implicit']);
    assert.deepEqual([mail?.login?.user, mail?.login?.password.reveal()], ['ada@example.com', 'canary password']);
    assert.doesNotMatch(inspect(mail, { depth: 9 }), /canary/);
    assert.equal(readConfig({}, { SORTIE_SMTP_URL: 'smtp://mail.example.com', ...from }).mail?.tls, 'required');
    assert.equal(readConfig({}, { SORTIE_SMTP_URL: 'smtp://127.0.0.1:2525', ...from }).mail?.tls, 'optional');
    assert.equal(readConfig({}, {}).mail, null);
    const both = { SORTIE_SMTP_PASSWORD: 'canary', SORTIE_SMTP_PASSWORD_FILE: file, SORTIE_SMTP_URL: url, ...from };
    refuses({}, both, /^Both SORTIE_SMTP_PASSWORD and SORTIE_SMTP_PASSWORD_FILE are set/);
    refuses(
      {},
      { SORTIE_SMTP_URL: 'smtp://ada:canary@mail.example.com', ...from },
      /^SORTIE_SMTP_URL must have no password/,
    );
    refuses({}, { SORTIE_SMTP_URL: url, ...from }, /go together/);
    refuses({}, { SORTIE_SMTP_URL: 'smtp://mail.example.com' }, /^SORTIE_MAIL_FROM is not set/);
    refuses({}, { SORTIE_MAIL_FROM: 'sortie@example.com' }, /^SORTIE_SMTP_URL is not set/);
    refuses({}, { SORTIE_SMTP_URL: 'https://mail.example.com', ...from }, /^SORTIE_SMTP_URL must look like/);
  });

  it('takes a provider of single sign-on over https, with all that it needs', () => {
    const client = { SORTIE_OIDC_CLIENT_ID: 'sortie', SORTIE_OIDC_CLIENT_SECRET: 'canary secret' };
    const issuer = { SORTIE_OIDC_ISSUER: 'https://login.example.com/realms/acme' };
    const { oidc } = readConfig({}, { ...issuer, ...client, SORTIE_OIDC_DOMAINS: 'Example.com, example.org' });
    assert.deepEqual(
      [oidc?.label, oidc?.createsUsers, oidc?.domains],
      ['single sign-on', false, ['example.com', 'example.org']],
    );
    assert.doesNotMatch(inspect(oidc, { depth: 9 }), /canary/);
    assert.equal(readConfig({}, {}).oidc, null);
    refuses(
      {},
      { ...client, SORTIE_OIDC_ISSUER: 'http://login.example.com' },
      /^SORTIE_OIDC_ISSUER must be an https URL/,
    );
    refuses({}, issuer, /^SORTIE_OIDC_CLIENT_ID is not set/);
    refuses({}, { ...issuer, SORTIE_OIDC_CLIENT_ID: 'sortie' }, /^SORTIE_OIDC_CLIENT_SECRET_FILE is not set/);
    refuses({}, client, /^SORTIE_OIDC_ISSUER is not set, but SORTIE_OIDC_CLIENT_ID is/);
    refuses({}, { ...issuer, ...client, SORTIE_OIDC_DOMAINS: '@example.com' }, /^SORTIE_OIDC_DOMAINS must be domains/);
  });

  it('is environment test on loopback when nothing is said', () => {
    const config = readConfig({}, {});
    assert.equal(config.environment, 'test');
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, 4800);
    assert.equal(config.demo, true);
    assert.deepEqual(config.rateLimits, { readsPerKey: 120, readsPerAccount: 600, writesPerKey: 10 });
    assert.deepEqual(config.edge, { rate: 100, burst: 300 });
  });

  it('needs the public address in environment live for mails and single sign-on, but not on workers', () => {
    const mail = { SORTIE_SMTP_URL: 'smtp://127.0.0.1', SORTIE_MAIL_FROM: 'sortie@example.com' };
    const oidc = {
      SORTIE_OIDC_ISSUER: 'https://login.example.com',
      SORTIE_OIDC_CLIENT_ID: 'sortie',
      SORTIE_OIDC_CLIENT_SECRET: 'secret',
    };
    const live = { environment: 'live', role: 'api' } as const;
    refuses(live, mail, /^SORTIE_PUBLIC_URL is not set: in environment live, mails must lead .* Set it to /);
    refuses(
      live,
      { ...mail, ...oidc },
      /^SORTIE_PUBLIC_URL is not set: in environment live, single sign-on must lead /,
    );
    const SORTIE_PUBLIC_URL = 'https://sortie.example.com';
    assert.equal(readConfig(live, { ...mail, ...oidc, SORTIE_PUBLIC_URL }).publicUrl, SORTIE_PUBLIC_URL);
    for (const flags of [{}, { environment: 'live', role: 'worker' }] as const) {
      assert.equal(readConfig(flags, { ...mail, ...oidc, SORTIE_CONTACT: 'a@example.com' }).publicUrl, undefined);
    }
  });

  it('has no demo in environment live', () => {
    assert.equal(readConfig({ environment: 'live', role: 'api' }, {}).demo, false);
  });

  it('lets a browser run without its sandbox in environment test only', () => {
    assert.equal(readConfig({ environment: 'live', role: 'api' }, {}).worker.sandbox, 'required');
    assert.equal(readConfig({}, {}).worker.sandbox, 'preferred');
  });

  it('refuses to speak plain HTTP to other machines', () => {
    refuses({ host: '0.0.0.0' }, {}, /^API keys would travel unencrypted: --host 0\.0\.0\.0 .*--tls-cert/);
    refuses({ host: '::' }, {}, /--behind-proxy/);
    assert.equal(readConfig({ host: '0.0.0.0', behindProxy: '2' }, {}).trustedHops, 2);
    assert.ok(readConfig({ host: '0.0.0.0', tlsCert: 'c.pem', tlsKey: 'k.pem' }, {}).tls);
    refuses({ tlsCert: 'c.pem' }, {}, /^--tls-key is missing: .*go together/);
  });

  it('names the flag or variable that is wrong', () => {
    refuses({ opsPort: '99999' }, {}, /^--ops-port must be a whole number from 0 to 65535$/);
    refuses({ port: 'http' }, {}, /^--port must be a whole number from 0 to 65535$/);
    refuses({ behindProxy: '0' }, {}, /^--behind-proxy must be a whole number from 1 to 10$/);
    refuses({ role: 'boss' as 'all' }, {}, /^--role must be all, api or worker$/);
    refuses({ data: '' }, {}, /^--data must not be empty$/);
    refuses({}, { SORTIE_EDGE_RATE: 'fast' }, /^SORTIE_EDGE_RATE must be a whole number/);
    refuses({}, { SORTIE_LOG_LEVEL: 'loud' }, /^SORTIE_LOG_LEVEL must be debug, info, warn or error$/);
    refuses({ environment: 'live' }, { SORTIE_LIMIT_READS_PER_KEY: '5' }, /environment test/);
  });

  it('treats an empty variable as one that is not set', () => {
    assert.equal(readConfig({}, { DATABASE_URL: '' }).databaseUrl, undefined);
  });

  it('takes addresses of PostgreSQL only, and does not repeat another one', () => {
    for (const address of [
      'postgres://user:password@host:5432/database',
      'postgresql://host/database?sslmode=require',
      'postgres://user@/database?host=%2Frun%2Fpostgresql',
    ]) {
      assert.equal(readConfig({}, { DATABASE_URL: address }).databaseUrl, address);
    }
    for (const address of [
      'canary',
      'mysql://user:canary@host/database',
      'postgres://user:canary@host:port/database',
    ]) {
      const message = /^DATABASE_URL must look like postgres:\/\/user:password@host:5432\/database$/;
      refuses({}, { DATABASE_URL: address }, message);
    }
  });

  it('logs only what needs a person at a terminal, and every request elsewhere, unless told otherwise', () => {
    assert.equal(readConfig({}, {}, { isTerminal: true }).logLevel, 'warn');
    assert.equal(readConfig({}, {}, { isTerminal: false }).logLevel, 'info');
    assert.equal(readConfig({}, { SORTIE_LOG_LEVEL: 'info' }, { isTerminal: true }).logLevel, 'info');
  });

  it("holds the service's own keys so that they cannot be printed", () => {
    const config = readConfig({}, { SORTIE_FINGERPRINT_KEY: 'the first key', SORTIE_VAULT_KEY: 'the other key' });
    assert.equal(config.secretVariables.SORTIE_FINGERPRINT_KEY?.reveal(), 'the first key');
    assert.equal(config.secretVariables.SORTIE_VAULT_KEY?.reveal(), 'the other key');
    assert.doesNotMatch(inspect(config, { depth: 10, showHidden: true }) + JSON.stringify(config), /the .+ key/);
    assert.equal(readConfig({}, { SORTIE_VAULT_KEY: '' }).secretVariables.SORTIE_VAULT_KEY, undefined);
  });

  it('holds a claim for two minutes and gives a start up after five, unless a test says otherwise', () => {
    assert.deepEqual(readConfig({}, {}).starts, { claimHeldMs: 120_000, givenUpAfterMs: 300_000 });
    const variables = { SORTIE_CLAIM_HELD_MS: '1500', SORTIE_GIVEN_UP_AFTER_MS: '1' };
    assert.deepEqual(readConfig({}, variables).starts, { claimHeldMs: 1_500, givenUpAfterMs: 1 });
    for (const name of Object.keys(variables)) {
      for (const value of ['0', '-1', '1.5', '1e3', '2m', '9999999999']) {
        refuses({}, { [name]: value }, new RegExp(`^${name} must be a whole number from 1 to 999999999$`));
      }
    }
  });

  it('refuses other times of a start in environment live', () => {
    for (const name of ['SORTIE_CLAIM_HELD_MS', 'SORTIE_GIVEN_UP_AFTER_MS']) {
      const message = new RegExp(`^${name} can only be changed in environment test\\. Unset it\\.$`);
      refuses({ environment: 'live' }, { [name]: '120000' }, message);
      assert.deepEqual(
        readConfig({ environment: 'live', role: 'api' }, { [name]: '' }).starts,
        readConfig({}, {}).starts,
      );
    }
  });

  it('allows no host to be asked for tokens over plain HTTP unless it is named', () => {
    const read = (value: string, flags: Parameters<typeof readConfig>[0] = {}) =>
      readConfig(flags, { SORTIE_ALLOW_TOKEN_HOSTS: value }).tokenHosts;
    assert.deepEqual(readConfig({}, {}).tokenHosts, []);
    assert.deepEqual(read(''), []);
    assert.deepEqual(read('localhost'), ['localhost']);
    assert.deepEqual(read('localhost', { environment: 'live', role: 'api' }), ['localhost']);
    assert.deepEqual(read(' IDP.Example:8080 ,127.0.0.1:9,[::1]:443, [2001:db8::1]'), [
      'idp.example:8080',
      '127.0.0.1:9',
      '[::1]:443',
      '[2001:db8::1]',
    ]);
  });

  for (const [what, wrong] of Object.entries({
    'a URL': 'http://idp.example',
    'a path': 'idp.example/token',
    'a query': 'idp.example?a',
    'a user': 'user@idp.example',
    'nothing between two commas': '',
    'a space inside': 'idp example',
    'a port that does not exist': 'idp.example:65536',
    'an empty port': 'idp.example:',
    'the usual port, which no URL shows': 'idp.example:80',
    'an IPv6 address without brackets': '::1',
    'an address in another spelling': '127.1',
    'a name that is not in ASCII': 'exämple.com',
  })) {
    it(`refuses a token host that is none, and does not repeat it: ${what}`, () => {
      assert.throws(
        () => readConfig({}, { SORTIE_ALLOW_TOKEN_HOSTS: `localhost,${wrong},localhost:81` }),
        new StartupError(
          'SORTIE_ALLOW_TOKEN_HOSTS must be hosts separated by commas, such as login.example.com or 127.0.0.1:8080',
        ),
      );
    });
  }

  it('refuses a token host that could never be asked: a pattern, or a name with an empty part', () => {
    for (const host of ['*', '*.idp.example', 'idp..example']) {
      refuses({}, { SORTIE_ALLOW_TOKEN_HOSTS: host }, /^SORTIE_ALLOW_TOKEN_HOSTS must be hosts/);
    }
  });

  it('opens no address that is not public unless it is named', () => {
    const read = (value: string) => readConfig({}, { SORTIE_ALLOW_ADDRESSES: value }).network.allowAddresses;
    assert.deepEqual(readConfig({}, {}).network.allowAddresses, []);
    assert.deepEqual(read('10.0.0.0/8, 127.0.0.1/32:8080,[fd00::/8]:443'), [
      '10.0.0.0/8',
      '127.0.0.1/32:8080',
      '[fd00::/8]:443',
    ]);
    for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.0/8:65536', '10.0.0.0/8,', 'http://10.0.0.0/8']) {
      refuses({}, { SORTIE_ALLOW_ADDRESSES: wrong }, /^SORTIE_ALLOW_ADDRESSES must be address ranges/);
    }
  });

  it('asks the name servers that are named', () => {
    const read = (value: string) => readConfig({}, { SORTIE_RESOLVERS: value }).network.resolvers;
    assert.deepEqual(read('9.9.9.9, 127.0.0.1:5353,2620:fe::fe'), ['9.9.9.9', '127.0.0.1:5353', '2620:fe::fe']);
    for (const wrong of ['dns.example.com', '9.9.9.9:', '9.9.9', '9.9.9.9,']) {
      refuses({}, { SORTIE_RESOLVERS: wrong }, /^SORTIE_RESOLVERS must be addresses of name servers/);
    }
  });

  it('trusts the authorities of SORTIE_CA_FILE besides the public ones', () => {
    const file = path.join(folder, 'authorities.pem');
    const { pem } = issue({ name: 'An authority', isAuthority: true });
    writeFileSync(file, `# ours\n${pem}`);
    assert.equal(readConfig({}, { SORTIE_CA_FILE: file }).network.authorities, pem.trim());
    assert.equal(readConfig({}, {}).network.authorities, undefined);
    refuses(
      {},
      { SORTIE_CA_FILE: path.join(folder, 'missing.pem') },
      /^File not found: .*missing\.pem \(ENOENT\)\. Correct SORTIE_CA_FILE\.$/,
    );
    writeFileSync(file, 'nothing');
    refuses({}, { SORTIE_CA_FILE: file }, /^No certificate in PEM form: .*\. Correct SORTIE_CA_FILE\.$/);
    writeFileSync(file, pem.replace(/\n.{20}/, '\n'));
    refuses({}, { SORTIE_CA_FILE: file }, /^Certificate 1 of .* is damaged\. Correct the file of SORTIE_CA_FILE\.$/);
  });

  it('tells targets whom to ask', () => {
    const { userAgent } = readConfig({}, { SORTIE_CONTACT: 'abuse@example.com' }).network;
    assert.match(userAgent, /^Sortie\/\d.*abuse@example\.com\)$/);
    refuses({ environment: 'live' }, {}, /^SORTIE_CONTACT is not set: .* Set it to /);
    refuses({}, { SORTIE_CONTACT: 'two words' }, /^SORTIE_CONTACT must be an e-mail address or a URL/);
  });

  it("lays the operator's levels and plans over the defaults", () => {
    const file = path.join(folder, 'catalogue.json');
    const plan = { monthlyCredits: 10, scansPerMonth: null, concurrentPentests: 1 };
    writeFileSync(file, JSON.stringify({ plans: { pilot: plan } }));
    const { catalogue } = readConfig({}, { SORTIE_CATALOGUE: file });
    assert.deepEqual(catalogue.plans.pilot, plan);
    assert.equal(catalogue.levels.LEAD.credits, 400);
  });

  it('refuses a level whose testing share is below the minimum charge', () => {
    const file = path.join(folder, 'cheap.json');
    const cheap = { ...readConfig({}, {}).catalogue.levels.LEAD, credits: 99 };
    writeFileSync(file, JSON.stringify({ levels: { LEAD: cheap } }));
    refuses({}, { SORTIE_CATALOGUE: file }, /at least 100/);
  });

  it('says of a catalogue that cannot be used where it is and what it needs', () => {
    const file = path.join(folder, 'partial.json');
    writeFileSync(file, JSON.stringify({ levels: { LEAD: { credits: 300 } } }));
    refuses(
      {},
      { SORTIE_CATALOGUE: file },
      /^The catalogue .*partial\.json is invalid: levels\.LEAD\.\w+: .*replaces the default .*as a whole/,
    );
    const broken = path.join(folder, 'broken.json');
    writeFileSync(broken, '{\n  "levels": x\n}\n');
    refuses(
      {},
      { SORTIE_CATALOGUE: broken },
      /^The catalogue .*broken\.json is invalid: [^\n]+\. Correct the file [^\n]+$/,
    );
    refuses(
      {},
      { SORTIE_CATALOGUE: path.join(folder, 'none.json') },
      /^File not found: .*none\.json \(ENOENT\)\. Correct SORTIE_CATALOGUE\.$/,
    );
  });
});
