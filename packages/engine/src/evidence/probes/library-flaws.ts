import { isBefore, type Library } from './libraries.ts';

/** Affects versions from `since` up to, but not including, `fixed`. */
interface Flaw {
  since?: string;
  fixed: string;
  flaw: string;
}

/** Published client-side vulnerabilities, the latest fixed one of each library. As of October 2026. */
const flaws: Readonly<Record<string, readonly Flaw[]>> = {
  jquery: [{ fixed: '3.5.0', flaw: 'CVE-2020-11022, CVE-2020-11023 (XSS in HTML manipulation)' }],
  'jquery-ui': [{ fixed: '1.13.2', flaw: 'CVE-2022-31160 (XSS in checkboxradio)' }],
  angularjs: [{ fixed: '1.8.0', flaw: 'CVE-2020-7676 (XSS through select and option)' }],
  bootstrap: [
    { fixed: '3.4.1', flaw: 'CVE-2019-8331 (XSS in tooltip and popover)' },
    { since: '4.0.0', fixed: '4.3.1', flaw: 'CVE-2019-8331 (XSS in tooltip and popover)' },
  ],
  lodash: [{ fixed: '4.17.21', flaw: 'CVE-2021-23337 (code injection through template)' }],
  underscore: [{ since: '1.3.2', fixed: '1.12.1', flaw: 'CVE-2021-23358 (code injection through template)' }],
  handlebars: [{ fixed: '4.7.7', flaw: 'CVE-2021-23369, CVE-2021-23383 (code injection through templates)' }],
  moment: [{ since: '2.18.0', fixed: '2.29.4', flaw: 'CVE-2022-31129 (denial of service while parsing)' }],
  dompurify: [
    { fixed: '2.5.4', flaw: 'CVE-2024-45801 (sanitizer bypass)' },
    { since: '3.0.0', fixed: '3.1.3', flaw: 'CVE-2024-45801 (sanitizer bypass)' },
  ],
  prismjs: [{ fixed: '1.30.0', flaw: 'CVE-2024-53382 (DOM clobbering)' }],
  swiper: [{ fixed: '6.5.1', flaw: 'CVE-2021-23370 (prototype pollution)' }],
};

/** Returns the known vulnerability of a library in this version; undefined if none is known. */
export function flawOf({ name, version }: Library): Flaw | undefined {
  if (!Object.hasOwn(flaws, name)) return undefined;
  return flaws[name]?.find(({ since = '0', fixed }) => !isBefore(version, since) && isBefore(version, fixed));
}
