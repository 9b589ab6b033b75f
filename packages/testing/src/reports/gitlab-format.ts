/**
 * What GitLab demands of a DAST report of version 15.0.7, in our words: every field that the format has, also those
 * that we do not write. Other fields are ignored by GitLab, so they are allowed here; `report-schemas.ts` is narrower.
 */
const some = { type: 'string', minLength: 1 } as const;
const any = { type: 'string' } as const;
const webLink = { type: 'string', pattern: '^https?://.+' };
const link = { type: 'string', pattern: '^(https?|ftp)://.+' };
const utcTime = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' };
const list = (items: object, rest: object = {}) => ({ type: 'array', items, ...rest });
const open = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

const vendor = open({ name: some });
const identifier = open({ type: some, name: some, value: some }, { url: link });
const headers = list(open({ name: some, value: any }));
const request = open({ headers, method: some, url: some }, { body: any });
const response = open({ headers, reason_phrase: any, status_code: { type: 'integer' } }, { body: any });

const METRICS =
  '(?:AV:[NALP]|AC:[LH]|PR:[NLH]|UI:[NR]|S:[UC]|[CIA]:[NLH]|E:[XUPFH]|RL:[XOTWU]|RC:[XURC]|[CIA]R:[XLMH]|MAV:[XNALP]|MAC:[XLH]|MPR:[XNLH]|MUI:[XNR]|MS:[XUC]|M[CIA]:[XNLH])';
const cvss3 = { type: 'string', minLength: 32, maxLength: 128, pattern: `^CVSS:3[.][01]/(?:${METRICS}/)*${METRICS}$` };

const scan = open(
  {
    analyzer: open({ id: some, name: some, version: some, vendor }, { url: webLink }),
    scanner: open({ id: some, name: some, version: some, vendor }, { url: any }),
    start_time: utcTime,
    end_time: utcTime,
    scanned_resources: list(open({ method: some, url: some, type: some })),
    status: { enum: ['success', 'failure'] },
    type: { enum: ['dast', 'api_fuzzing'] },
  },
  {
    messages: list(open({ level: { enum: ['info', 'warn', 'fatal'] }, value: some })),
    options: list(
      open(
        { name: { ...some, maxLength: 255 }, value: { type: ['boolean', 'integer', 'null', 'string'] } },
        { source: { enum: ['argument', 'file', 'env_variable', 'other'] } },
      ),
    ),
    primary_identifiers: list(identifier),
  },
);

const evidence = open(
  {},
  {
    source: open({ id: some, name: some }, { url: any }),
    summary: any,
    request,
    response,
    supporting_messages: list(open({ name: some }, { request, response })),
  },
);

const vulnerability = open(
  {
    id: some,
    identifiers: list(identifier, { minItems: 1 }),
    location: open({}, { hostname: any, method: any, param: any, path: any }),
  },
  {
    name: { ...any, maxLength: 255 },
    description: { ...any, maxLength: 1_048_576 },
    severity: { enum: ['Info', 'Unknown', 'Low', 'Medium', 'High', 'Critical'] },
    solution: { ...any, maxLength: 7_000 },
    cvss_vectors: list(open({ vendor: some, vector: cvss3 }), { minItems: 1, maxItems: 10 }),
    links: list(open({ url: link }, { name: any })),
    flags: list(open({ type: { enum: ['flagged-as-likely-false-positive'] }, origin: some, description: some })),
    evidence,
    assets: list(open({ type: { enum: ['http_session', 'postman'] }, name: some, url: some })),
  },
);

export const gitlabFormat = open(
  { version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' }, scan, vulnerabilities: list(vulnerability) },
  { schema: webLink, remediations: list(open({ fixes: list(open({ id: some })), summary: some, diff: some })) },
);
