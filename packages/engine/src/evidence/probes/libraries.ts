import type { ScannedPage } from '../../html/scan-page.ts';
import { thoseThere } from '../missing.ts';
import { loadsOf } from '../page/loads.ts';
import { inlineScripts } from '../page/page-texts.ts';
import type { Scripts } from './sub-resources.ts';

/** A JavaScript library with its version and the URL it was found at. */
export interface Library {
  name: string;
  version: string;
  url: string;
}

/** Version banners, which builds preserve. */
const banners: readonly { name: string; pattern: RegExp }[] = [
  { name: 'angularjs', pattern: /\/\*!?\s*(?:\*\s*)?(?:@license )?AngularJS v(1\.\d{1,2}\.\d{1,3})/ },
  { name: 'jquery', pattern: /\/\*!\s*(?:\*\s*)?jQuery (?:JavaScript Library )?v(\d\.\d{1,2}(?:\.\d{1,3})?)\b/ },
  { name: 'jquery', pattern: /\{jquery:\s?["'](\d\.\d{1,2}\.\d{1,3})["'],/ },
  { name: 'bootstrap', pattern: /\/\*!\s*(?:\*\s*)?Bootstrap(?:\.js by @fat[^\n]{0,40})? v(\d\.\d{1,2}\.\d{1,3})/ },
  { name: 'vue', pattern: /\/\*!\s*(?:\*\s*)?Vue\.js v(\d\.\d{1,2}\.\d{1,3})/ },
];

const VERSION = '(\\d{1,2}\\.\\d{1,3}(?:\\.\\d{1,4})?)';
/** CDNs whose paths name the package and its exact version; elsewhere file names prove nothing. */
const networks: readonly { hosts: RegExp; pattern: RegExp }[] = [
  {
    hosts: /^(?:cdnjs\.cloudflare\.com|ajax\.googleapis\.com)$/,
    pattern: new RegExp(`^/ajax/libs/([\\w.-]{1,60})/${VERSION}/`),
  },
  {
    hosts: /^(?:cdn\.jsdelivr\.net|unpkg\.com|esm\.sh)$/,
    pattern: new RegExp(`^/(?:npm/)?([\\w.-]{1,60})@${VERSION}(?:/|$)`),
  },
  { hosts: /^code\.jquery\.com$/, pattern: new RegExp(`^/(jquery)-${VERSION}(?:\\.slim)?(?:\\.min)?\\.js$`) },
  { hosts: /^code\.jquery\.com$/, pattern: new RegExp(`^/ui/()${VERSION}/`) },
  { hosts: /^ajax\.aspnetcdn\.com$/, pattern: new RegExp(`^/ajax/jQuery/(jquery)-${VERSION}(?:\\.min)?\\.js$`, 'i') },
  {
    hosts: /^(?:maxcdn|stackpath|netdna)\.bootstrapcdn\.com$/,
    pattern: new RegExp(`^/(?:twitter-)?(bootstrap)/${VERSION}/js/`),
  },
];
const aliases: Readonly<Record<string, string>> = {
  '': 'jquery-ui',
  'angular.js': 'angularjs',
  angular: 'angularjs',
  jqueryui: 'jquery-ui',
  'jquery-ui-dist': 'jquery-ui',
  'lodash.js': 'lodash',
  'moment.js': 'moment',
  'handlebars.js': 'handlebars',
  'twitter-bootstrap': 'bootstrap',
  'underscore.js': 'underscore',
};

function fromNetwork({ hostname, pathname, href }: URL): Library[] {
  for (const { hosts, pattern } of networks) {
    const [, written, version = ''] = (hosts.test(hostname) && pattern.exec(pathname)) || [];
    if (written === undefined) continue;
    const name = Object.hasOwn(aliases, written.toLowerCase())
      ? (aliases[written.toLowerCase()] ?? '')
      : written.toLowerCase();
    return [{ name, version, url: href }];
  }
  return [];
}

function bannersIn(text: string, url: string): Library[] {
  return banners.flatMap(({ name, pattern }) => {
    const version = pattern.exec(text)?.[1];
    return version === undefined ? [] : [{ name, version, url }];
  });
}

/** Returns each library once, found by banner or by a CDN URL with a version. */
export function librariesOf(page: ScannedPage, url: URL, scripts: Scripts): Library[] {
  const loaded = thoseThere(scripts).flatMap((script) => bannersIn(script.body, script.url));
  const inline = inlineScripts(page).flatMap((script) => bannersIn(script, url.href));
  const named = loadsOf(page, url)
    .filter(({ kind }) => kind === 'script')
    .flatMap((load) => fromNetwork(load.url));
  const byId = Map.groupBy([...loaded, ...inline, ...named], ({ name, version }) => `${name} ${version}`);
  return [...byId.values()].flatMap(([first]) => first ?? []);
}

export const isBefore = (version: string, limit: string) =>
  version.localeCompare(limit, 'en', { numeric: true, sensitivity: 'base' }) < 0;
