import { definePassiveCheck } from '../../check.ts';

const sent = (value: string) => ({ headers: { server: value } });

export default definePassiveCheck({
  id: 'server-version',
  group: 'disclosure',
  severity: 'LOW',
  cwe: 497,
  title: 'The server tells its version',
  why: 'Whoever looks for servers with a known flaw finds this one by its version, without having to try.',
  fix: 'Keep the version to yourself: server_tokens off in nginx, ServerTokens Prod in Apache, removeServerHeader in IIS. Updates matter more.',
  recipe: { set: 'no version' },
  references: ['https://www.rfc-editor.org/rfc/rfc9110#section-10.2.4'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const isTold = mainDocument.headers('server').some((value) => /\d\.\d/.test(value));
    if (isTold) yield { evidence: mainDocument.headerLines('server') };
  },

  examples: [
    { name: 'nginx', given: sent('nginx/1.27.3'), fails: 1 },
    { name: 'Apache with modules', given: sent('Apache/2.4.62 (Debian) OpenSSL/3.0.15'), fails: 1 },
    { name: 'IIS', given: sent('Microsoft-IIS/10.0'), fails: 1 },
    { name: 'a name only', given: sent('nginx'), fails: 0 },
    { name: 'a service', given: sent('cloudflare'), fails: 0 },
    { name: 'a name with a digit', given: sent('AmazonS3'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
