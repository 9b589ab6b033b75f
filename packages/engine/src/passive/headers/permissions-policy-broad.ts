import { Token } from 'structured-headers';
import { definePassiveCheck } from '../../check.ts';
import { dictionaryOf } from '../../evidence/structured.ts';

/** What tells of a visitor, or acts for them. */
const POWERFUL = new Set(
  'bluetooth camera clipboard-read display-capture geolocation hid idle-detection local-fonts microphone midi payment publickey-credentials-get serial usb window-management'.split(
    ' ',
  ),
);

/** An item is a value and its parameters; of a list of items the value is an array. */
const grantsAll = ([value]: readonly [unknown, unknown]): boolean =>
  Array.isArray(value) ? value.some(grantsAll) : value instanceof Token && value.toString() === '*';

const sent = (...values: string[]) => ({ headers: { 'permissions-policy': values } });

export default definePassiveCheck({
  id: 'permissions-policy-broad',
  group: 'headers',
  severity: 'LOW',
  cwe: 693,
  title: 'Every embedded site may be given a powerful feature of the browser',
  why: 'An asterisk lets any frame of any origin ask for the feature, where without the header only the page itself could.',
  fix: 'Name the origins that need the feature, for example camera=(self "https://meet.example"), or switch it off with camera=().',
  references: ['https://www.w3.org/TR/permissions-policy/#permissions-policy-http-header-field'],
  needs: ['mainDocument'],

  *run({ mainDocument }) {
    // Browsers drop the whole header when it cannot be read.
    const features = dictionaryOf(mainDocument.headers('permissions-policy')) ?? new Map();
    const broad = [...features].filter(([feature, value]) => POWERFUL.has(feature) && grantsAll(value));
    if (broad.length > 0)
      yield { evidence: `permissions-policy: ${broad.map(([feature]) => `${feature}=*`).join(', ')}` };
  },

  examples: [
    { name: 'the camera for all', given: sent('camera=*'), fails: 1 },
    { name: 'in a list, with a parameter', given: sent('fullscreen=(), geolocation=(self *);report-to=x'), fails: 1 },
    { name: 'in a second header', given: sent('camera=()', 'usb=*'), fails: 1 },
    { name: 'nobody', given: sent('camera=(), microphone=()'), fails: 0 },
    { name: 'some', given: sent('camera=(self "https://*.meet.example")'), fails: 0 },
    { name: 'a harmless feature', given: sent('fullscreen=*'), fails: 0 },
    { name: 'the last of two counts', given: sent('camera=*, camera=()'), fails: 0 },
    { name: 'in the syntax of its forerunner, which is ignored', given: sent('camera *; microphone *'), fails: 0 },
    { name: 'not sent', given: {}, fails: 0 },
  ],
});
