/**
 * The requirements of each format's consumers, narrowed to what we write: unlisted keys are rejected, so that none is
 * added without checking the format.
 */
const text = { type: 'string', minLength: 1 } as const;
const list = (items: object, rest: object = {}) => ({ type: 'array', items, ...rest });
const closed = (properties: Record<string, object>, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const message = closed({ text });
const sarifLevel = { enum: ['none', 'note', 'warning', 'error'] };
/** A relative URI as GitHub requires it: no scheme, query or fragment, and not empty. */
const relativeUri = { type: 'string', format: 'uri-reference', pattern: '^[^/:?#][^:?#]*(?:/[^?#]*)?$' };

const sarifRule = closed(
  {
    id: text,
    name: text,
    shortDescription: message,
    fullDescription: message,
    help: message,
    helpUri: { type: 'string', format: 'uri' },
    defaultConfiguration: closed({ level: sarifLevel }),
    properties: closed({
      'security-severity': { type: 'string', pattern: '^(?:10\\.0|\\d\\.\\d)$' },
      precision: { enum: ['very-high', 'high', 'medium', 'low'] },
      tags: list(text, { maxItems: 20, uniqueItems: true }),
    }),
  },
  ['helpUri'],
);

const sarifLocation = closed(
  {
    physicalLocation: closed({
      artifactLocation: closed({ uri: relativeUri }),
      region: closed({ startLine: { type: 'integer', minimum: 1 } }),
    }),
    logicalLocations: list(closed({ fullyQualifiedName: text })),
  },
  ['logicalLocations'],
);

const headersObject = { type: 'object', additionalProperties: { type: 'string' } };
const sarifBody = closed({ text: { type: 'string' } });

const sarifResult = closed(
  {
    ruleId: text,
    ruleIndex: { type: 'integer', minimum: 0 },
    level: sarifLevel,
    message,
    locations: list(sarifLocation, { minItems: 1, maxItems: 1000 }),
    partialFingerprints: closed({ 'sortieFinding/v1': text, primaryLocationLineHash: text }),
    relatedLocations: list(closed({ logicalLocations: list(closed({ fullyQualifiedName: text })) })),
    webRequest: closed({ method: text, target: text, headers: headersObject, body: sarifBody }, ['body']),
    webResponse: closed(
      { statusCode: { type: 'integer' }, headers: headersObject, body: sarifBody, noResponseReceived: { const: true } },
      ['statusCode', 'headers', 'body', 'noResponseReceived'],
    ),
    properties: closed({ confidence: text, severity: text, evidence: { type: 'string' }, history: text }, [
      'evidence',
      'history',
    ]),
  },
  ['relatedLocations', 'webRequest', 'webResponse'],
);

export const sarifSchema = closed({
  $schema: { type: 'string', format: 'uri' },
  version: { const: '2.1.0' },
  runs: list(
    closed({
      tool: closed({
        driver: closed({
          name: text,
          version: text,
          semanticVersion: text,
          rules: list(sarifRule, { maxItems: 25_000 }),
        }),
      }),
      automationDetails: closed({ id: { type: 'string', pattern: '^sortie/[^/]+/$' } }),
      invocations: list(
        closed({
          executionSuccessful: { type: 'boolean' },
          toolExecutionNotifications: list(closed({ level: sarifLevel, message })),
        }),
      ),
      columnKind: { const: 'utf16CodeUnits' },
      results: list(sarifResult, { maxItems: 5000 }),
      properties: closed({ runId: text, kind: text, status: text }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
});

const localTime = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' };
const program = closed({ id: text, name: text, version: text, vendor: closed({ name: text }) });
const link = { type: 'string', pattern: '^(https?|ftp)://.+' };

/** As the schema of GitLab has them: only the body is optional. */
const gitlabHeaders = list(closed({ name: text, value: { type: 'string' } }));
const gitlabRequest = closed({ method: text, url: link, headers: gitlabHeaders, body: { type: 'string' } }, ['body']);
const gitlabResponse = closed(
  { status_code: { type: 'integer' }, reason_phrase: text, headers: gitlabHeaders, body: { type: 'string' } },
  ['body'],
);

export const gitlabDastSchema = closed({
  version: { type: 'string', pattern: '^15\\.\\d+\\.\\d+$' },
  scan: closed(
    {
      analyzer: program,
      scanner: program,
      start_time: localTime,
      end_time: localTime,
      status: { enum: ['success', 'failure'] },
      type: { const: 'dast' },
      scanned_resources: list(closed({ method: text, url: text, type: { const: 'url' } })),
      messages: list(closed({ level: { enum: ['info', 'warn', 'fatal'] }, value: text })),
    },
    ['messages'],
  ),
  vulnerabilities: list(
    closed(
      {
        id: text,
        name: { type: 'string', maxLength: 255 },
        description: { type: 'string', maxLength: 1_048_576 },
        severity: { enum: ['Info', 'Unknown', 'Low', 'Medium', 'High', 'Critical'] },
        solution: { type: 'string', maxLength: 7000 },
        identifiers: list(closed({ type: text, name: text, value: text, url: link }, ['url']), { minItems: 1 }),
        cvss_vectors: list(closed({ vendor: text, vector: { type: 'string', pattern: '^CVSS:3\\.1/' } }), {
          minItems: 1,
          maxItems: 1,
        }),
        links: list(closed({ url: link })),
        location: closed({
          hostname: { type: 'string', pattern: '^https?://[^/]+$' },
          method: text,
          param: { type: 'string' },
          path: { type: 'string', pattern: '^/' },
        }),
        evidence: closed(
          {
            summary: { type: 'string', maxLength: 20_000 },
            request: gitlabRequest,
            response: gitlabResponse,
            supporting_messages: list(
              closed({ name: text, request: gitlabRequest, response: gitlabResponse }, ['request', 'response']),
            ),
          },
          ['request', 'response', 'supporting_messages'],
        ),
      },
      ['solution', 'cvss_vectors', 'evidence'],
    ),
  ),
});

/** Only keys that the importer lists; it rejects the whole file for any other. */
export const defectDojoSchema = closed({
  name: text,
  type: text,
  dynamic_tool: { const: true },
  findings: list(
    closed(
      {
        title: { type: 'string', minLength: 1, maxLength: 511 },
        severity: { enum: ['Critical', 'High', 'Medium', 'Low', 'Info'] },
        description: { type: 'string' },
        date: { type: 'string', format: 'date' },
        cwe: { type: 'integer', minimum: 0 },
        cvssv3: { type: 'string', pattern: '^CVSS:3\\.1/' },
        cvssv3_score: { type: 'number', minimum: 0, maximum: 10 },
        mitigation: { type: 'string' },
        impact: { type: 'string' },
        steps_to_reproduce: { type: 'string' },
        references: { type: 'string' },
        param: { type: 'string' },
        endpoints: list({ type: 'string', pattern: '^https?://' }),
        active: { type: 'boolean' },
        verified: { type: 'boolean' },
        static_finding: { const: false },
        dynamic_finding: { const: true },
        scanner_confidence: { type: 'integer', minimum: 1, maximum: 10 },
        unique_id_from_tool: { type: 'string', minLength: 1, maxLength: 500 },
        vuln_id_from_tool: { type: 'string', minLength: 1, maxLength: 500 },
        service: { type: 'string', minLength: 1, maxLength: 200 },
        tags: list(text),
      },
      [
        'cwe',
        'cvssv3',
        'cvssv3_score',
        'mitigation',
        'impact',
        'steps_to_reproduce',
        'references',
        'param',
        'endpoints',
      ],
    ),
  ),
});
