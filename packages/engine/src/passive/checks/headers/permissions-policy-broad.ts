import { Token } from 'structured-headers';
import { dictionaryOf } from '../../../evidence/page/structured.ts';
import { definePassiveCheck } from '../../define-passive-check.ts';

/** Features that disclose data about the visitor or act on their behalf. */
const POWERFUL = new Set(
  'bluetooth camera clipboard-read display-capture geolocation hid idle-detection local-fonts microphone midi payment publickey-credentials-get serial usb window-management'.split(
    ' ',
  ),
);

/** A structured-field item is a pair of value and parameters; the value of an inner list is an array of items. */
const grantsAll = ([value]: readonly [unknown, unknown]): boolean =>
  Array.isArray(value) ? value.some(grantsAll) : value instanceof Token && value.toString() === '*';

const sent = (...values: string[]) => ({ headers: { 'permissions-policy': values } });

export default definePassiveCheck({
  id: 'permissions-policy-broad',
  group: 'headers',
  severity: 'LOW',
  cwe: 693,
  title: 'Permissions-Policy grants powerful features to all origins (*)',
  why: "The Permissions-Policy header allows a powerful browser feature such as camera, geolocation or payment for every origin (*). Without the header only the page's own origin could use it. A malicious or compromised frame, for example an advertisement, can request the feature in the name of your site. The evidence lists the features.",
  fix: 'List the origins that need the feature, for example camera=(self "https://meet.example"), or disable it with camera=(). Grant single frames access with the allow attribute of the iframe.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
    'https://www.w3.org/TR/permissions-policy/#permissions-policy-http-header-field',
    'https://cwe.mitre.org/data/definitions/693.html',
  ],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    // Browsers ignore the whole header if it does not parse.
    const features = dictionaryOf(mainDocument.headers('permissions-policy')) ?? new Map();
    const broad = [...features].filter(([feature, value]) => POWERFUL.has(feature) && grantsAll(value));
    if (broad.length > 0)
      yield { evidence: `permissions-policy: ${broad.map(([feature]) => `${feature}=*`).join(', ')}` };
  },

  examples: [
    { name: 'camera for all origins', given: sent('camera=*'), fails: 1 },
    {
      name: 'wildcard in a list with a parameter',
      given: sent('fullscreen=(), geolocation=(self *);report-to=x'),
      fails: 1,
    },
    { name: 'wildcard in a second header', given: sent('camera=()', 'usb=*'), fails: 1 },
    { name: 'empty allowlist', given: sent('camera=(), microphone=()'), fails: 0 },
    { name: 'allowlist with origins', given: sent('camera=(self "https://*.meet.example")'), fails: 0 },
    { name: 'feature without risk', given: sent('fullscreen=*'), fails: 0 },
    { name: 'last of two values applies', given: sent('camera=*, camera=()'), fails: 0 },
    { name: 'Feature-Policy syntax (ignored by browsers)', given: sent('camera *; microphone *'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
