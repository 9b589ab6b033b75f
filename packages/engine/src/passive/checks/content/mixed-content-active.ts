import { insecureLoads } from '../../../evidence/page/insecure-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

const html = (body: string) => ({ body });

export default definePassiveCheck({
  id: 'mixed-content-active',
  group: 'content',
  severity: 'MEDIUM',
  cwe: 311,
  title: 'Mixed content: scripts or other active content over HTTP',
  why: 'The HTTPS page loads a script, style, frame or other active content over unencrypted HTTP. An attacker on the network path can replace it and take control of the page. Current browsers block such requests, so the page is also broken; upgrade-insecure-requests lowers the severity.',
  fix: 'Load the resource over HTTPS or host it on this site. Add upgrade-insecure-requests to the Content-Security-Policy during the migration.',
  references: [
    'https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/09-Testing_for_Weak_Cryptography/03-Testing_for_Sensitive_Information_Sent_via_Unencrypted_Channels',
    'https://www.w3.org/TR/mixed-content/',
    'https://developer.mozilla.org/docs/Web/Security/Mixed_content',
    'https://cwe.mitre.org/data/definitions/311.html',
  ],
  needs: ['mainDocument', 'page', 'policies'],

  *run({ mainDocument: { url }, page, policies: { enforced } }) {
    const isUpgraded = enforced.some(({ directives }) => directives.has('upgrade-insecure-requests'));
    for (const load of insecureLoads(page, url)) {
      if (load.kind === 'image' || load.kind === 'media') continue;
      yield {
        evidence: `<${load.element.name}> loads ${load.url.href}`,
        ...(isUpgraded && { severity: 'INFO' as const }),
      };
    }
  },

  examples: [
    { name: 'HTTP script', given: html('<script src="http://cdn.example/a.js"></script>'), fails: 1 },
    {
      name: 'HTTP style, frame and object',
      given: html(
        '<link rel=stylesheet href="http://a.example/a.css"><iframe src="http://a.example/"></iframe><object data="http://a.example/x">',
      ),
      fails: 3,
    },
    { name: 'HTTP base URL', given: html('<base href="http://cdn.example/"><script src="a.js"></script>'), fails: 1 },
    {
      name: 'HTTP script with upgrade-insecure-requests',
      given: {
        ...html('<script src="http://cdn.example/a.js"></script>'),
        headers: { 'content-security-policy': 'upgrade-insecure-requests' },
      },
      fails: 1,
      severity: 'INFO',
    },
    { name: 'HTTPS script', given: html('<script src="https://cdn.example/a.js"></script>'), fails: 0 },
    { name: 'protocol-relative URL', given: html('<script src="//cdn.example/a.js"></script>'), fails: 0 },
    {
      name: 'in comments, text, links and templates',
      given: html(
        '<!-- <script src="http://a.example/a.js"></script> --><a href="http://a.example/">http://a.example/a.js</a><template><script src="http://a.example/a.js"></script></template>',
      ),
      fails: 0,
    },
    {
      name: 'data block',
      given: html('<script type="text/template" src="http://a.example/a.html"></script>'),
      fails: 0,
    },
    { name: 'localhost', given: html('<script src="http://localhost:3000/a.js"></script>'), fails: 0 },
    {
      name: 'page over HTTP',
      given: { url: 'http://site.example/', ...html('<script src="http://a.example/a.js"></script>') },
      fails: 0,
    },
  ],
});
