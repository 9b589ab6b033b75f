import { foreignLoads, isHostOf } from '../../../evidence/page/foreign-loads.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** What they serve changes all the time, or differs by browser: a hash would break the page. */
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
  title: 'A script or style of another site is loaded without a hash',
  why: 'Whoever takes over the other site, or its storage, changes what runs in this page, and no browser notices.',
  fix: 'Add integrity="sha384-…" and crossorigin="anonymous", or serve the file from this site.',
  references: ['https://www.w3.org/TR/SRI/', 'https://developer.mozilla.org/docs/Web/Security/Subresource_Integrity'],
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
    { name: 'a script', given: script('src="https://cdn.example/jquery-3.7.1.min.js"'), fails: 1 },
    { name: 'a style', given: { body: '<link rel=stylesheet href="//cdn.example/a.css">' }, fails: 1 },
    {
      name: 'a style to choose, which browsers load as well',
      given: { body: '<link rel="alternate stylesheet" title=dark href="//cdn.example/dark.css">' },
      fails: 1,
    },
    { name: 'a module', given: { body: '<link rel=modulepreload href="https://cdn.example/a.mjs">' }, fails: 1 },
    {
      name: 'a preload, which runs nothing',
      given: { body: '<link rel=preload as=script href="//cdn.example/a.js">' },
      fails: 0,
    },
    { name: 'an empty hash', given: script('src="https://cdn.example/a.js" integrity=""'), fails: 1 },
    {
      name: 'one that changes all the time',
      given: script('src="https://www.googletagmanager.com/gtag/js?id=G-1"'),
      fails: 1,
      severity: 'INFO',
    },
    { name: 'a hash', given: script('src="https://cdn.example/a.js" integrity="sha384-x" crossorigin'), fails: 0 },
    { name: 'a script of its own', given: script('src="/a.js"'), fails: 0 },
    { name: 'one from another host of its own', given: script('src="https://static.site.example/a.js"'), fails: 0 },
    { name: 'an image', given: { body: '<img src="https://cdn.example/a.png">' }, fails: 0 },
  ],
});
