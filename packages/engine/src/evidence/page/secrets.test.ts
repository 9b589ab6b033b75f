import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redacted } from './redacted.ts';
import { findSecrets } from './secrets.ts';

/** Built at run time, so that this file contains no secrets. */
const random = (length: number, letters = 'aZ3bY4cX5dW6eV7fU8') => letters.repeat(20).slice(0, length);
const hex = (length: number) => random(length, '3fa9c81b7d04e552');
const jwt = (payload: string) =>
  `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(payload).toString('base64url')}.${random(43)}`;

const specimens: readonly (readonly [kind: string, severity: string, text: string])[] = [
  ['private key', 'CRITICAL', `-----BEGIN ${'PRIVATE'} KEY-----\n${random(64)}\n${random(64)}\n`],
  ['AWS secret key', 'CRITICAL', `{"id":"AKIA${random(16, 'QWERTYUIOPASDFG2')}","secret":"${random(40)}"}`],
  ['Azure storage key', 'CRITICAL', `AccountKey=${random(86)}==`],
  ['DigitalOcean token', 'CRITICAL', `dop_v1_${hex(64)}`],
  ['Stripe secret key', 'CRITICAL', `rk_live_${random(30)}`],
  ['Supabase service key', 'CRITICAL', jwt('{"iss":"supabase","role":"service_role"}')],
  ['GitHub token', 'HIGH', `github_pat_${random(82)}`],
  ['GitLab token', 'HIGH', `glpat-${random(20)}`],
  ['Slack token', 'HIGH', `xoxp-482910573812-${random(30)}`],
  ['Slack webhook', 'HIGH', `https://hooks.slack.com/services/T${random(8)}/B${random(8)}/${random(24)}`],
  ['Discord webhook', 'HIGH', `https://discord.com/api/webhooks/482910573812948201/${random(68)}`],
  ['OpenAI key', 'HIGH', `sk-${random(20)}T3BlbkFJ${random(20)}`],
  ['Anthropic key', 'HIGH', `sk-ant-api03-${random(95)}`],
  ['Google OAuth secret', 'HIGH', `GOCSPX-${random(28)}`],
  ['client secret', 'MEDIUM', `CLIENT_SECRET = '${random(40)}'`],
  ['SendGrid key', 'HIGH', `SG.${random(22)}.${random(43)}`],
  ['Telegram bot token', 'HIGH', `4829105738:AA${random(33)}`],
  ['npm token', 'HIGH', `npm_${random(36)}`],
  ['PyPI token', 'HIGH', `pypi-AgEIcHlwaS5vcmc${random(60)}`],
  ['Shopify token', 'HIGH', `shpat_${hex(32)}`],
  ['Databricks token', 'HIGH', `dapi${hex(32)}`],
  ['Linear key', 'HIGH', `lin_api_${random(40)}`],
  ['Vault token', 'HIGH', `hvs.${random(95)}`],
];

describe('a secret', () => {
  for (const [kind, severity, text] of specimens) {
    it(`is found: ${kind}`, () => {
      const found = findSecrets(`var a = "${text}";`);
      assert.deepEqual(
        found.map((one) => [one.kind, one.severity]),
        [[kind, severity]],
      );
      assert.ok(text.includes(found[0]?.value ?? 'none'));
    });
  }

  it('is shown by eight of its letters', () => {
    assert.equal(redacted('ghp_0123456789abcdef'), 'ghp_…cdef');
    assert.equal(redacted('short'), 'shor…');
  });

  for (const [name, text] of [
    ['a key that is made to be seen', `pk_live_${random(24)} AIza${random(35)} ${jwt('{"role":"anon"}')}`],
    ['a key for tests', `sk_test_${random(30)} rk_test_${random(30)}`],
    [
      'the key of an emulator',
      `AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==`,
    ],
    ['a placeholder', `glpat-${'x'.repeat(20)} npm_${'0'.repeat(36)} GOCSPX-your_client_secret_goes_he`],
    [
      'the beginning of a key, as libraries know it',
      `"-----BEGIN RSA ${'PRIVATE'} KEY-----\\n"+wrap(key)+"\\n-----END"`,
    ],
    ['part of a longer word', `xghp_${random(36)} npm_${random(80)} dapi${hex(64)}`],
    ['half of a key of AWS', `AKIA${random(16, 'QWERTYUIOPASDFG2')} and the secret is elsewhere`],
  ] as const) {
    it(`is not ${name}`, () => assert.deepEqual(findSecrets(text), []));
  }
});
