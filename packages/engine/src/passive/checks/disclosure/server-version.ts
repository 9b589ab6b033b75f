import { definePassiveCheck } from '../../define-passive-check.ts';

const sent = (value: string) => ({ headers: { server: value } });

export default definePassiveCheck({
  id: 'server-version',
  group: 'disclosure',
  severity: 'LOW',
  cwe: 497,
  title: 'Server header discloses the software version',
  why: 'The Server header contains the exact version of the web server. An attacker who searches for servers with a known vulnerability finds this one without sending an attack. The evidence shows the header.',
  fix: 'Remove the version: server_tokens off in nginx, ServerTokens Prod in Apache, removeServerHeader in IIS. Hiding the version does not replace updates.',
  recipe: { set: 'no version' },
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/01-Information_Gathering/02-Fingerprint_Web_Server',
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html#server',
    'https://www.rfc-editor.org/rfc/rfc9110#section-10.2.4',
    'https://cwe.mitre.org/data/definitions/497.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    const hasVersion = mainDocument.headers('server').some((value) => /\d\.\d/.test(value));
    if (hasVersion) yield { evidence: mainDocument.headerLines('server') };
  },

  examples: [
    { name: 'nginx', given: sent('nginx/1.27.3'), fails: 1 },
    { name: 'Apache with modules', given: sent('Apache/2.4.62 (Debian) OpenSSL/3.0.15'), fails: 1 },
    { name: 'IIS', given: sent('Microsoft-IIS/10.0'), fails: 1 },
    { name: 'name without a version', given: sent('nginx'), fails: 0 },
    { name: 'CDN name', given: sent('cloudflare'), fails: 0 },
    { name: 'name with a digit', given: sent('AmazonS3'), fails: 0 },
    { name: 'no Server header', given: {}, fails: 0 },
  ],
});
