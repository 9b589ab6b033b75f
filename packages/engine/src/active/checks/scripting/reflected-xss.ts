import {
  FILLER,
  type Payload,
  payloadsFor,
  pressing,
  withFiller,
  withPathPayloads,
  writePayload,
} from '../../../oracle/payloads.ts';
import { shownPage } from '../../../oracle/shown-page.ts';
import { definePointCheck } from '../../define-active-check.ts';
import { at } from '../../experiment.ts';
import { requestWith } from '../../insertion-point.ts';
import { mayHold } from '../../shared/filters.ts';
import { isUnfiltered, payloadsPastFilter } from '../../shared/payloads-past-filter.ts';
import { shownEcho } from '../../shared/shown-echo.ts';

const MOST_VARIANTS = 6;
const LIMITS = { probes: 18, payloads: 6 };

export default definePointCheck({
  id: 'reflected-xss',
  family: { name: 'script-injection', by: 'sink' },
  isInPage: true,
  flaw: { name: 'script-injection', rank: 1 },
  title: 'Reflected cross-site scripting (XSS)',
  cwe: 79,
  cvss: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N',
  cvss4: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N',
  needsNoAccount: true,
  impact:
    'An attacker runs scripts in the session of a visitor who opens a link, reads their data and acts in their name.',
  why: 'The response includes the value without encoding. An attacker who lures a visitor to a link or a crafted form runs scripts in their session, reads their data and acts in their name. A payload in the value ran in the browser.',
  fix: 'Encode the value for its context, which is highlighted in the response: HTML entities between tags and in quoted attributes, as an auto-escaping template engine writes them; JSON with an escaped < in scripts; only http and https in URLs. Removing tags or words is no fix. A strict Content-Security-Policy limits the impact.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
    'https://owasp.org/www-project-web-security-testing-guide/stable/4-Web_Application_Security_Testing/07-Input_Validation_Testing/01-Testing_for_Reflected_Cross_Site_Scripting',
    'https://cwe.mitre.org/data/definitions/79.html',
  ],
  risk: 'harmless',
  needsBrowser: true,
  // Locations that a link or form on another site can set, and headers, which reach others through caches and logs.
  locations: ['query', 'path', 'form', 'multipart', 'header'],
  appliesTo: ({ item: { method } }) => method === 'GET' || method === 'POST',
  isWorthTrying: ({ isReflected }) => isReflected,
  variants: [] as Payload[],
  maxRequests: 48,
  async probe(point, _nonce, asking) {
    const { ask, known } = asking;
    const { page, word } = await shownEcho(point, asking);
    const look = async (value: string) =>
      mayHold(point, value) ? shownPage(await ask(requestWith(point, value))) : '';
    const isWhole = page.includes(`${word}b${FILLER}`);
    const payloads = payloadsFor(page, word).map((payload) => (isWhole ? payload : withFiller(payload)));
    const usual = (point.parameter.location === 'path' ? withPathPayloads(payloads) : payloads).slice(0, MOST_VARIANTS);
    const isThorough = (known?.depth ?? 'LEAD') !== 'LEAD';
    if (!isThorough || (await isUnfiltered(page, usual, word, look))) return usual;
    return [...(await payloadsPastFilter(look, word, LIMITS)), ...usual].slice(0, MOST_VARIANTS);
  },
  proof: {
    plan(point, payload, { word }) {
      const written = writePayload(payload, word);
      return {
        attack: at(point, 'payload, opened in a browser', payload.isPath ? asPath(written) : written, {
          isRaw: payload.isPath === true,
          browser: { awaited: word, ...(payload.isPressed && { look: pressing(word) }) },
        }),
      };
    },
    // Only a script can make this call, because word and callback name are new in each run.
    judge({ attack: { calls } }, _payload, { word }, { parameter }) {
      if (!calls) return 'VOID';
      if (!calls.includes(word)) return 'REFUTED';
      // A browser sends headers of its own, so that an attacker also needs a cache or a plug-in.
      return parameter.location === 'header' ? 'LIKELY' : 'PROVED';
    },
  },
  lab: () => ({
    location: 'form',
    parameter: 'q',
    value: 'tea',
    vulnerable: (value) => ({ headers: HTML, body: results(value, value.replaceAll('<', '&lt;')) }),
    safe: (value) => ({ headers: HTML, body: results(escaped(value), escaped(value)) }),
  }),
});

const asPath = (value: string) => encodeURIComponent(value).replaceAll('%2F', '/');

const HTML = { 'content-type': 'text/html' };
const results = (inField: string, inText: string) =>
  `<form method="post"><input name="q" value="${inField}"></form><p>Nothing was found for ${inText}</p>`;
const escaped = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
