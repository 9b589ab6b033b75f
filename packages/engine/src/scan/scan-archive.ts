import { z } from 'zod';
import type { Artifacts } from '../evidence/evidence.ts';
import { OLDER } from '../evidence/missing.ts';
import { EgressEntry } from '../protocol/egress-entry.ts';
import type { Gathered } from './run-scan.ts';

/** A scan and the evidence it gathered, as plain JSON. */
export interface GatheredScan {
  id: string;
  url: string;
  domain: string;
  /** ISO 8601. */
  createdAt: string;
  completedAt: string;
  /** Connections made and refused. */
  egress: EgressEntry[];
  gathered: Gathered;
}

const FORMAT = 'sortie-artifacts';
/** Increment it when earlier files can no longer be scored as before. */
const VERSION = 1;

const Envelope = z.looseObject({ format: z.literal(FORMAT), version: z.int().min(1) });

const Hop = z.looseObject({
  url: z.url(),
  status: z.int(),
  headers: z.array(z.tuple([z.string(), z.string()])),
});

/** Everything else is validated by the checks: a check that fails on it is not run. */
const Site = z.looseObject({
  mainPage: z.looseObject({
    hops: z.array(Hop).min(1),
    body: z.string(),
    isCut: z.boolean(),
    gatheredAt: z.iso.datetime(),
  }),
  files: z.record(z.string(), z.looseObject({})),
});

const TlsSite = z.strictObject({
  noPage: z.string(),
  tlsProbes: z.looseObject({}),
  https: z.looseObject({}).nullable(),
});

const Saved = z.looseObject({
  id: z.string(),
  url: z.url(),
  domain: z.string(),
  createdAt: z.iso.datetime(),
  completedAt: z.iso.datetime(),
  egress: z.array(EgressEntry),
  gathered: z.union([z.strictObject({ code: z.string(), message: z.string() }), TlsSite, Site]),
});

const notGathered: Omit<Artifacts, 'mainPage' | 'files'> = {
  plainHttp: OLDER,
  cors: OLDER,
  methods: OLDER,
  notFound: OLDER,
  directories: OLDER,
  tlsProbes: OLDER,
  https: OLDER,
  endpoints: OLDER,
  secondLook: OLDER,
  scripts: [OLDER],
  sourceMaps: [OLDER],
  apiSurfaces: [OLDER],
  hostNames: OLDER,
  nameServers: OLDER,
  wildcard: OLDER,
  caa: OLDER,
  dnssec: OLDER,
  tlsa: OLDER,
  mail: OLDER,
  spf: OLDER,
  dmarc: OLDER,
  mtaSts: OLDER,
  tlsReporting: OLDER,
  dkim: OLDER,
};

export const writeScan = (scan: GatheredScan): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, ...scan }, null, 2)}\n`;

/** Parses the output of `writeScan`, or returns why the text is not that. */
export function readScan(text: string): GatheredScan | { refusal: string } {
  const envelope = Envelope.safeParse(parsed(text)).data;
  if (!envelope) return { refusal: 'is not a file that "sortie scan --save" has written' };
  const { format: _format, version, ...content } = envelope;
  if (version > VERSION) {
    return { refusal: `was saved by a newer Sortie (format ${version}, this one reads ${VERSION}): update this one` };
  }
  const { error } = Saved.safeParse(content);
  if (error) return { refusal: `is damaged: ${z.prettifyError(error).replaceAll(/\s*\n\s*/g, ' ')}` };
  const scan = content as unknown as GatheredScan;
  return 'mainPage' in scan.gathered ? { ...scan, gathered: { ...notGathered, ...scan.gathered } } : scan;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
