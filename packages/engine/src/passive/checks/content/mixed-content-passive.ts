import { insecureLoads } from '../../../evidence/page/insecure-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

export default definePassiveCheck({
  id: 'mixed-content-passive',
  group: 'content',
  severity: 'LOW',
  cwe: 311,
  title: 'Mixed content: images or media over HTTP',
  why: 'The HTTPS page loads images, audio or video over unencrypted HTTP. An attacker on the network path can replace them and learns which page the user visits. Browsers upgrade the requests to HTTPS, and the content is missing where the server does not support it.',
  fix: 'Load images and media over HTTPS. Add upgrade-insecure-requests to the Content-Security-Policy during the migration.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
    'https://www.w3.org/TR/mixed-content/',
    'https://developer.mozilla.org/docs/Web/Security/Mixed_content',
    'https://cwe.mitre.org/data/definitions/311.html',
  ],
  needs: ['mainDocument', 'page', 'policies'],

  *run({ mainDocument: { url }, page, policies: { enforced } }) {
    if (enforced.some(({ directives }) => directives.has('upgrade-insecure-requests'))) return;
    for (const load of insecureLoads(page, url)) {
      if (load.kind !== 'image' && load.kind !== 'media') continue;
      yield { evidence: `<${load.element.name}> loads ${load.url.href}` };
    }
  },

  examples: [
    { name: 'HTTP image', given: { body: '<img src="http://a.example/a.png">' }, fails: 1 },
    { name: 'HTTP image in srcset', given: { body: '<img srcset="/a.png 1x, http://a.example/b.png 2x">' }, fails: 1 },
    {
      name: 'HTTP video and poster',
      given: { body: '<video src="http://a.example/a" poster="http://a.example/b">' },
      fails: 2,
    },
    { name: 'HTTPS image', given: { body: '<img src="https://a.example/a.png">' }, fails: 0 },
    {
      name: 'HTTP script, judged by another check',
      given: { body: '<script src="http://a.example/a.js"></script>' },
      fails: 0,
    },
    {
      name: 'in noscript',
      given: { body: '<noscript><img src="http://a.example/a.png"></noscript>' },
      fails: 0,
    },
    {
      name: 'HTTP image with upgrade-insecure-requests',
      given: {
        body: '<img src="http://a.example/a.png">',
        headers: { 'content-security-policy': 'upgrade-insecure-requests' },
      },
      fails: 0,
    },
  ],
});
