import type { Content } from '../evidence/content.ts';
import type { DnsArtifacts } from '../evidence/dns/gather-dns.ts';
import type { Artifacts } from '../evidence/evidence.ts';
import type { Hop } from '../evidence/page/main-page.ts';
import type { ApiSurface } from '../evidence/probes/api-surfaces.ts';
import type { ProbeAnswer } from '../evidence/probes/ask.ts';
import type { CrossOriginAnswer } from '../evidence/probes/cors.ts';
import type { SourceMap } from '../evidence/probes/source-maps.ts';
import type { TlsArtifacts } from '../evidence/tls/gather-tls.ts';
import type { Headers } from '../http/exchange/exchange.ts';

type GivenHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface GivenAnswer {
  url?: string;
  status?: number;
  headers?: GivenHeaders;
}

interface GivenFile extends GivenAnswer {
  body?: string;
}

/** Short form of a site's other responses; defaults to a site without findings. */
export interface GivenProbes {
  /** Defaults to a redirect to HTTPS. Empty if nothing listens on the HTTP port. */
  plainHttp?: readonly GivenAnswer[];
  /** Headers of cross-origin responses; `ORIGIN` stands for the requesting origin. */
  cors?: Partial<Record<CrossOriginAnswer['kind'], GivenHeaders>>;
  /** `ECHO` in the body stands for the nonce sent in the TRACE request. */
  trace?: GivenFile;
  options?: GivenHeaders;
  /** By path, preceded by the method if it is not GET. */
  files?: Readonly<Record<string, GivenFile>>;
  /** Response to paths that do not exist. */
  elsewhere?: GivenFile;
  /** Directories of files that the page links. */
  directories?: readonly GivenFile[];
  /** Scripts of the page by path; null for one that could not be loaded. */
  scripts?: Readonly<Record<string, string | GivenFile | null>>;
  sourceMaps?: readonly Partial<SourceMap>[];
  apiSurfaces?: readonly (GivenFile & { kind: ApiSurface['kind']; path: string })[];
  /** Second copy of the page. */
  secondLook?: GivenFile;
}

const SITE = 'https://site.example';
const NONCE = '0123456789abcdef';
const NOTHING: GivenFile = { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' };

export function toHop({ url = `${SITE}/`, status = 200, headers = {} }: GivenAnswer): Hop {
  const pairs: Headers = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  return { url, status, headers: pairs };
}

const toAnswer = ({ body = '', ...given }: GivenFile): ProbeAnswer => ({ ...toHop(given), body });

/** `asked` are the probes of the check. A path that the example does not define gets the response for missing paths. */
export function toProbed(
  given: GivenProbes,
  asked: readonly string[],
): Omit<Artifacts, 'mainPage' | 'endpoints' | keyof TlsArtifacts | keyof DnsArtifacts> {
  const { plainHttp = [{ status: 301 }, {}], elsewhere = NOTHING, files = {}, trace = { status: 405 } } = given;
  const named = new Map(Object.entries(files).map(([key, file]) => [key.includes(' ') ? key : `GET ${key}`, file]));
  const answerTo = (key: string) =>
    toAnswer({
      url: `${SITE}${key.replace(/^\S+ /, '').replaceAll('{domain}', 'site.example')}`,
      ...(named.get(key) ?? elsewhere),
    });
  return {
    plainHttp: {
      hops: plainHttp.map((hop, index) => toHop({ url: `${index === 0 ? 'http' : 'https'}://site.example/`, ...hop })),
    },
    cors: (['foreign', 'null', 'preflight', 'plain'] as const).map((kind) => toCors(kind, given.cors?.[kind] ?? {})),
    methods: {
      nonce: NONCE,
      trace: toAnswer({ ...trace, body: trace.body?.replaceAll('ECHO', NONCE) ?? '' }),
      options: toAnswer({ headers: given.options ?? {} }),
    },
    notFound: [`/${NONCE}`, `/.${NONCE}/${NONCE}.txt`].map((path) => toAnswer({ url: SITE + path, ...elsewhere })),
    directories: (given.directories ?? []).map((folder) => toAnswer({ url: `${SITE}/folder/`, ...folder })),
    secondLook: given.secondLook ? toAnswer(given.secondLook) : null,
    ...toContent(given),
    files: Object.fromEntries([...new Set([...asked, ...named.keys()])].map((key) => [key, answerTo(key)])),
  };
}

function toContent({ scripts = {}, sourceMaps = [], apiSurfaces = [] }: GivenProbes): Content {
  return {
    scripts: Object.entries(scripts).map(([path, script]) => {
      if (script === null) return { missing: 'No response.' };
      const file = typeof script === 'string' ? { body: script } : script;
      return { ...toAnswer({ url: SITE + path, ...file }), isCut: false };
    }),
    sourceMaps: sourceMaps.map((map) => ({ url: `${SITE}/app.js.map`, sources: [], hasContent: true, ...map })),
    apiSurfaces: apiSurfaces.map(({ kind, path, ...file }) => ({
      kind,
      answer: toAnswer({ url: SITE + path, ...file }),
    })),
  };
}

function toCors(kind: CrossOriginAnswer['kind'], headers: GivenHeaders): CrossOriginAnswer {
  const origin = {
    foreign: `https://${NONCE}.example`,
    null: 'null',
    preflight: `https://${NONCE}.example`,
    plain: 'http://site.example',
  }[kind];
  const hop = toHop({ headers });
  return {
    kind,
    origin,
    ...hop,
    headers: hop.headers.map(([name, value]) => [name, value.replace('ORIGIN', origin)] as const),
  };
}
