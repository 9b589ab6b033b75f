import { foreignLoads, isHostOf } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Their files change continuously or differ by browser, so a fixed hash would break the page. */
const ROLLING =
  `googletagmanager.com google-analytics.com googlesyndication.com doubleclick.net googleapis.com google.com
  gstatic.com recaptcha.net stripe.com paypal.com braintreegateway.com facebook.net cloudflareinsights.com
  challenges.cloudflare.com cookielaw.org cookiebot.com usercentrics.eu hotjar.com clarity.ms segment.com intercom.io
  hs-scripts.com hsforms.net hcaptcha.com plausible.io matomo.cloud twitter.com linkedin.com licdn.com youtube.com
  vimeo.com typekit.net fontawesome.com newrelic.com sentry-cdn.com datadoghq-browser-agent.com adobedtm.com bing.com
  optimizely.com zdassets.com trustpilot.com klaviyo.com shopify.com`.split(/\s+/);

const script = (attributes: string) => ({ body: `<script ${attributes}></script>` });

export default definePassiveCheck({
  id: 'sri-missing',
  group: 'content',
  severity: 'LOW',
  cwe: 353,
  title: 'Third-party script or style without Subresource Integrity (SRI)',
  why: 'The page loads a script or style from another site without an integrity attribute. An attacker who compromises that host can change the file and execute code in the page, and the browser does not detect it. Resources that change continuously, such as analytics, cannot use SRI and are reported as informational.',
  fix: 'Add integrity="sha384-…" and crossorigin="anonymous". Alternatively host the file on this site.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html#subresource-integrity',
    'https://www.w3.org/TR/SRI/',
    'https://developer.mozilla.org/docs/Web/Security/Subresource_Integrity',
    'https://cwe.mitre.org/data/definitions/353.html',
  ],
  needs: ['mainDocument', 'page'],

  *run({ mainDocument: { url }, page }) {
    for (const load of foreignLoads(page, url)) {
      const { name, attributes } = load.element;
      const isLoad = load.kind === 'script' || load.kind === 'style';
      const isPreload = /(?<!\w)preload\b/i.test(attributes.get('rel') ?? '');
      if (!isLoad || isPreload || attributes.get('integrity')?.trim()) continue;
      const isRolling = isHostOf(load.url.hostname, ROLLING);
      yield { evidence: `<${name}> loads ${load.url.href}`, ...(isRolling && { severity: 'INFO' as const }) };
    }
  },

  examples: [
    { name: 'third-party script', given: script('src="https://cdn.example/jquery-3.7.1.min.js"'), fails: 1 },
    { name: 'third-party style', given: { body: '<link rel=stylesheet href="//cdn.example/a.css">' }, fails: 1 },
    {
      name: 'alternate style sheet, which browsers load as well',
      given: { body: '<link rel="alternate stylesheet" title=dark href="//cdn.example/dark.css">' },
      fails: 1,
    },
    { name: 'module preload', given: { body: '<link rel=modulepreload href="https://cdn.example/a.mjs">' }, fails: 1 },
    {
      name: 'preload, which does not execute',
      given: { body: '<link rel=preload as=script href="//cdn.example/a.js">' },
      fails: 0,
    },
    { name: 'empty integrity', given: script('src="https://cdn.example/a.js" integrity=""'), fails: 1 },
    {
      name: 'continuously changing script',
      given: script('src="https://www.googletagmanager.com/gtag/js?id=G-1"'),
      fails: 1,
      severity: 'INFO',
    },
    {
      name: 'with integrity',
      given: script('src="https://cdn.example/a.js" integrity="sha384-x" crossorigin'),
      fails: 0,
    },
    { name: 'script of the same host', given: script('src="/a.js"'), fails: 0 },
    { name: 'script of the same site', given: script('src="https://static.site.example/a.js"'), fails: 0 },
    { name: 'image', given: { body: '<img src="https://cdn.example/a.png">' }, fails: 0 },
  ],
});
