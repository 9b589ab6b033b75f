import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { validate } from '@scalar/openapi-parser';
import { createDocumentValidator } from '@sortie/testing/http/document-validator.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints, errorCodesOf, idempotencyKeyPattern } from './endpoints.ts';
import { type ErrorObject, errors } from './errors.ts';
import { buildOpenApi } from './openapi.ts';
import { readBaseline } from './openapi-baseline.ts';
import type { JsonSchema, Operation } from './openapi-document.ts';
import { pentestStatuses } from './pentests.ts';
import { readStatedRules, unacceptedChanges } from './stated-rules.ts';

const document = buildOpenApi();
const table = Object.entries<Endpoint>(endpoints);

function operationOf({ method, path }: Endpoint): Operation {
  const operation = document.paths[path]?.[method === 'GET' ? 'get' : 'post'];
  assert.ok(operation, `${method} ${path}`);
  return operation;
}

const bodyOf = (schema: JsonSchema | undefined): JsonSchema => {
  const id = schema?.$ref?.replace('#/components/schemas/', '');
  const found = id === undefined ? schema : document.components.schemas[id];
  assert.ok(found);
  return found;
};

function* everyNode(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* everyNode(part);
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors: problems, version } = await validate(JSON.stringify(document));
    assert.deepEqual(problems ?? [], []);
    assert.equal(valid, true);
    assert.equal(version, '3.1');
  });

  it('has one operation for each endpoint, named like its record', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    assert.equal(operations.length, table.length);
    for (const [name, endpoint] of table) assert.equal(operationOf(endpoint).operationId, name);
  });

  it('says which permission each endpoint needs', () => {
    for (const [, endpoint] of table) {
      const needed = endpoint.permission === null ? [] : [endpoint.permission];
      assert.deepEqual(operationOf(endpoint).security, [{ apiKey: needed }]);
    }
  });

  it('files each endpoint under a tag that it explains', () => {
    const known = new Set(document.tags.map(({ name }) => name));
    for (const [name, endpoint] of table) {
      const { tags } = operationOf(endpoint);
      assert.equal(tags.length, 1, name);
      assert.ok(known.has(tags[0] ?? ''), name);
    }
  });

  it('lists for each endpoint exactly the codes it may answer, under their status', () => {
    for (const [name, endpoint] of table) {
      const listed = Object.entries(operationOf(endpoint).responses).flatMap(([status, { content }]) => {
        const narrowed = content?.['application/json']?.schema.allOf?.[1]?.properties;
        const codes = ((narrowed?.code as JsonSchema | undefined)?.enum ?? []) as (keyof typeof errors)[];
        for (const code of codes) assert.equal(String(errors[code].status), status);
        return codes;
      });
      assert.deepEqual(listed.toSorted(), errorCodesOf(endpoint).toSorted(), name);
    }
  });

  it('mentions the answers of the network edge, which have no body', () => {
    assert.match(operationOf(endpoints.getPentest).responses[429]?.description ?? '', /network edge, without a body/);
    const { description, content } = operationOf(endpoints.cancelPentest).responses[411] ?? {};
    assert.match(description ?? '', /without a body/);
    assert.equal(content, undefined);
  });

  it('requires an Idempotency-Key on starts and nowhere else', () => {
    for (const [name, endpoint] of table) {
      const references = (operationOf(endpoint).parameters ?? []).filter((parameter) => '$ref' in parameter);
      assert.equal(references.length, name === 'startScan' || name === 'startPentest' ? 1 : 0, name);
    }
    assert.equal(document.components.parameters['Idempotency-Key']?.required, true);
  });

  it('tells of the headers where they apply', () => {
    const { responses } = operationOf(endpoints.startPentest);
    const everywhere = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'];
    assert.deepEqual(Object.keys(responses[201]?.headers ?? {}), [...everywhere, 'Location', 'Idempotent-Replayed']);
    assert.deepEqual(Object.keys(responses[403]?.headers ?? {}), everywhere);
    assert.deepEqual(Object.keys(responses[409]?.headers ?? {}), [...everywhere, 'Retry-After']);
    assert.deepEqual(Object.keys(responses[429]?.headers ?? {}), [...everywhere, 'Retry-After']);
  });

  it('requires RateLimit-* of every answer but 429 and 411, which the network edge answers, too', () => {
    for (const [name, endpoint] of table) {
      for (const [status, { headers = {} }] of Object.entries(operationOf(endpoint).responses)) {
        const limits = ['Limit', 'Remaining', 'Reset'].map((suffix) => headers[`RateLimit-${suffix}`]);
        const areRequired = limits.map((header) => {
          const described =
            header && '$ref' in header ? document.components.headers[header.$ref.split('/')[3] ?? ''] : header;
          return described?.required ?? false;
        });
        const isByEdge = status === '429' || status === '411';
        assert.deepEqual(areRequired, Array(3).fill(!isByEdge), `${name} ${status}`);
      }
    }
  });

  it('describes every schema and every property', () => {
    const missing: string[] = [];
    const look = (place: string, schema: JsonSchema): void => {
      if (schema.$ref === undefined && schema.description === undefined) missing.push(place);
      lookInside(place, schema);
    };
    const lookInside = (place: string, { properties = {}, anyOf = [], items }: JsonSchema): void => {
      for (const [name, property] of Object.entries(properties)) look(`${place}.${name}`, property as JsonSchema);
      for (const option of anyOf) lookInside(place, option);
      if (items !== undefined) lookInside(`${place}[]`, items as JsonSchema);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) look(name, schema);
    assert.deepEqual(missing, []);
  });

  it('shows an example of every answer that has a body, which fits the schema beside it', () => {
    const compile = createDocumentValidator(document);
    for (const [name, endpoint] of table) {
      for (const [status, { content }] of Object.entries(operationOf(endpoint).responses)) {
        const { schema, example, examples = {} } = content?.['application/json'] ?? {};
        if (status === '411') assert.equal(schema, undefined);
        else {
          const shown = [
            ...(example === undefined ? [] : [example]),
            ...Object.values(examples).map(({ value }) => value),
          ];
          assert.ok(schema && shown.length > 0, `${name} ${status}`);
          const problemsOf = compile(schema);
          for (const value of shown) assert.deepEqual(problemsOf(value), [], `${name} ${status}`);
        }
      }
    }
  });

  it('shows an example of each error code that an endpoint answers, as the service words it', () => {
    for (const [name, endpoint] of table) {
      for (const code of errorCodesOf(endpoint)) {
        const { content } = operationOf(endpoint).responses[errors[code].status] ?? {};
        const shown = content?.['application/json']?.examples?.[code]?.value as ErrorObject | undefined;
        const { status, message } = errors[code];
        assert.deepEqual({ ...shown, field: undefined }, { code, message, statusCode: status, field: undefined }, name);
      }
    }
  });

  it('shows examples of request bodies that both the document and the service accept', () => {
    const compile = createDocumentValidator(document);
    for (const [name, { body }] of table) {
      if (typeof body === 'string') continue;
      const { id, examples = [] } = body.meta() as { id: string; examples: unknown[] };
      assert.ok(examples.length > 0, name);
      for (const example of examples) {
        assert.ok(body.safeParse(example).success, name);
        assert.deepEqual(compile({ $ref: `#/components/schemas/${id}` })(example), [], name);
      }
    }
  });

  it('shows how to start a run, with an API key, an Idempotency-Key and the example of its body', () => {
    for (const [name, endpoint] of table) {
      const [sample] = operationOf(endpoint)['x-codeSamples'] ?? [];
      assert.equal(sample !== undefined, endpoint.idempotent, name);
      if (!sample) continue;
      assert.match(sample.source, /--header "Authorization: Bearer \$SORTIE_API_KEY"/);
      const key = sample.source.match(/--header 'Idempotency-Key: (.+)'/)?.[1] ?? '';
      assert.match(key, idempotencyKeyPattern);
      assert.equal(key, document.components.parameters['Idempotency-Key']?.example);
      const body: unknown = JSON.parse(sample.source.match(/--data '([^']+)'/)?.[1] ?? '');
      assert.ok(typeof endpoint.body !== 'string' && endpoint.body.safeParse(body).success, name);
    }
  });

  it('names defaults as defaults', () => {
    const { Credential, StartPentest } = document.components.schemas;
    const defaultOf = (schema: JsonSchema | undefined, name: string) =>
      (schema?.properties?.[name] as JsonSchema | undefined)?.default;
    assert.equal(defaultOf(StartPentest, 'depth'), 'LEAD');
    assert.equal(defaultOf(Credential, 'kind'), 'FORM_LOGIN');
    assert.equal(defaultOf(Credential, 'mode'), 'auto');
    assert.equal(defaultOf(Credential, 'location'), 'header');
  });

  it('lists the known statuses of a pentest and allows any other string', () => {
    const { anyOf } = document.components.schemas.PentestStatus ?? {};
    assert.deepEqual(anyOf, [{ type: 'string', enum: [...pentestStatuses] }, { type: 'string' }]);
    assert.deepEqual(document.components.schemas.ScanStatus?.enum, ['STARTED', 'COMPLETED']);
  });

  it('closes request bodies, and leaves answers open for new fields', () => {
    for (const [, endpoint] of table) {
      const { requestBody, responses } = operationOf(endpoint);
      if (requestBody)
        assert.equal(bodyOf(requestBody.content['application/json']?.schema).additionalProperties, false);
      const answer = bodyOf(responses[endpoint.answer.status]?.content?.['application/json']?.schema);
      assert.equal(answer.additionalProperties, undefined);
    }
    assert.equal(document.components.schemas.Credential?.additionalProperties, false);
    assert.equal(document.components.schemas.Pentest?.additionalProperties, undefined);
  });

  it('describes query parameters as what they mean, not as the text they arrive as', () => {
    const parameters = new Map(
      operationOf(endpoints.listPentestFindings).parameters?.flatMap((parameter) =>
        'name' in parameter ? [[parameter.name, parameter]] : [],
      ),
    );
    assert.deepEqual(parameters.get('limit')?.schema, { type: 'integer', minimum: 1, maximum: 100, default: 20 });
    assert.equal(parameters.get('severity')?.explode, false);
    assert.equal(parameters.get('id')?.required, true);
    assert.equal(parameters.get('offset')?.required, false);
  });

  it('writes dates as a format, integers without the limits of a double, and each schema once', () => {
    for (const node of everyNode(document)) {
      if (node.format === 'date-time') assert.equal(node.pattern, undefined);
      assert.notEqual(node.maximum, Number.MAX_SAFE_INTEGER);
    }
    for (const id of Object.keys(document.components.schemas)) assert.doesNotMatch(id, /Input$|Output$|^__/);
  });

  it('says how keys are made today', () => {
    assert.match(document.info.description, /over HTTPS \(HTTP without TLS on your own machine\)/);
    assert.match(document.components.securitySchemes.apiKey?.description ?? '', /`sortie admin key create`/);
  });

  it('names the server it was built for', () => {
    assert.deepEqual(buildOpenApi({ serverUrl: 'https://sortie.example' }).servers, [
      { url: 'https://sortie.example' },
    ]);
  });
});

describe('the promise of /v1', () => {
  const baseline = readBaseline();

  it('is kept: nothing in the document breaks a client of the accepted one', () => {
    assert.deepEqual(unacceptedChanges(baseline, document, readStatedRules()), []);
  });

  it('is written down: the accepted document is up to date', () => {
    assert.deepEqual(document, baseline, 'The API description changed: run npm run openapi:accept');
  });
});
