import { CapsuleContent, Confidence, parameterLocations, Severity } from '@sortie/contract';
import { z } from 'zod';

/** Pages may contain any character; the database stores all of them but NUL. */
export const storable = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => text.replaceAll('\0', '\ufffd'));

/** Databases reject lone surrogates in JSON, and names of operations are the target's text. */
export const wellFormed = (most: number) => storable(most).transform((read) => read.toWellFormed());

/** Long enough for any legitimate text; a hostile target must not fill the database. */
export const shortText = storable(1_000);
export const longText = storable(20_000);
const url = storable(4_000);
/** Only URLs that carry no markup; reports link them. */
const reference = z
  .string()
  .max(500)
  .regex(/^https:\/\/[a-z0-9.-]+(?:[/?#][\w.~!$&()*+,;=:@/?#%-]*)?$/i);
export const checkId = z.string().regex(/^[a-z0-9-]{1,100}$/);
const fingerprint = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const cwe = z.int().min(1).max(999_999);

/** Part of a text in UTF-16 code units, from `start` up to `end`. */
const TextSpan = z
  .strictObject({ start: z.int().min(0), end: z.int().max(20_000) })
  .refine(({ start, end }) => start < end);
const textSpans = z.array(TextSpan).max(50);

const Highlights = z.strictObject({ request: textSpans, response: textSpans });

/** One exchange that proves a finding, or a control request of it, as text without secrets. */
export const Evidence = z
  .strictObject({
    label: shortText,
    request: longText,
    response: longText,
    /** What to look at: the payload, and what the oracle looked for. */
    highlights: Highlights.optional(),
    /** Whether a body was shortened or left out. */
    isCut: z.boolean().optional(),
    /** Whether the response of this exchange alone shows the flaw. True for at most one exchange of a finding. */
    isDecisive: z.boolean().optional(),
    /** Whether it shows what the target does without the flaw, or without the payload. */
    isControl: z.boolean().optional(),
    /** Whether the request can be sent again from its text: nothing is masked or shortened, and no login is needed. */
    isRepeatable: z.boolean().optional(),
  })
  .refine(
    ({ request, response, highlights }) =>
      highlights === undefined ||
      (highlights.request.every(({ end }) => end <= request.length) &&
        highlights.response.every(({ end }) => end <= response.length)),
    { error: 'a highlight ends after its text' },
  );
export type Evidence = z.infer<typeof Evidence>;

export const retestKey = z.string().regex(/^[0-9a-f]{20}$/);

/** Names what was tested in the coverage of a run: a group of checks at one kind of request, as one account. */
export const CoverageKey = z.strictObject({
  group: checkId,
  method: wellFormed(40),
  /** Template, as the coverage has it. */
  url: wellFormed(1_000),
  operation: wellFormed(1_000).nullable(),
  account: wellFormed(1_000).nullable(),
  /** The check at exactly this place, as a digest; findings of earlier releases have none. */
  retest: retestKey.optional(),
  /** Names of all accounts of the run, if the check looked at them. */
  accounts: z.array(wellFormed(1_000)).max(50).optional(),
});
export type CoverageKey = z.infer<typeof CoverageKey>;

/** A finding of a pentest, as the engine reports it. */
export const PentestFinding = z.strictObject({
  title: shortText,
  description: longText.nullable(),
  severity: Severity,
  confidence: Confidence,
  affectedUrl: url.nullable(),
  remediation: longText.nullable(),
  cvssScore: z.number().min(0).max(10).multipleOf(0.1).nullable(),
  cwe: cwe.nullable(),
  method: storable(40).nullable(),
  parameter: shortText.nullable(),
  /** Stable across runs for the same finding. */
  fingerprint,
  /** What earlier releases called the same finding. */
  formerFingerprints: z.array(fingerprint).max(10).optional(),
  /** The finding of this run with the same cause, by fingerprint: this one is a further place of it. */
  partOf: fingerprint.optional(),
  /** Names of the accounts that showed it. */
  accounts: z.array(storable(200)).max(20).optional(),
  /** A script may leave out what identifies the check. */
  checkId: checkId.nullable().default(null),
  cvssVector: z
    .string()
    .regex(/^CVSS:3\.1(?:\/[A-Z]{1,3}:[A-Z]){8,22}$/)
    .nullable()
    .default(null),
  cvss4Vector: z
    .string()
    .regex(/^CVSS:4\.0(?:\/[A-Z]{1,3}:[A-Z]){11,32}$/)
    .nullable()
    .default(null),
  impact: shortText.nullable().default(null),
  stepsToReproduce: z.array(storable(4_000)).max(50).default([]),
  location: z.enum(parameterLocations).nullable().default(null),
  references: z.array(reference).max(20).default([]),
  /** What has to be tested again to tell whether the finding is fixed. A script may leave it out. */
  coverageKeys: z.array(CoverageKey).max(200).optional(),
  evidence: z.array(Evidence).max(20).optional(),
  /** Null if the proof is too large; a script may leave it out. */
  capsule: CapsuleContent.nullable().optional(),
});
export type PentestFinding = z.infer<typeof PentestFinding>;

/** Saved texts that contain a secret which was learned later, and what replaces them. */
export const Remasked = z.strictObject({
  texts: z.array(z.strictObject({ was: z.string().regex(/^[0-9a-f]{64}$/), text: longText })).max(1_000),
  capsules: z.array(CapsuleContent).max(1_000),
});
export type Remasked = z.infer<typeof Remasked>;

/** A failed check of a scan, as the engine reports it. */
export const ScanFinding = z.strictObject({
  checkId,
  title: shortText,
  description: longText,
  severity: Severity,
  confidence: Confidence,
  category: storable(100),
  affectedUrl: url.nullable(),
  evidence: longText.nullable(),
  remediation: longText,
  cwe: cwe.nullable(),
  scoreImpact: z.int().min(0).max(100),
  references: z.array(url).max(20),
});
export type ScanFinding = z.infer<typeof ScanFinding>;
