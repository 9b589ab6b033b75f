import type { PageElement, ScannedPage } from '../../html/scan-page.ts';

/** Images and media are passive content; all other kinds are active. */
type LoadKind = 'script' | 'style' | 'frame' | 'object' | 'image' | 'media' | 'other';

/** A resource that a browser fetches for a page over HTTP or HTTPS. */
export interface Load {
  kind: LoadKind;
  url: URL;
  element: PageElement;
}

const SCRIPT_TYPES = /^(module|(text|application)\/(x-)?(java|ecma)script|text\/(livescript|jscript))?$/i;
const PRELOADED = new Map<string, LoadKind>([
  ['script', 'script'],
  ['style', 'style'],
  ['image', 'image'],
  ['video', 'media'],
  ['audio', 'media'],
]);
const attributesOf: Readonly<Record<string, readonly (readonly [attribute: string, kind: LoadKind])[]>> = {
  iframe: [['src', 'frame']],
  frame: [['src', 'frame']],
  object: [['data', 'object']],
  embed: [['src', 'object']],
  img: [
    ['src', 'image'],
    ['srcset', 'image'],
  ],
  image: [
    ['href', 'image'],
    ['xlink:href', 'image'],
  ],
  source: [
    ['src', 'media'],
    ['srcset', 'image'],
  ],
  audio: [['src', 'media']],
  video: [
    ['src', 'media'],
    ['poster', 'image'],
  ],
  track: [['src', 'media']],
};

/** Returns the base URL for relative links. */
export function baseOf({ elements }: ScannedPage, page: URL): URL {
  const base = elements.find(({ name, attributes }) => name === 'base' && attributes.has('href'));
  return URL.parse(base?.attributes.get('href')?.trim() ?? '', page.href) ?? page;
}

/** Returns what the page loads: scripts, styles, frames, images and other media. */
export function loadsOf(page: ScannedPage, url: URL): Load[] {
  const base = baseOf(page, url);
  return page.elements.flatMap((element) =>
    linksOf(element).flatMap(([kind, link]): Load[] => {
      const target = URL.parse(link.trim(), base.href);
      return target && /^https?:$/.test(target.protocol) ? [{ kind, url: target, element }] : [];
    }),
  );
}

function linksOf({ name, attributes }: PageElement): [LoadKind, string][] {
  const of = (attribute: string) => attributes.get(attribute) ?? '';
  if (name === 'script') return SCRIPT_TYPES.test(of('type').trim()) && of('src') ? [['script', of('src')]] : [];
  if (name === 'link') return of('href') ? linkKinds(attributes).map((kind) => [kind, of('href')]) : [];
  if (name === 'input') return /^image$/i.test(of('type')) && of('src') ? [['image', of('src')]] : [];
  return (attributesOf[name] ?? [])
    .filter(([attribute]) => of(attribute) !== '')
    .flatMap(([attribute, kind]) =>
      splitSet(attribute, of(attribute)).map((link) => [kind, link] as [LoadKind, string]),
    );
}

function linkKinds(attributes: ReadonlyMap<string, string>): LoadKind[] {
  const relations = new Set((attributes.get('rel') ?? '').toLowerCase().split(/\s+/));
  if (relations.has('stylesheet')) return ['style'];
  if (relations.has('icon')) return ['image'];
  if (relations.has('modulepreload')) return ['script'];
  if (relations.has('manifest')) return ['other'];
  return relations.has('preload') ? [PRELOADED.get(attributes.get('as')?.toLowerCase() ?? '') ?? 'other'] : [];
}

const splitSet = (attribute: string, value: string) =>
  attribute === 'srcset' ? value.split(/,\s+/).map((one) => one.trim().split(/\s/, 1)[0] ?? '') : [value];
